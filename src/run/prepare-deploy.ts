import type { DeployRequest } from '../commands/deploy.ts';
import { commitOf, isPullRequest } from '../core/event.ts';
import { idempotencyKey } from '../core/idempotency.ts';
import type { Problem } from '../core/problem.ts';
import { type PullRequestHead, readPullRequestHead } from '../github/pull-request.ts';
import type { RunContext, StepEnvironment } from '../github/runner.ts';
import type { Values } from '../inputs.ts';
import type { Declared } from './declared.ts';
import { type Skip, skipReason } from './skip.ts';
import type { Step } from './step.ts';
import { verifyRequest } from './verify-request.ts';
import { userAgent } from './version.ts';

type DeployValues = Partial<Values<'deploy'>>;

/** What a step is to do: deploy, or nothing and why. */
export type Prepared =
  | { kind: 'deploy'; request: DeployRequest; notes: string[] }
  | Skip
  | { kind: 'problems'; problems: Problem[] };

/** What will not be done although an input speaks of it. */
function notesOn(values: DeployValues, declared: Declared, { event }: RunContext): string[] {
  const missing = [
    ...(values['env-ledger'] === 'cache' && declared.variables.length > 0
      ? ['env-ledger (so every declared variable is written again)']
      : []),
    ...(values['github-deployment'] === true ? ['github-deployment'] : []),
    ...(values.comment === 'auto' && isPullRequest(event) ? ['comment'] : []),
  ];
  return [
    ...(missing.length === 0 ? [] : [`Not available in this version yet: ${missing.join(', ')}`]),
    ...(values.deploy === false && values['verify-url'] !== undefined
      ? ['verify-url is not asked, because deploy is false']
      : []),
  ];
}

const proxyVariables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

function proxyProblems(environment: StepEnvironment): Problem[] {
  const wrong = proxyVariables.filter((name) => {
    const value = environment[name] ?? '';
    return value !== '' && !URL.canParse(value);
  });
  const message = 'is set in the environment, and is no URL such as http://proxy.example.com:3128';
  return wrong.map((input) => ({ input, message }));
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

/** The commit to deploy, empty for HEAD; GitHub is asked where the event does not say, if all else is right. */
async function findCommit(
  values: DeployValues,
  { event, apiUrl, repository }: RunContext,
  hasProblems: boolean,
  signal: AbortSignal,
): Promise<PullRequestHead> {
  const given = values['commit-sha'];
  if (given !== undefined) return { sha: given === 'HEAD' ? '' : given };
  const source = commitOf(event);
  if (source.kind === 'commit') return { sha: source.sha };
  if (source.kind === 'unknown') return { problem: source.message };
  if (hasProblems) return { sha: '' };
  const token = values['github-token'] ?? '';
  const number = source.kind === 'pull-request' ? source.number : 0;
  return await readPullRequestHead({ apiUrl, token, repository }, number, signal);
}

/**
 * Turns the inputs and the event into what the deploy command is asked to do. All that is wrong is gathered
 * first; nothing is sent to the service.
 */
export async function prepareDeploy(
  { values, problems: wrongInputs, context, environment }: Step<'deploy'>,
  declared: Declared,
  signal: AbortSignal,
): Promise<Prepared> {
  const skip = skipReason(values, context);
  if (skip !== undefined) return skip;
  const problems = [
    ...wrongInputs,
    ...declared.problems,
    ...crossProblems(values, context),
    ...proxyProblems(environment),
  ];
  const wrongCommit = problems.some(({ input }) => input === 'commit-sha');
  const found: PullRequestHead =
    wrongCommit || values.deploy === false
      ? { sha: '' }
      : await findCommit(values, context, problems.length > 0, signal);
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
  return { kind: 'deploy', request, notes: notesOn(values, declared, context) };
}

/** Without problems, every input that is required or has a default has its value. */
function isComplete(values: DeployValues): values is Values<'deploy'> {
  return values['project-id'] !== undefined;
}
