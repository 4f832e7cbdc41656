import { isSha, type Sha } from '../contract/commit.ts';
import {
  type EndedRun,
  isOfRun,
  type PullRequest,
  readEndedRun,
  readPullRequest,
  traitsOf,
  type WorkflowEvent,
} from './event.ts';
import { asObject, firstString, type JsonObject } from './json.ts';
import type { SkipReason } from './skip-reason.ts';

/** Where the commit to deploy comes from. */
export type CommitSource =
  | { kind: 'commit'; sha: Sha }
  /** The event names only the pull request: its head must be read from GitHub. */
  | { kind: 'pull-request'; number: number }
  | { kind: 'skip'; reason: Extract<SkipReason, 'branch-deleted' | 'pull-request-closed'> }
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
  const path = event.name === 'workflow_run' ? commitOfRun : traitsOf(event.name)?.commit;
  if (path === undefined) return event.sha;
  const [object, field] = path;
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

/** The pull request that an event is about, or how to read it from GitHub. */
export type PullRequestSource =
  | { kind: 'known'; pullRequest: PullRequest }
  | QueriedSource
  /** Of a run whose branch or repository is gone: it can't be found on GitHub. */
  | { kind: 'gone' };

/** A pull request that has to be read from GitHub. */
export type QueriedSource = {
  /** The commit that must be at its head; undefined if any may be. */
  sha: Sha | undefined;
  /** Its branch, if the event has it. */
  branch: string | undefined;
  /** True if a pull request that GitHub returned is the right one. */
  accepts: (found: PullRequest) => boolean;
} & (
  | { kind: 'by-number'; number: number }
  /** By its branch, in the repository of this owner. */
  | { kind: 'by-branch'; owner: string; branch: string }
);

/** The pull request whose workflow run completed. */
function ofEndedRun(run: EndedRun): PullRequestSource | undefined {
  const { cause, sha, branch, headOwner: owner, pullRequest: number } = run;
  if (!cause.startsWith('pull_request') || sha === undefined) return undefined;
  const accepts = (found: PullRequest) =>
    isOfRun(run, found) && (branch === undefined || found.branch === branch);
  if (number !== undefined) return { kind: 'by-number', number, sha, branch, accepts };
  return branch === undefined || owner === undefined
    ? { kind: 'gone' }
    : { kind: 'by-branch', owner, branch, sha, accepts };
}

/** The pull request that an event is about; undefined if there is none. */
export function pullRequestOf(event: WorkflowEvent): PullRequestSource | undefined {
  const { name, payload } = event;
  if (isPullRequest(event)) {
    const pullRequest = readPullRequest(payload['pull_request']);
    if (pullRequest === undefined) return undefined;
    const isOpen = pullRequest.isOpen && payload['action'] !== 'closed';
    return { kind: 'known', pullRequest: { ...pullRequest, isOpen } };
  }
  if (name === 'workflow_run') return ofEndedRun(readEndedRun(payload));
  if (name !== 'issue_comment') return undefined;
  const issue = asObject(payload['issue']);
  const number = issue?.['number'];
  const isOfPullRequest = asObject(issue?.['pull_request']) !== undefined;
  return isOfPullRequest && typeof number === 'number'
    ? { kind: 'by-number', number, sha: undefined, branch: undefined, accepts: () => true }
    : undefined;
}

/** The git tree of a commit, if the event has it: a push has that of its head. */
export function treeIn({ payload }: WorkflowEvent, commit: string | undefined): Sha | undefined {
  const { id, tree_id: tree } = asObject(payload['head_commit']) ?? {};
  return commit !== undefined && id === commit && isSha(tree) ? tree : undefined;
}
