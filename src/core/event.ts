import { commitPattern } from '../contract/limits.ts';
import { asObject, firstString, type JsonObject } from './json.ts';

/** What the runner says of the event that started the workflow. */
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
  | { kind: 'commit'; sha: string }
  /** The event names only the pull request: GitHub must be asked for its head. */
  | { kind: 'pull-request'; number: number }
  | { kind: 'skip'; reason: 'branch-deleted' | 'pull-request-closed' }
  | { kind: 'unknown'; message: string };

const pullRequestEvents = new Set([
  'pull_request',
  'pull_request_target',
  'pull_request_review',
  'pull_request_review_comment',
]);
const noCommit = /^0{40}$/;

/** The field of the payload in which each event keeps its commit; other events use `GITHUB_SHA`. */
const payloadCommit: Readonly<Record<string, readonly [string, string]>> = {
  pull_request: ['pull_request', 'head'],
  pull_request_target: ['pull_request', 'head'],
  pull_request_review: ['pull_request', 'head'],
  pull_request_review_comment: ['pull_request', 'head'],
  workflow_run: ['workflow_run', 'head_sha'],
  merge_group: ['merge_group', 'head_sha'],
  deployment: ['deployment', 'sha'],
  deployment_status: ['deployment', 'sha'],
  check_suite: ['check_suite', 'head_sha'],
  check_run: ['check_run', 'head_sha'],
};

/** The commit of a push. For an annotated tag, `after` is the tag object, not the commit. */
function pushedCommit(payload: JsonObject): string | undefined {
  const after = firstString(payload, ['after']);
  const isTag = firstString(payload, ['ref'])?.startsWith('refs/tags/') === true;
  const headCommit = firstString(asObject(payload['head_commit']), ['id']);
  return isTag ? (headCommit ?? after) : after;
}

function shaIn(event: WorkflowEvent): string | undefined {
  if (event.name === 'push') return pushedCommit(event.payload);
  const place = payloadCommit[event.name];
  if (place === undefined) return event.sha;
  const [object, field] = place;
  const value = asObject(event.payload[object])?.[field];
  return typeof value === 'string' ? value : firstString(asObject(value), ['sha']);
}

/** True if the event is one of a pull request or a review of one (not a comment in its conversation). */
export function isPullRequest(event: WorkflowEvent): boolean {
  return pullRequestEvents.has(event.name);
}

/**
 * Decides which commit an event is about: the head of what was pushed or proposed, never the merge commit
 * that GitHub makes for a pull request.
 */
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
  const sha = shaIn(event)?.toLowerCase() ?? '';
  if (event.name === 'push' && (noCommit.test(sha) || event.payload['deleted'] === true)) {
    return { kind: 'skip', reason: 'branch-deleted' };
  }
  if (commitPattern.test(sha) && !noCommit.test(sha)) return { kind: 'commit', sha };
  return {
    kind: 'unknown',
    message: `the event ${event.name === '' ? '(none)' : `"${event.name}"`} names no commit: give commit-sha 40 hex digits, or HEAD for the head of the project's own repository`,
  };
}

/** Events whose commit is on a branch of the repository itself, or was asked for by hand. */
const mergedEvents = new Set([
  '',
  'push',
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
  'release',
]);

/**
 * True if an event's commit may replace a live site unasked. Of all other events, and of workflow runs that
 * belong to a pull request, it may not have been reviewed yet.
 */
export function isMerged({ name, payload }: WorkflowEvent): boolean {
  if (name !== 'workflow_run') return mergedEvents.has(name);
  const run = asObject(payload['workflow_run']);
  const cause = firstString(run, ['event']) ?? '?';
  const pullRequests = run?.['pull_requests'];
  return mergedEvents.has(cause) && !(Array.isArray(pullRequests) && pullRequests.length > 0);
}

/** Who started the run, as far as it decides whether secrets can be there. */
export type Trust = 'trusted' | 'fork' | 'dependabot';

/** True if a pull request's branch is one of the repository itself. */
function isOwnBranch({ payload }: WorkflowEvent): boolean {
  const pullRequest = asObject(payload['pull_request']);
  const repositoryOf = (side: string) =>
    firstString(asObject(asObject(pullRequest?.[side])?.['repo']), ['full_name']);
  const head = repositoryOf('head');
  return head !== undefined && head === repositoryOf('base');
}

/**
 * True if what a run remembers may decide what later runs skip: it acts on code of the repository itself, or on
 * a pull request from one of its own branches. The ledger of any other run is read at most.
 */
export function mayRemember(event: WorkflowEvent): boolean {
  if (trustOf(event) !== 'trusted') return false;
  if (!isPullRequest(event)) return isMerged(event);
  return isOwnBranch(event);
}

/** Tells the runs to which GitHub gives no secrets: those of forks and of Dependabot. */
export function trustOf(event: WorkflowEvent): Trust {
  if (event.actor === 'dependabot[bot]') return 'dependabot';
  const hasSecrets = !isPullRequest(event) || event.name === 'pull_request_target';
  if (hasSecrets || asObject(event.payload['pull_request']) === undefined) return 'trusted';
  return isOwnBranch(event) ? 'trusted' : 'fork';
}
