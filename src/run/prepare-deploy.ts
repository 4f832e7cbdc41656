import type { CleanUpRequest } from '../commands/clean-up.ts';
import type { DeployRequest } from '../commands/deploy.ts';
import type { PreviewRequest } from '../commands/preview/preview.ts';
import type { SweepRequest } from '../commands/sweep.ts';
import { pullRequestOf } from '../core/event/pull-request.ts';
import { trustIn } from '../core/event/trust.ts';
import { commitOf, isPullRequest } from '../core/event.ts';
import type { Problem } from '../core/problem.ts';
import type { PullRequest } from '../core/pull-request.ts';
import type { Values } from '../inputs.ts';
import { crossProblems } from './cross-problems.ts';
import type { Declared } from './declared.ts';
import type { Preparing } from './preparing.ts';
import { type Signing, withClaim } from './preview-claim.ts';
import { leases, previewProjects, previewRequest } from './preview-request.ts';
import { askIfOpen, findRunsPullRequest } from './pull-request.ts';
import { planRecord } from './record-plan.ts';
import type { RecordPlan } from './record-request.ts';
import { closedSkip, plannedCleanUp, type Skip, skipReason, supersededSkip } from './skip.ts';
import type { Step } from './step.ts';
import { sweepFor } from './sweep-request.ts';
import { verifyRequest } from './verify-request.ts';
import { userAgent } from './version.ts';

type DeployValues = Partial<Values<'deploy'>>;

/** What a step is to do: deploy, clean up, or nothing and why. */
export type Prepared =
  | ({
      kind: 'deploy';
      request: Omit<DeployRequest, 'ledgers'>;
      sweep: SweepRequest | undefined;
      notes: string[];
      record: RecordPlan;
    } & Signing)
  | {
      kind: 'clean-up';
      request: CleanUpRequest;
      /** Whether the pull request is open again; undefined if that cannot be told. */
      isOpen: () => Promise<boolean | undefined>;
      record: RecordPlan;
    }
  | Skip
  | { kind: 'problems'; problems: Problem[] };

/** What will not be done although an input speaks of it. */
function notesOn(values: DeployValues): string[] {
  return [
    ...(values.deploy === false && values['verify-url'] !== undefined
      ? ['verify-url is not asked, because deploy is false']
      : []),
  ];
}

/** The commit to deploy, empty for HEAD. */
function commitFor(
  values: DeployValues,
  { context }: Step<'deploy'>,
  pullRequest: PullRequest | undefined,
  problems: Problem[],
): string {
  const given = values['commit-sha'];
  if (given !== undefined) return given === 'HEAD' ? '' : given;
  if (values.deploy === false || problems.some(({ input }) => input === 'commit-sha')) return '';
  const source = commitOf(context.event);
  if (source.kind === 'commit') return source.sha;
  if (source.kind === 'unknown') problems.push({ input: 'commit-sha', message: source.message });
  return pullRequest?.sha ?? '';
}

/** Finds the pull request of a run, unless something else is wrong already. */
async function pullRequestFor(
  { step, signal }: Preparing,
  problems: Problem[],
): Promise<PullRequest | undefined> {
  const { values, context } = step;
  const source = pullRequestOf(context.event);
  if (source?.kind === 'known') return source.pullRequest;
  if (source === undefined && isPullRequest(context.event)) {
    const message = "the event's payload does not say which pull request it is about";
    problems.push({ input: 'GITHUB_EVENT_PATH', message });
  }
  if (problems.length > 0) return undefined;
  const found = await findRunsPullRequest(context, values['github-token'] ?? '', signal);
  if ('pullRequest' in found) return found.pullRequest;
  problems.push({ input: 'github-token', message: found.problem });
  return undefined;
}

/** Whether a project must be given, and is not. */
function projectProblems(
  { step: { values }, declared }: Preparing,
  pullRequest: PullRequest | undefined,
  sweep: SweepRequest | undefined,
  problems: readonly Problem[],
): Problem[] {
  const isWrong = problems.some(({ input }) => input === 'project-id');
  const onlySweeps = sweep !== undefined && declared.variables.length === 0;
  const isNeeded = !leases(values, pullRequest) && !onlySweeps;
  if (values['project-id'] !== undefined || isWrong || !isNeeded) return [];
  return [{ input: 'project-id', message: 'is required, and empty' }];
}

/** The parts of a deploy request that come from one input each. */
function plainRequest(values: Values<'deploy'>, { variables }: Declared) {
  return {
    projectId: values['project-id'] ?? '',
    deploy: values.deploy,
    variables,
    onConflict: values['env-on-conflict'],
    prune: values['env-prune'],
    planOnly: values.mode === 'plan',
    wait: values.wait,
    statusPath: values['status-path'],
    eventsPath: values['events-path'],
    successStates: values['success-states'] ?? [],
    failureStates: values['failure-states'] ?? [],
    userAgent,
  };
}

/** What is to be done once a pull request is closed: its preview is ended, if there is one. */
function prepareCleanUp(
  values: Values<'deploy'>,
  preview: PreviewRequest | undefined,
  { isOpen, record }: Pick<Extract<Prepared, { kind: 'clean-up' }>, 'isOpen' | 'record'>,
): Prepared {
  if (preview === undefined) return closedSkip;
  if (values.mode === 'plan') return plannedCleanUp;
  const disconnect = values['disconnect-on-close'];
  const { hostname, ownership } = preview;
  const request = { hostname, ownership, projects: previewProjects(values), disconnect };
  return { kind: 'clean-up', request, isOpen, record };
}

/**
 * Turns the inputs and the event into what is to be done. All that is wrong is gathered first; nothing is
 * sent to the service.
 */
export async function prepareDeploy(preparing: Preparing): Promise<Prepared> {
  const { step, declared, signal, warn } = preparing;
  const { values, context, environment } = step;
  const skip = skipReason(values, context);
  if (skip !== undefined) return skip;
  const problems = [...step.problems, ...declared.problems, ...crossProblems(values, environment)];
  const pullRequest = await pullRequestFor(preparing, problems);
  const commit = commitFor(values, step, pullRequest, problems);
  const asked = previewRequest(values, context, pullRequest, commit, problems);
  const sweep = sweepFor(preparing);
  problems.push(...projectProblems(preparing, pullRequest, sweep, problems));
  const planned = planRecord(values, context, pullRequest, commit, problems);
  const isKnown = !problems.some(({ input }) => input === 'commit-sha');
  const filling = { sha: isKnown ? commit : undefined, hostname: asked?.hostname };
  const verify = verifyRequest(values, filling, problems);
  if (problems.length > 0 || !isComplete(values)) return { kind: 'problems', problems };
  const ask = askIfOpen(context, values['github-token'] ?? '', signal, warn);
  const isOpen = async () => pullRequest && (await ask(pullRequest.number));
  if (pullRequest === undefined && pullRequestOf(context.event) !== undefined)
    return supersededSkip;
  const { preview, record, ...signing } = await withClaim(preparing, pullRequest, asked, planned);
  if (pullRequest?.isOpen === false) {
    return prepareCleanUp(values, preview, { isOpen, record });
  }
  const isGuarded = pullRequest !== undefined || trustIn(context.event).code !== 'merged';
  const request: Omit<DeployRequest, 'ledgers'> = {
    ...plainRequest(values, declared),
    commit,
    guarded: isGuarded && !values['allow-production'],
    ...(verify && { verify }),
    ...(preview && { preview: { ...preview, ...(pullRequest && { isOpen }) } }),
  };
  return { kind: 'deploy', request, sweep, notes: notesOn(values), record, ...signing };
}

/** Without problems, every input that is required or has a default has its value. */
function isComplete(values: DeployValues): values is Values<'deploy'> {
  return values['base-url'] !== undefined;
}
