import type { Sha } from '../contract/commit.ts';
import type { SkipReason } from './skip-reason.ts';
import type { SafeText } from './text/safe.ts';

/**
 * Who can start a run by an event:
 * - `writer`: only users with write access, or a schedule.
 * - `app`: an app or a writer, by a report about a commit, which may be anyone's.
 * - `proposer`: the author of a pull request.
 * - `speaker`: the author of an issue, a comment, a review or a discussion.
 * - `anybody`: anyone, and the event doesn't have their association with the repository.
 */
type StarterKind = 'writer' | 'app' | 'proposer' | 'speaker' | 'anybody';

/** Who may have started a run. */
export type Starter =
  | { kind: Exclude<StarterKind, 'proposer' | 'speaker'> }
  /** `association` is GitHub's `author_association`, such as `MEMBER`; `NONE` if it is not known. */
  | { kind: 'proposer' | 'speaker'; association: string };

/**
 * Whose code a run is about: `merged` is on a branch of the repository, or was requested manually; `own-branch` is
 * proposed from a branch of the repository, to which only its writers push; `unknown` may be anyone's.
 */
export type CodeTrust = 'merged' | 'own-branch' | 'unknown';

/** How far a run can be trusted. Every decision that depends on who started it uses this. */
export interface Trust {
  starter: Starter;
  code: CodeTrust;
  /** Why the run may get no secrets; undefined if it gets them. */
  withheld: Extract<SkipReason, 'fork' | 'dependabot'> | undefined;
  /** True if only the repository's writers can have caused the run and written its workspace. */
  isOfWriters: boolean;
}

/** True of a branch with what a merge queue may merge: GitHub's, Mergify's, Trunk's, Graphite's. */
export const isOfQueue = (ref: string): boolean =>
  /^(refs\/(heads\/)?)?(gh-readonly-queue\/|mergify\/merge-queue\/|trunk-merge\/|gtmq_)/i.test(ref);

/**
 * True if a run may save a ledger, which decides what later runs skip: it has secrets, and deploys code of the
 * repository's writers. Any other run at most reads the ledger.
 */
export const maySaveLedger = ({ withheld, code }: Trust): boolean =>
  withheld === undefined && code !== 'unknown';

/** The commit to deploy: the pushed or proposed head, never the merge commit that is made for a pull request. */
export type CommitSource =
  /**
   * `place` says where the event has it, as the end of a sentence. If it is not of the event, it is the head of the default
   * branch, and the event is about no commit.
   */
  | { kind: 'commit'; sha: Sha; place: SafeText; isOfEvent: boolean }
  /** The event names only the pull request: its head must be read from GitHub. */
  | { kind: 'pull-request'; number: number }
  | { kind: 'skip'; reason: Extract<SkipReason, 'branch-deleted' | 'pull-request-closed'> }
  | { kind: 'unknown'; message: string };

/** What is said where no commit is known. */
export const noCommitIn = (event: string): CommitSource => ({
  kind: 'unknown',
  message: `the event ${event === '' ? '(none)' : `"${event}"`} has no commit: set commit-sha to a full SHA, or to HEAD for the head of the project's own repository`,
});

/** What is said of a repository whose commits are named by SHA-256. */
export const usesOtherHash =
  "this repository uses SHA-256, and projects are SHA-1 repositories. Deploy from a SHA-1 repository, or set commit-sha to HEAD to deploy what the project's repository has";

/** A pull request, as far as a preview needs it. */
export interface PullRequest {
  number: number;
  /** The name of its branch, which others chose; empty if that is not known. */
  branch: string;
  /** The commit at its head; undefined if that is not known. */
  sha: Sha | undefined;
  isOpen: boolean;
  /** True if its branch is in another repository, or that is gone. */
  isFork: boolean;
  /** GitHub's numbers of the repositories of its branch and of its base; undefined where one is gone. */
  headRepository: number | undefined;
  baseRepository: number | undefined;
}

/** A pull request as far as a run knows it: what only GitHub knows is undefined. */
export interface KnownPull extends Pick<PullRequest, 'sha' | 'isOpen'> {
  number: number | undefined;
  branch: string | undefined;
  isFork: boolean | undefined;
}

/** What a run ran for, by which its pull request is recognized. */
export type RunHead = Pick<PullRequest, 'sha' | 'headRepository' | 'baseRepository'> & {
  /** Undefined if it is gone. */
  branch: string | undefined;
};

/** A pull request that has to be read from GitHub. */
export type QueriedSource =
  /** `head` is undefined if any pull request of this number is the right one. */
  | { kind: 'by-number'; number: number; head: RunHead | undefined }
  /** By its branch, in the repository of this owner. */
  | { kind: 'by-branch'; owner: string; branch: string; head: RunHead };

/** The pull request that an event is about, or how to read it from GitHub. */
export type PullRequestSource =
  | { kind: 'known'; pullRequest: PullRequest }
  | QueriedSource
  /** Of a run whose branch or repository is gone: it can't be found on GitHub. */
  | { kind: 'gone' }
  /** The event is one of a pull request, and does not have it. */
  | { kind: 'missing' };

/**
 * True if a pull request is the one that ran: its head and both of its repositories are the run's. The number alone is
 * not enough, because GitHub lists pull requests of other repositories too; nor is the commit, which forks share.
 */
export const isOfRun = (
  { sha, headRepository, baseRepository }: Omit<RunHead, 'branch'>,
  one: PullRequest,
): boolean =>
  headRepository !== undefined &&
  baseRepository !== undefined &&
  one.sha === sha &&
  one.headRepository === headRepository &&
  one.baseRepository === baseRepository;

/** True if a pull request that GitHub returned is the right one. */
export const isQueried = ({ head }: QueriedSource, found: PullRequest): boolean =>
  head === undefined ||
  (isOfRun(head, found) && (head.branch === undefined || head.branch === found.branch));

/** An issue or a pull request. */
export interface Thread {
  number: number;
  isPullRequest: boolean;
  /** The id of the comment or review that triggered the run; undefined if there is none. */
  commentId: string | undefined;
}

/** What started a run: facts that its platform has read, and no payload. */
export interface RunEvent {
  /** Which kind of run decides something, or has words of its own. */
  kind: 'push' | 'schedule' | 'manual' | 'merge-group' | 'other';
  /** As the platform calls it, such as `pull_request`; empty if there is none. */
  name: string;
  /** What happened to its subject, such as `closed`, if the platform says so. */
  action: string | undefined;
  /** Names it in a sentence. */
  label: string;
  trust: Trust;
  commit: CommitSource;
  /**
   * The result of what it reports, such as a completed run, if that is not a success: the payload's field, and its value,
   * undefined if there is none yet.
   */
  reported: { field: string; result: string | undefined } | undefined;
  /** The branch or tag of its commit; undefined if that is not known. */
  branch: string | undefined;
  /** True if that is a tag. */
  isTag: boolean;
  /** Undefined if it is about none. */
  pullRequest: PullRequestSource | undefined;
  /** How to find the pull request of its branch, of a run that a user started by hand on one. */
  ofBranch: QueriedSource | undefined;
  /** The issue or pull request that it belongs to. */
  thread: Thread | undefined;
  /** The repository's default branch, if it is known. */
  defaultBranch: string | undefined;
}
