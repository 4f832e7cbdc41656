import type { ChecksRequest } from '../checks/intent.ts';
import {
  type CommitInPart,
  type GivenCommit,
  isWhole,
  type RunCommit,
} from '../contract/commit.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import type { CommitSource, RunEvent } from '../kernel/event.ts';
import { clean, safe, unsafeText } from '../kernel/text/safe.ts';
import type { NoPreview, PreviewIntent, SweepIntent } from '../previews/intent.ts';
import type { PushIntent } from '../push/intent.ts';

/** Where the commit of a run comes from; one given in part, or of a pull request, needs a GitHub query. */
export type CommitOrigin =
  | { by: 'input' }
  | { by: 'part'; given: CommitInPart }
  | { by: 'event' }
  | { by: 'pull-request' };

/** @param given by the input `commit-sha` */
export function originOf(given: GivenCommit | undefined, { commit }: RunEvent): CommitOrigin {
  if (given !== undefined) return isWhole(given) ? { by: 'input' } : { by: 'part', given };
  return { by: commit.kind === 'pull-request' ? 'pull-request' : 'event' };
}

/** True if the commit that a run deploys is its event's. */
function isOfEvent(ofEvent: CommitSource, origin: CommitOrigin, commit: RunCommit): boolean {
  if (origin.by === 'input') return ofEvent.kind === 'commit' && commit === ofEvent.sha;
  if (origin.by !== 'part') return true;
  const { given } = origin;
  return given !== 'PREVIOUS' && ofEvent.kind === 'commit' && ofEvent.sha.startsWith(given.digits);
}

/** What may not be meant about a commit that a run deploys, as warnings. */
export function commitWarnings(
  { label, commit: ofEvent, reported }: RunEvent,
  origin: CommitOrigin,
  commit: RunCommit,
) {
  const warnings: Diagnostic[] = [];
  if (reported !== undefined && isOfEvent(ofEvent, origin, commit)) {
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
  if (origin.by === 'event' && ofEvent.kind === 'commit' && !ofEvent.isOfEvent) {
    warnings.push(
      diagnose(
        'SD1126',
        safe`The head of the default branch is deployed, because no commit belongs to ${unsafeText(label)}. If that is intended, set commit-sha to the expression github.sha.`,
      ),
    );
  }
  return warnings;
}

/** The project that a run is for, and its preview. */
type TargetIntent =
  | { kind: 'project'; id: string; preview?: PreviewIntent }
  | {
      kind: 'lease';
      from: readonly string[];
      preview: PreviewIntent;
      /** True if `project-id` is given as well. */
      ignoresProject?: true;
    };

/** What a run does with a project: it syncs its variables, and may deploy. */
export interface ReleaseIntent {
  target: TargetIntent;
  /** Absent with a preview. */
  noPreview?: NoPreview;
  commit: RunCommit;
  /** False: only its variables are synced. */
  deploy: boolean;
  push: PushIntent;
  wait: 'auto' | 'stream' | 'poll' | 'none';
  checks?: ChecksRequest;
  guarded: boolean;
  isPullRequest?: true;
  onOlder?: 'skip' | 'fail';
  ifNeeded?: true;
  rollsBack?: true;
}

/** Why no GitHub Deployment is made: it is turned off, GitHub does not know HEAD, or nothing is deployed. */
export type NotRecorded = 'off' | 'head' | 'not-deployed';

/** What a deploy run does, for its explanation. */
export interface DeployIntent {
  origin: CommitOrigin;
  /** Undefined if no project is used. */
  request: ReleaseIntent | undefined;
  /** What is checked without one. */
  watch: ChecksRequest | undefined;
  /** The template of the hostname that the checks may contain; undefined if there is none. */
  template: string | undefined;
  sweep: SweepIntent | undefined;
  record: {
    comment?: { number: number };
    deployment?: { environment: string };
    /** Absent with a deployment. */
    notRecorded?: NotRecorded;
  };
  /** How earlier deployments are read; its series is undefined if none is recorded. Absent: no input needs them. */
  history?: { series: object | undefined } | undefined;
  /** Where the run is recorded if it turns out to go to production; absent if that is known. */
  inProduction?: (projectId: string) => { environment: string } | undefined;
}
