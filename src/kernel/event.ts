import { isSha, type Sha } from '../contract/commit.ts';
import { traitsOf } from './event/table.ts';
import { asObject, firstString, type JsonObject } from './json.ts';

/** The event that started the workflow, as the runner reports it. */
export interface WorkflowEvent {
  /** `GITHUB_EVENT_NAME`. */
  name: string;
  /** The parsed file at `GITHUB_EVENT_PATH`; empty if there is none. */
  payload: JsonObject;
  /** `GITHUB_SHA`. */
  sha: string;
  /** `GITHUB_ACTOR`. */
  actor: string;
}

/** Where the commit to deploy comes from. */
export type CommitSource =
  | { kind: 'commit'; sha: Sha }
  /** The event names only the pull request: its head must be read from GitHub. */
  | { kind: 'pull-request'; number: number }
  | { kind: 'skip'; reason: 'branch-deleted' | 'pull-request-closed' }
  | { kind: 'unknown'; message: string };

const noCommit = /^0{40}$/;

/** Where `workflow_run`, which has no traits of its own, keeps its commit. */
const commitOfRun = ['workflow_run', 'head_sha'] as const;

/** The commit of a push. For an annotated tag, `after` is the tag object, not the commit. */
function pushedCommit(payload: JsonObject): string | undefined {
  const after = firstString(payload, ['after']);
  const isTag = firstString(payload, ['ref'])?.startsWith('refs/tags/') === true;
  const headCommit = firstString(asObject(payload['head_commit']), ['id']);
  return isTag ? (headCommit ?? after) : after;
}

function shaIn(event: WorkflowEvent): string | undefined {
  if (event.name === 'push') return pushedCommit(event.payload);
  const place = event.name === 'workflow_run' ? commitOfRun : traitsOf(event.name)?.commit;
  if (place === undefined) return event.sha;
  const [object, field] = place;
  const value = asObject(event.payload[object])?.[field];
  return typeof value === 'string' ? value : firstString(asObject(value), ['sha']);
}

/** The name of the repository's default branch; undefined if the event doesn't have it. */
export const defaultBranchOf = ({ payload }: WorkflowEvent): string | undefined =>
  firstString(asObject(payload['repository']), ['default_branch']);

/** True if the event is one of a pull request or a review of one (not a comment in its conversation). */
export function isPullRequest(event: WorkflowEvent): boolean {
  return traitsOf(event.name)?.isPullRequest === true;
}

/** The commit of an event: the pushed or proposed head, never the merge commit that GitHub makes for a pull request. */
export function commitOf(event: WorkflowEvent): CommitSource {
  if (event.name === 'issue_comment') {
    const issue = asObject(event.payload['issue']);
    const number = issue?.['number'];
    if (asObject(issue?.['pull_request']) !== undefined && typeof number === 'number') {
      return { kind: 'pull-request', number };
    }
  }
  const state = asObject(event.payload['pull_request'])?.['state'];
  if (isPullRequest(event) && (event.payload['action'] === 'closed' || state === 'closed')) {
    return { kind: 'skip', reason: 'pull-request-closed' };
  }
  const named = shaIn(event)?.toLowerCase() ?? '';
  if (event.name === 'push' && (noCommit.test(named) || event.payload['deleted'] === true)) {
    return { kind: 'skip', reason: 'branch-deleted' };
  }
  if (isSha(named) && !noCommit.test(named)) return { kind: 'commit', sha: named };
  return {
    kind: 'unknown',
    message: `the event ${event.name === '' ? '(none)' : `"${event.name}"`} has no commit: set commit-sha to a full SHA, or to HEAD for the head of the project's own repository`,
  };
}
