import type { WorkflowEvent } from '../../kernel/event.ts';
import { asObject } from '../../kernel/json.ts';

/** An issue or a pull request. */
export interface Thread {
  number: number;
  isPullRequest: boolean;
  /** The id of the comment or review that triggered the run; undefined if there is none. */
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
