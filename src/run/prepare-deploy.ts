import type { DeployRequest } from '../commands/deploy.ts';
import { type DesiredVariable, gatherDesired } from '../core/environment/desired.ts';
import { commitOf, isPullRequest, trustOf } from '../core/event.ts';
import { idempotencyKey } from '../core/idempotency.ts';
import type { Problem } from '../core/problem.ts';
import { fillTemplate } from '../core/template.ts';
import { type PullRequestHead, readPullRequestHead } from '../github/pull-request.ts';
import type { RunContext, StepEnvironment } from '../github/runner.ts';
import { readWorkspaceFile } from '../github/workspace.ts';
import type { Values } from '../inputs.ts';
import type { Step } from './step.ts';
import { userAgent } from './version.ts';

type DeployValues = Partial<Values<'deploy'>>;

/** What a step is to do: deploy, or nothing and why. */
export type Prepared =
  | { kind: 'deploy'; request: DeployRequest; notes: string[] }
  | { kind: 'skip'; reason: string; message: string }
  | { kind: 'problems'; problems: Problem[] };

/** The variables that a step declares, and what is wrong with them. */
export interface Declared {
  variables: DesiredVariable[];
  problems: Problem[];
}

/** Reads the variables that the inputs declare. It sends nothing and prints nothing. */
export async function readDeclared(
  values: DeployValues,
  context: RunContext,
  stepEnvironment: StepEnvironment,
): Promise<Declared> {
  const problems: Problem[] = [];
  const envFiles: { path: string; text: string }[] = [];
  for (const path of values['env-file'] ?? []) {
    const file = await readWorkspaceFile(context.workspace, path);
    if ('text' in file) envFiles.push({ path, text: file.text });
    else problems.push({ input: 'env-file', message: `${path} ${file.problem}` });
  }
  const gathered = gatherDesired({
    env: values.env ?? '',
    envFrom: values['env-from'] ?? [],
    envFiles,
    stepEnvironment,
    kind: values['env-kind'] ?? 'secret',
    targets: values['env-targets'] ?? { preview: true, production: true },
  });
  return { variables: gathered.variables, problems: [...problems, ...gathered.problems] };
}

const noCredentials = {
  fork: 'a pull request from a fork gets no secrets',
  dependabot: "Dependabot's runs get no secrets (but those of their own kind)",
  trusted: 'on-missing-credentials is skip',
} as const;

/** Whether the step has nothing to do, or may not do it: without a key, or without a commit. */
function skipReason(values: DeployValues, { event }: RunContext): Prepared | undefined {
  const trust = trustOf(event);
  const policy = values['on-missing-credentials'];
  const mayMiss = policy === 'skip' || (policy === 'auto' && trust !== 'trusted');
  if (values['api-key'] === undefined && mayMiss) {
    const reason = trust === 'trusted' ? 'missing-credentials' : trust;
    return { kind: 'skip', reason, message: `api-key is empty: ${noCredentials[trust]}` };
  }
  const source = values['commit-sha'] === undefined ? commitOf(event) : undefined;
  if (source?.kind !== 'skip') return undefined;
  const message =
    source.reason === 'branch-deleted'
      ? 'the branch was deleted: there is no commit to deploy'
      : 'the pull request was closed; its clean-up is not available in this version yet';
  return { kind: 'skip', reason: source.reason, message };
}

function verifyRequest(
  values: DeployValues,
  commit: string,
  problems: Problem[],
): DeployRequest['verify'] {
  const template = values['verify-url'];
  const contains = values['verify-contains'] ?? '';
  const given = `${template ?? ''}${contains}`;
  const problem = (input: string, message: string) => {
    problems.push({ input, message });
    return undefined;
  };
  if (template === undefined) {
    if (contains !== '') problem('verify-contains', 'needs verify-url');
    return undefined;
  }
  if (values.wait === 'none') problem('verify-url', 'needs wait to be other than none');
  if (given.includes('{preview-domain}')) {
    return problem('verify-url', '{preview-domain} is not available in this version yet');
  }
  if (given.includes('{sha}') && commit === '') {
    return problem('verify-url', '{sha} needs a commit: commit-sha is HEAD');
  }
  const url = URL.parse(fillTemplate(template, { sha: commit }));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return problem('verify-url', 'must be a URL such as https://www.example.com/');
  }
  return {
    url,
    contains: fillTemplate(contains, { sha: commit }),
    namesCommit: given.includes('{sha}'),
  };
}

/** What the defaults promise that this version does not do yet. */
function notesOn(values: DeployValues, declared: Declared): string[] {
  const missing = [
    ...(values['env-ledger'] === 'cache' && declared.variables.length > 0
      ? ['env-ledger (so every declared variable is written again)']
      : []),
    ...(values['github-deployment'] === true ? ['github-deployment'] : []),
  ];
  return missing.length === 0 ? [] : [`Not available in this version yet: ${missing.join(', ')}`];
}

function crossProblems(values: DeployValues, { event }: RunContext): Problem[] {
  const successes = new Set(values['success-states']);
  const both = values['failure-states']?.find((word) => successes.has(word));
  const guarded = isPullRequest(event) && values['allow-production'] === false;
  return [
    ...(both === undefined
      ? []
      : [{ input: 'failure-states', message: `"${both}" is in success-states too` }]),
    ...(guarded && values.deploy === true
      ? [
          {
            input: 'allow-production',
            message:
              "a pull request's code would replace the project's site, and preview domains are not available in this version yet: if the project is only for previews, set allow-production: true",
          },
        ]
      : []),
  ];
}

/** The commit to deploy, empty for HEAD; GitHub is asked where the event does not say. */
async function findCommit(
  values: DeployValues,
  { event, apiUrl, repository }: RunContext,
  signal: AbortSignal,
): Promise<PullRequestHead> {
  const given = values['commit-sha'];
  if (given !== undefined) return { sha: given === 'HEAD' ? '' : given };
  const source = commitOf(event);
  if (source.kind === 'commit') return { sha: source.sha };
  if (source.kind === 'unknown') return { problem: source.message };
  const token = values['github-token'] ?? '';
  const number = source.kind === 'pull-request' ? source.number : 0;
  return await readPullRequestHead({ apiUrl, token, repository }, number, signal);
}

/**
 * Turns the inputs and the event into what the deploy command is asked to do. All that is wrong is gathered
 * first; nothing is sent to the service.
 */
export async function prepareDeploy(
  { values, problems: wrongInputs, context }: Step<'deploy'>,
  declared: Declared,
  signal: AbortSignal,
): Promise<Prepared> {
  const skip = skipReason(values, context);
  if (skip !== undefined) return skip;
  const problems = [...wrongInputs, ...declared.problems, ...crossProblems(values, context)];
  const wrongCommit = problems.some(({ input }) => input === 'commit-sha');
  const found: PullRequestHead =
    wrongCommit || values.deploy === false
      ? { sha: '' }
      : await findCommit(values, context, signal);
  if ('problem' in found) problems.push({ input: 'commit-sha', message: found.problem });
  const commit = 'sha' in found ? found.sha : '';
  const verify = verifyRequest(values, commit, problems);
  if (problems.length > 0 || !isComplete(values)) return { kind: 'problems', problems };
  const request: DeployRequest = {
    projectId: values['project-id'],
    commit,
    deploy: values.deploy,
    variables: declared.variables,
    onConflict: values['env-on-conflict'],
    wait: values.wait,
    statusPath: values['status-path'],
    eventsPath: values['events-path'],
    successStates: values['success-states'] ?? [],
    failureStates: values['failure-states'] ?? [],
    keyFor: (operation, target) => idempotencyKey(context.identity, operation, target),
    userAgent,
    ...(verify === undefined ? {} : { verify }),
  };
  return { kind: 'deploy', request, notes: notesOn(values, declared) };
}

/** Without problems, every input that is required or has a default has its value. */
function isComplete(values: DeployValues): values is Values<'deploy'> {
  return values['project-id'] !== undefined;
}
