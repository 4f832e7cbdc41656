import { isSha, type Sha } from '../contract/commit.ts';
import { asObject, firstString, type JsonObject } from './json.ts';

/**
 * Who can trigger an event, according to GitHub's documentation of events:
 * - `writer`: only users with write access, or a schedule.
 * - `app`: an app or a writer, by a report about a commit, which may be anyone's.
 * - `proposer`: the author of a pull request.
 * - `speaker`: the author of an issue, a comment, a review or a discussion.
 * - `anybody`: anyone, and the payload has no author association.
 */
export type StarterKind = 'writer' | 'app' | 'proposer' | 'speaker' | 'anybody';

/** What is known of an event, whatever its payload. */
export type EventTraits = (
  | { starter: 'writer' | 'app' | 'anybody' }
  /** `written` is the payload's object that has the `author_association`. */
  | { starter: 'proposer' | 'speaker'; written: string }
) & {
  /** The payload's object and field with the commit; absent: it is `GITHUB_SHA`. */
  commit?: readonly [object: string, field: string];
  /** True if the commit is on a branch of the repository, or was requested manually. */
  isMerged?: true;
  /** True if the payload has the pull request whose code it is about. */
  isPullRequest?: true;
  /** True if GitHub gives no secrets to the runs of forks. */
  withholdsSecrets?: true;
};

const writer = { starter: 'writer' } as const;
const app = { starter: 'app' } as const;
const anyone = { starter: 'anybody' } as const;
const merged = { ...writer, isMerged: true } as const;
const speaker = (written: string) => ({ starter: 'speaker', written }) as const;
const ofPullRequest = { isPullRequest: true, commit: ['pull_request', 'head'] } as const;
const withholding = { ...ofPullRequest, withholdsSecrets: true } as const;
const proposer = { starter: 'proposer', written: 'pull_request' } as const;

/** Every event that can start a workflow. Anyone may trigger one that is not listed here. */
const table: Readonly<Record<string, EventTraits>> = {
  // Outside GitHub there is no event, and the user has the key.
  '': merged,
  push: merged,
  schedule: merged,
  workflow_dispatch: merged,
  repository_dispatch: merged,
  release: merged,

  pull_request: { ...proposer, ...withholding },
  pull_request_target: { ...proposer, ...ofPullRequest },
  pull_request_review: { ...speaker('review'), ...withholding },
  pull_request_review_comment: { ...speaker('comment'), ...withholding },
  issue_comment: speaker('comment'),
  commit_comment: speaker('comment'),
  discussion_comment: speaker('comment'),
  issues: speaker('issue'),
  discussion: speaker('discussion'),
  gollum: anyone,
  fork: anyone,
  watch: anyone,

  check_run: { ...app, commit: ['check_run', 'head_sha'] },
  check_suite: { ...app, commit: ['check_suite', 'head_sha'] },
  deployment: { ...app, commit: ['deployment', 'sha'] },
  deployment_status: { ...app, commit: ['deployment', 'sha'] },
  status: app,
  registry_package: app,

  merge_group: { ...writer, commit: ['merge_group', 'head_sha'] },
  branch_protection_rule: writer,
  create: writer,
  delete: writer,
  image_version: writer,
  label: writer,
  milestone: writer,
  page_build: writer,
  project: writer,
  project_card: writer,
  project_column: writer,
  public: writer,
};

/** What is known of an event; undefined for an unknown one, and for `workflow_run`, whose payload has its cause. */
export function traitsOf(name: string): EventTraits | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

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

/** The completed run in the payload of `workflow_run`. */
export interface EndedRun {
  /** The event that started it. */
  cause: string;
  /** What is known of that event; undefined if it is unknown, or another `workflow_run`. */
  traits: EventTraits | undefined;
  /** The commit that it ran for. */
  sha: Sha | undefined;
  /** GitHub's number of the repository of that commit; undefined if that is gone. */
  headRepository: number | undefined;
  /** GitHub's number of the repository in which it ran. */
  repository: number | undefined;
  /** The branch of that commit, if the payload has it. */
  branch: string | undefined;
  /** The owner of the repository of that commit; undefined if that is gone. */
  headOwner: string | undefined;
  isOnDefaultBranch: boolean;
  /** The number of the pull request that ran, if it is listed. */
  pullRequest: number | undefined;
}

type Sides = Pick<EndedRun, 'sha' | 'headRepository' | 'repository'>;

function idOf(repository: unknown): number | undefined {
  const id = asObject(repository)?.['id'];
  return typeof id === 'number' ? id : undefined;
}

/**
 * True if a pull request is the one that ran: its head and both of its repositories are the run's. The number alone is
 * not enough, because GitHub lists pull requests of other repositories too; nor is the commit, which forks share.
 */
export function isOfRun(
  { sha: commit, headRepository, repository }: Sides,
  one: PullRequest,
): boolean {
  return (
    commit !== undefined &&
    headRepository !== undefined &&
    repository !== undefined &&
    one.sha === commit &&
    one.headRepository === headRepository &&
    one.baseRepository === repository
  );
}

/** The owner in a repository's full name. */
function ownerOf(repository: unknown): string | undefined {
  const [owner = '', ...others] =
    firstString(asObject(repository), ['full_name'])?.split('/') ?? [];
  return owner === '' || others.length === 0 ? undefined : owner;
}

function findListed(run: JsonObject | undefined, sides: Sides): number | undefined {
  const listed: unknown = run?.['pull_requests'];
  const all = Array.isArray(listed) ? listed.map(readPullRequest) : [];
  return all.find((one) => one !== undefined && isOfRun(sides, one))?.number;
}

/** Reads the payload of a `workflow_run`. */
export function readEndedRun(payload: JsonObject): EndedRun {
  const run = asObject(payload['workflow_run']);
  const cause = firstString(run, ['event']) ?? '';
  const branch = firstString(run, ['head_branch']);
  const head = run?.['head_sha'];
  const sides: Sides = {
    sha: isSha(head) ? head : undefined,
    headRepository: idOf(run?.['head_repository']),
    repository: idOf(run?.['repository']),
  };
  return {
    ...sides,
    cause,
    branch,
    headOwner: ownerOf(run?.['head_repository']),
    // An empty cause is a missing one, not the empty event name that stands for runs outside GitHub.
    traits: cause === '' ? undefined : traitsOf(cause),
    isOnDefaultBranch:
      branch !== undefined &&
      branch === firstString(asObject(payload['repository']), ['default_branch']),
    pullRequest: findListed(run, sides),
  };
}

/** A pull request, as far as a preview needs it. */
export interface PullRequest {
  number: number;
  /** The name of its branch, which others chose. */
  branch: string;
  /** The commit at its head. */
  sha: Sha;
  isOpen: boolean;
  /** True if its branch is in another repository, or that is gone. */
  isFork: boolean;
  /** GitHub's numbers of the repositories of its branch and of its base; undefined where one is gone. */
  headRepository: number | undefined;
  baseRepository: number | undefined;
}

/** Reads a pull request from GitHub's API or an event; undefined if a field is missing. */
export function readPullRequest(value: unknown): PullRequest | undefined {
  const object = asObject(value);
  const head = asObject(object?.['head']);
  const number = object?.['number'];
  const commit = head?.['sha'];
  const branch = firstString(head, ['ref']);
  if (typeof number !== 'number' || !isSha(commit) || branch === undefined) return undefined;
  const repositoryOf = (side: string) => asObject(asObject(object?.[side])?.['repo']);
  const nameOf = (side: string) => firstString(repositoryOf(side), ['full_name']);
  const idOf = (side: string) => {
    const id = repositoryOf(side)?.['id'];
    return typeof id === 'number' ? id : undefined;
  };
  return {
    number,
    branch,
    sha: commit,
    isOpen: object?.['state'] !== 'closed',
    isFork: nameOf('head') === undefined || nameOf('head') !== nameOf('base'),
    headRepository: idOf('head'),
    baseRepository: idOf('base'),
  };
}
