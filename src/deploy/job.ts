import type { JobChecks } from '../checks/intent.ts';
import type { Commit, CommitInPart, GivenCommit, RunCommit, Sha } from '../contract/commit.ts';
import type { ProjectId } from '../contract/safe-text.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import type { CommitSource, KnownPull, PullRequestSource, RunEvent } from '../kernel/event.ts';
import { clean, safe, unsafeText } from '../kernel/text/safe.ts';
import type { PushIntent } from '../push/intent.ts';
import type { Skip, Wrong } from '../step/skip.ts';
import type { DeployValues } from './inputs.ts';
import type { Preview } from './previews/intent.ts';

/** The target of a run. */
export type DeployTarget =
  | { kind: 'project'; id: string }
  /** One of these projects, which open pull requests lease under hostnames of this template. */
  | { kind: 'lease'; from: readonly ProjectId[]; template: string }
  /** None: the run only sweeps or checks. */
  | { kind: 'none' };

/** Where a run's code goes, by its inputs and its event: that decides in which comment and series it is recorded. */
export interface Course {
  values: DeployValues;
  event: RunEvent;
  pull: Pick<KnownPull, 'number'> | undefined;
  target: DeployTarget;
}

/** The commit of a job: undefined as long as only GitHub knows it, and null if there is none. */
export type JobCommit =
  /** Nothing is deployed. */
  | { by: 'none'; is: null }
  /** Given by `commit-sha`, in whole or in part. */
  | { by: 'input'; is: Commit }
  | { by: 'part'; given: CommitInPart; is: Sha | null | undefined }
  /** Of the event, which may only name the pull request whose head it is. */
  | { by: 'event' | 'pull-request'; is: Sha | null | undefined };

/** What each job has. All values are valid; what only GitHub knows is undefined until it was read. */
interface AnyJob extends Course {
  pull: KnownPull | undefined;
  commit: JobCommit;
}

/** Syncs a project's variables, and deploys to it unless `deploy` is false; or plans that. */
export interface DeployJob extends AnyJob {
  kind: 'deploy' | 'plan';
  target: Exclude<DeployTarget, { kind: 'none' }>;
  preview: Preview | undefined;
  push: PushIntent;
  checks: JobChecks | undefined;
}

/** Ends the preview of a closed pull request. */
export interface EndJob extends AnyJob {
  kind: 'end-preview';
  preview: Preview;
}

/** What a step is to do. */
export type Work =
  | DeployJob
  | EndJob
  /** Ends the previews of all closed pull requests, without a project to sync. */
  | (AnyJob & { kind: 'sweep' })
  /** Only checks a site, without a project to sync. */
  | (AnyJob & { kind: 'watch'; checks: JobChecks });

/** What a step is to do, or why it does nothing. */
export type Job = Work | Skip | Wrong;

/** True of a job with a project, which it syncs. */
export const isDeployJob = (job: Work): job is DeployJob =>
  job.kind === 'deploy' || job.kind === 'plan';

/**
 * The pull request of a run's event; or that of its branch, if a user started it by hand and its inputs are for a preview
 * alone.
 *
 * @param values undefined if one of them is wrong
 */
export function pullRequestOf(
  values: DeployValues | undefined,
  { pullRequest, ofBranch }: RunEvent,
): PullRequestSource | undefined {
  if (pullRequest !== undefined || values === undefined) return pullRequest;
  const { deploy, 'project-id': id, 'preview-projects': leased = [] } = values;
  const isForPreview = id === undefined && leased.length > 0 && deploy !== false;
  return isForPreview && values['preview-domain'] !== undefined ? ofBranch : undefined;
}

/** True if a run also ends the previews of closed pull requests: a scheduled one that deploys nothing. */
export function doesSweep({ values, event }: Pick<Course, 'values' | 'event'>): boolean {
  const { 'preview-domain': template, deploy, mode } = values;
  const isScheduled = event.kind === 'schedule' || event.kind === 'manual';
  return isScheduled && template !== undefined && !deploy && mode !== 'plan';
}

/** True if a run's code is a preview, unless its project serves other domains. */
const isPreviewRun = ({ event, pull }: Course): boolean =>
  pull !== undefined || event.kind === 'merge-group';

/** True if only the domains of the project decide whether a run goes to production. */
export const isUndecided = (course: Course): boolean =>
  course.values.deploy !== false && course.values['allow-production'] && isPreviewRun(course);

/** True if the code is not merged, and so must not reach other domains than the preview's. */
export const isGuarded = ({ values, event, pull }: Course): boolean =>
  !values['allow-production'] && (pull !== undefined || event.trust.code !== 'merged');

/**
 * Reads what of a release depends on earlier deployments. By default, previews have no `on-older`, by which a commit is
 * deployed, however old it is: they have a series of their own.
 */
export function gatesOf(job: AnyJob) {
  const { values, event, commit } = job;
  if (values.deploy === false) return { onOlder: undefined, ifNeeded: false, rollsBack: false };
  const usual = values['github-deployment'] && !isPreviewRun(job) ? 'skip' : 'deploy';
  const onOlder = values['on-older'] ?? usual;
  const isOrdered =
    commit.is !== 'HEAD' && commit.is !== null && !isByHand(values['commit-sha'], event);
  return {
    onOlder: onOlder !== 'deploy' && isOrdered ? onOlder : undefined,
    ifNeeded: values.deploy === 'if-needed',
    rollsBack: values['on-failed-checks'] === 'roll-back',
  };
}

/**
 * True if a user chose the commit: it was given in a manual run, or differs from that of the event, unlike
 * `commit-sha: ${{ github.sha }}`.
 */
export function isByHand(
  given: GivenCommit | undefined,
  { kind, commit: ofEvent }: RunEvent,
): boolean {
  if (given === undefined) return false;
  if (kind === 'manual' || ofEvent.kind !== 'commit') return true;
  return typeof given === 'string' ? ofEvent.sha !== given : !ofEvent.sha.startsWith(given.digits);
}

/** True if a run reads earlier deployments. */
export function readsHistory(job: AnyJob): boolean {
  const { onOlder, ifNeeded, rollsBack } = gatesOf(job);
  return onOlder !== undefined || ifNeeded || rollsBack;
}

/**
 * The environment of the GitHub Deployments of such runs, and the first part of their key: a preview's own, the merge
 * queue's, or production. The number of a pull request that only GitHub knows is N.
 */
export function environmentOf(course: Course, isProduction = !isPreviewRun(course)) {
  const { values, pull } = course;
  const name = isProduction ? 'production' : pull ? `pr-${pull.number ?? 'N'}` : 'merge-group';
  const usual = isProduction || !pull ? name : `preview/${name}`;
  return { name, environment: values['environment-name'] ?? usual };
}

/** Why no GitHub Deployment is made: it is turned off, GitHub does not know HEAD, or nothing is deployed. */
export type NotRecorded = 'off' | 'head' | 'not-deployed';

/** Why no GitHub Deployment is made; undefined if one is. */
export function whyNotRecorded({
  values,
  commit,
}: Pick<AnyJob, 'values' | 'commit'>): NotRecorded | undefined {
  if (!values['github-deployment']) return 'off';
  if (!values.deploy || values.mode === 'plan') return 'not-deployed';
  return commit.is === 'HEAD' || commit.is === null ? 'head' : undefined;
}

/** The commit as a report has it: null if there is none. @throws if only GitHub knows it */
export function knownCommitOf({ is }: JobCommit): RunCommit {
  if (is === undefined) throw new Error('a run without the commit that GitHub knows');
  return is;
}

/** What may not be meant about a commit that a run deploys, as warnings. */
export function commitWarnings(
  { label, commit: ofEvent, reported }: RunEvent,
  commit: JobCommit,
): Diagnostic[] {
  const warnings: Diagnostic[] = [];
  if (reported !== undefined && isOfEvent(ofEvent, commit)) {
    const { field, result } = reported;
    const path = unsafeText(`github.event.${field}`);
    const state = result === undefined ? safe`empty` : safe`"${unsafeText(clean(result, 40))}"`;
    warnings.push(
      diagnose(
        'SD1125',
        safe`${path} is ${state}, not "success", and the commit is deployed anyway. Add the condition ${path} == 'success' to the job's if.`,
      ),
    );
  }
  if (commit.by === 'event' && ofEvent.kind === 'commit' && !ofEvent.isOfEvent) {
    warnings.push(
      diagnose(
        'SD1126',
        safe`The head of the default branch is deployed, because no commit belongs to ${unsafeText(label)}. If that is intended, set commit-sha to the expression github.sha.`,
      ),
    );
  }
  return warnings;
}

/** True if the commit that a run deploys is its event's. */
function isOfEvent(ofEvent: CommitSource, commit: JobCommit): boolean {
  if (commit.by === 'input') return ofEvent.kind === 'commit' && commit.is === ofEvent.sha;
  if (commit.by !== 'part') return true;
  const { given } = commit;
  return given !== 'PREVIOUS' && ofEvent.kind === 'commit' && ofEvent.sha.startsWith(given.digits);
}
