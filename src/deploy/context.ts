import type { SiteChecks } from '../checks/apply.ts';
import type { CheckedDomain } from '../checks/await-checks.ts';
import type { ChecksRequest, JobChecks } from '../checks/intent.ts';
import type { Commit, RunCommit } from '../contract/commit.ts';
import { readService } from '../follow/model/service.ts';
import type { CustomStatuses } from '../follow/model/status.ts';
import type { Tracker } from '../follow/tracker.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { LedgerKeeper } from '../ledger/model/ledger.ts';
import { type Pusher, pusherFor } from '../push/push-commit.ts';
import type { History } from '../releases/history.ts';
import type { Run, Step } from '../step/step.ts';
import type { VariablesRequest } from '../variables/intent.ts';
import type { DeployValues } from './inputs.ts';
import { type DeployJob, gatesOf, isGuarded, isUndecided, knownCommitOf } from './job.ts';
import type { CheckedRelease, DeployState, Phase } from './model/report.ts';
import { matcherOf, type Preview, previewProjects } from './previews/intent.ts';
import type { Place, PreviewRequest } from './previews/preview.ts';
import type { Recorder } from './recorder.ts';

/** The project to deploy to: one that is given, or one of some that previews lease. */
export type Target =
  | { kind: 'project'; id: string; preview?: PreviewRequest | undefined }
  | { kind: 'lease'; from: readonly string[]; preview: PreviewRequest };

/** What a deploy run does. All values are valid. */
export interface DeployRequest extends VariablesRequest {
  target: Target;
  commit: RunCommit;
  /** False: sync the environment only. */
  deploys: boolean;
  /** Absent if no commit is pushed: nothing is deployed, or the repository has it. */
  pusher?: Pusher | undefined;
  ledgers: LedgerKeeper;
  /** True: read, show what would change, and write nothing. */
  planOnly: boolean;
  wait: 'auto' | 'stream' | 'poll' | 'none';
  /** Path templates with `{projectId}` and `{deploymentId}`. */
  statusPath: string;
  eventsPath: string;
  customStatuses: CustomStatuses;
  /** The checks of the site; absent if there are none. */
  checks?: ChecksRequest | undefined;
  /** True: a deployment whose checks fail is rolled back. It needs {@link checks} and {@link history}. */
  rollsBack?: boolean;
  /** The GitHub deployments created by this action; absent if no input needs them. */
  history?: History | undefined;
  /** What happens if the commit is older than the last release; absent: it is deployed. */
  onOlder?: 'skip' | 'fail' | undefined;
  /** Deploy only if the commit is not live already. */
  ifNeeded?: boolean;
  /** True if only the project shows whether the run goes to production: unmerged code with `allow-production`. */
  isUndecided: boolean;
  /** True if the code is not merged, and so must not reach other domains than the preview's. */
  guarded: boolean;
  /** True if its code is an open pull request's. */
  isPullRequest?: boolean;
}

/** The commit of a run: none if nothing is deployed, unless the input names one. */
export const knownCommit = ({ commit, deploys }: DeployRequest): { commit?: Commit } =>
  commit === null || (commit === 'HEAD' && !deploys) ? {} : { commit };

/** What may confirm a deployment's success besides its status. */
export interface Evidence extends ReleaseContext {
  tracker: Tracker;
  /** True if changes waited for the production runtime when the deployment was posted. */
  wasPending: boolean;
  /** True if the checks failed before, so that they can confirm the deployment. */
  checksProve: boolean;
  signal: AbortSignal;
}

/** What a run waits for, which the error of a timeout names. */
type Waiting =
  | { for: 'status'; evidence: Evidence }
  | { for: 'checks'; checks: SiteChecks }
  | { for: 'nothing' };

/** A preview's domain, followed beside the deployment. */
export interface FollowedDomain extends CheckedDomain {
  /** True if a check is run at its address. */
  readonly isChecked: boolean;
  /** True once nothing but its verification is waited for. */
  readonly isAwaited: boolean;
  /** A check passed at its address. */
  passed(): void;
  /** Why it is not verified, and what to do; undefined if it is. */
  pending(): SafeText | undefined;
}

/** The report of a run that goes on; each stage fills its section. */
export interface OpenReport extends Omit<DeployState, 'phases'> {
  phases: Phase[];
  /** Undefined until the run waits. */
  waiting: Waiting | undefined;
  domain: FollowedDomain | undefined;
}

/** A run before its project is found. */
export interface SetupContext extends Run {
  request: DeployRequest;
  /** The checks of the site; undefined if there are none. */
  checks: SiteChecks | undefined;
  /** Undefined: nothing is recorded on GitHub. */
  recorder: Recorder | undefined;
  report: OpenReport;
  /** Measures a part of the run, also if it fails. */
  phase<T>(name: Phase['name'], work: () => Promise<T>): Promise<T>;
}

/** A run, and what its stages share. */
export interface ReleaseContext extends SetupContext {
  place: Place;
  projectId: string;
  /** The section of this release: the report itself, or its rollback. */
  section: CheckedRelease;
}

/** Measures the parts of a run, in milliseconds since its start. */
export function timer({ host, started }: Run, phases: Phase[]): ReleaseContext['phase'] {
  return async (name, work) => {
    const start = host.clock.now() - started;
    try {
      return await work();
    } finally {
      phases.push({ name, start, end: host.clock.now() - started });
    }
  };
}

/** The hostname of a run's preview. @throws if only GitHub knows it */
export function hostnameOf({ hostname }: Preview): string {
  if (hostname === undefined) throw new Error('a run without the hostname of its preview');
  return hostname;
}

/** The checks of a run. @throws if only GitHub knows what is filled in */
export function checksOf({ site, ...checks }: JobChecks): ChecksRequest {
  if (site === undefined) throw new Error('a run without the site of its checks');
  return { ...checks, site };
}

function previewOf(
  { values, pull, preview }: DeployJob,
  { context }: Step<DeployValues>,
  { isOpen, historyOf }: Pick<PreviewRequest, 'isOpen' | 'historyOf'>,
): PreviewRequest | undefined {
  if (preview === undefined) return undefined;
  return {
    hostname: hostnameOf(preview),
    matcher: matcherOf(preview.template, context),
    known: previewProjects(values),
    timeout: values['verify-timeout'],
    strict: values.strict,
    isOpen: pull && isOpen,
    historyOf,
  };
}

function targetOf({ target }: DeployJob, preview: PreviewRequest | undefined): Target {
  if (target.kind === 'project') return { ...target, preview };
  if (preview === undefined) throw new Error('a lease without a preview');
  return { kind: 'lease', from: target.from, preview };
}

/**
 * What the stages of a release are given, without what is opened with the service.
 *
 * @param asked what a preview is read from GitHub with
 */
export function requestOf(
  job: DeployJob,
  step: Step<DeployValues>,
  asked: Pick<PreviewRequest, 'isOpen' | 'historyOf'>,
): Omit<DeployRequest, keyof VariablesRequest | 'ledgers' | 'history'> {
  const { values, pull, checks, push } = job;
  const { paths, customStatuses } = readService(values.service);
  const commit = knownCommitOf(job.commit);
  const isPushed = push.kind === 'push' && commit !== null && commit !== 'HEAD';
  return {
    deploys: values.deploy !== false,
    planOnly: job.kind === 'plan',
    wait: values.wait,
    statusPath: paths['deployment-status'],
    eventsPath: paths['deployment-events'],
    customStatuses,
    commit,
    isUndecided: isUndecided(job),
    guarded: isGuarded(job),
    isPullRequest: pull !== undefined,
    ...gatesOf(job),
    target: targetOf(job, previewOf(job, step, asked)),
    checks: checks && checksOf(checks),
    pusher: isPushed ? pusherFor(push, commit, values, step) : undefined,
  };
}
