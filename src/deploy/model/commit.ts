import type { Commit, CommitInPart, GivenCommit, RunCommit, Sha } from '../../contract/commit.ts';
import { type Diagnostic, diagnose } from '../../kernel/diagnostic.ts';
import type { CommitSource, RunEvent } from '../../kernel/event.ts';
import { clean, safe, unsafeText } from '../../kernel/text/safe.ts';

/** The commit of a job: undefined as long as only GitHub knows it, and null if there is none. */
export type JobCommit =
  /** Nothing is deployed. */
  | { by: 'none'; is: null }
  /** Given by `commit-sha`, in whole or in part. */
  | { by: 'input'; is: Commit }
  | { by: 'part'; given: CommitInPart; is: Sha | null | undefined }
  /** Of the event, which may only name the pull request whose head it is. */
  | { by: 'event' | 'pull-request'; is: Sha | null | undefined };

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

/** True if the commit that a run deploys is its event's. */
function isOfEvent(ofEvent: CommitSource, commit: JobCommit): boolean {
  if (commit.by === 'input') return ofEvent.kind === 'commit' && commit.is === ofEvent.sha;
  if (commit.by !== 'part') return true;
  const { given } = commit;
  return given !== 'PREVIOUS' && ofEvent.kind === 'commit' && ofEvent.sha.startsWith(given.digits);
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

/** The commit as a report has it: null if there is none. @throws if only GitHub knows it */
export function knownCommitOf({ is }: JobCommit): RunCommit {
  if (is === undefined) throw new Error('a run without the commit that GitHub knows');
  return is;
}
