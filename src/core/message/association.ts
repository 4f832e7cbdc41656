import type { WorkflowEvent } from '../event.ts';
import { asObject, firstString } from '../json.ts';

/** The object of each event's payload that somebody wrote, and that may say who that was. */
const written: Readonly<Record<string, string>> = {
  issue_comment: 'comment',
  pull_request_review_comment: 'comment',
  commit_comment: 'comment',
  discussion_comment: 'comment',
  pull_request_review: 'review',
  issues: 'issue',
  discussion: 'discussion',
  pull_request: 'pull_request',
  pull_request_target: 'pull_request',
};

/** A run that another workflow's run started says no more of who had started that than the event's name. */
const isOfWritten = (payload: WorkflowEvent['payload']): boolean =>
  Object.hasOwn(written, firstString(asObject(payload['workflow_run']), ['event']) ?? '');

/** Who wrote what started a run, in GitHub's word such as `MEMBER`; undefined if nobody wrote anything. */
export function associationOf({ name, payload }: WorkflowEvent): string | undefined {
  if (name === 'workflow_run' && isOfWritten(payload)) return 'NONE';
  const field = written[name];
  if (field === undefined) return undefined;
  return firstString(asObject(payload[field]), ['author_association']) ?? 'NONE';
}

/**
 * True if somebody wrote what started the run, and may not start a turn. A run that nobody's words started, such
 * as a push or a schedule, is not held back.
 */
export function isStranger(event: WorkflowEvent, allowed: readonly string[]): boolean {
  const association = associationOf(event);
  if (association === undefined) return false;
  return !allowed.some((word) => word.toUpperCase() === association.toUpperCase());
}

/** An issue or a pull request. */
export interface Thread {
  number: number;
  isPullRequest: boolean;
  /** The id of the comment or the review that asked; undefined if it was neither. */
  commentId: string | undefined;
}

/** The issue or pull request that an event belongs to. */
export function threadOf({ payload }: WorkflowEvent): Thread | undefined {
  const issue = asObject(payload['issue']);
  const thread = issue ?? asObject(payload['pull_request']);
  const number = thread?.['number'];
  if (typeof number !== 'number') return undefined;
  const id = (asObject(payload['comment']) ?? asObject(payload['review']))?.['id'];
  return {
    number,
    isPullRequest: issue === undefined || asObject(issue['pull_request']) !== undefined,
    commentId: id === undefined ? undefined : String(id),
  };
}
