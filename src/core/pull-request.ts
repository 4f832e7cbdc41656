import { isPullRequest, type WorkflowEvent } from './event.ts';
import { asObject, firstString, type JsonObject } from './json.ts';

/** A pull request, as far as a preview needs it. */
export interface PullRequest {
  number: number;
  /** The name of its branch, which others chose. */
  branch: string;
  /** The commit at its head. */
  sha: string;
  isOpen: boolean;
  /** True if its branch is in another repository, or that is gone. */
  isFork: boolean;
}

/** The pull request that an event is about, or how GitHub can be asked for it. */
export type PullRequestSource =
  | { kind: 'known'; pullRequest: PullRequest }
  | { kind: 'by-number'; number: number }
  | { kind: 'by-commit'; sha: string };

/** Reads a pull request as GitHub's API and its events show it; undefined if it lacks what is needed. */
export function readPullRequest(value: unknown): PullRequest | undefined {
  const object = asObject(value);
  const head = asObject(object?.['head']);
  const number = object?.['number'];
  const sha = firstString(head, ['sha']);
  const branch = firstString(head, ['ref']);
  if (typeof number !== 'number' || sha === undefined || branch === undefined) return undefined;
  const repositoryOf = (side: string) =>
    firstString(asObject(asObject(object?.[side])?.['repo']), ['full_name']);
  const isFork =
    repositoryOf('head') === undefined || repositoryOf('head') !== repositoryOf('base');
  return { number, branch, sha, isOpen: object?.['state'] !== 'closed', isFork };
}

/** A pull request whose checks, run with secrets by a second workflow, are over. */
function ofWorkflowRun(run: JsonObject | undefined): PullRequestSource | undefined {
  const cause = firstString(run, ['event']) ?? '';
  const sha = firstString(run, ['head_sha']);
  if (!cause.startsWith('pull_request') || sha === undefined) return undefined;
  const listed = run?.['pull_requests'];
  const number = Array.isArray(listed) ? asObject(listed[0])?.['number'] : undefined;
  return typeof number === 'number' ? { kind: 'by-number', number } : { kind: 'by-commit', sha };
}

/** Finds the pull request that an event is about; undefined if it is about none. */
export function pullRequestOf(event: WorkflowEvent): PullRequestSource | undefined {
  const { name, payload } = event;
  if (isPullRequest(event)) {
    const pullRequest = readPullRequest(payload['pull_request']);
    if (pullRequest === undefined) return undefined;
    const isOpen = pullRequest.isOpen && payload['action'] !== 'closed';
    return { kind: 'known', pullRequest: { ...pullRequest, isOpen } };
  }
  if (name === 'workflow_run') return ofWorkflowRun(asObject(payload['workflow_run']));
  if (name !== 'issue_comment') return undefined;
  const issue = asObject(payload['issue']);
  const number = issue?.['number'];
  const isOfPullRequest = asObject(issue?.['pull_request']) !== undefined;
  return isOfPullRequest && typeof number === 'number' ? { kind: 'by-number', number } : undefined;
}
