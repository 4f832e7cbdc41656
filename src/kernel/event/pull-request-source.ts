import type { Sha } from '../../contract/commit.ts';
import { isPullRequest, type WorkflowEvent } from '../event.ts';
import { asObject } from '../json.ts';
import { type PullRequest, readPullRequest } from '../pull-request.ts';
import { type EndedRun, isOfRun, readEndedRun } from './workflow-run.ts';

/** The pull request that an event is about, or how to read it from GitHub. */
export type PullRequestSource =
  | { kind: 'known'; pullRequest: PullRequest }
  | AskedSource
  /** Of a run whose branch or repository is gone: it can't be found on GitHub. */
  | { kind: 'gone' };

/** A pull request that has to be read from GitHub. */
export type AskedSource = {
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
