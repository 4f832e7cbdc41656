import { isSha, noCommit, type Sha } from '../../contract/commit.ts';
import {
  type CodeTrust,
  type CommitSource,
  isOfQueue,
  isOfRun,
  noCommitIn,
  type PullRequestSource,
  type QueriedSource,
  type RunEvent,
  type RunHead,
  type Starter,
  type Thread,
  type Trust,
  usesOtherHash,
} from '../../kernel/event.ts';
import { asObject, firstString, type JsonObject } from '../../kernel/json.ts';
import { clean, type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import { readPullRequest } from '../model/pull-request.ts';

/** What is known of an event of GitHub, whatever its payload, according to GitHub's documentation of events. */
type EventTraits = (
  | { starter: 'writer' | 'app' | 'anybody' }
  /** `written` is the payload's object that has the `author_association`. */
  | { starter: 'proposer' | 'speaker'; written: string }
) & {
  kind?: Exclude<RunEvent['kind'], 'other'>;
  /** Where the payload has the commit; absent: it is `GITHUB_SHA`. */
  commit?: readonly string[];
  /** Where the payload has the branch of the commit, empty for nowhere; absent: it is `GITHUB_REF_NAME`. */
  branch?: readonly string[];
  /** True if it is about no commit: `GITHUB_SHA` is only the head of the default branch. */
  hasNoCommit?: true;
  /** Where the payload has the result of what it reports. */
  result?: readonly string[];
  /** True if the commit is on a branch of the repository, or was requested manually. */
  isMerged?: true;
  /** True if the payload has the pull request whose code it is about. */
  isPullRequest?: true;
  /** True if GitHub gives no secrets to the runs of forks. */
  withholdsSecrets?: true;
};

const writer = { starter: 'writer' } as const;
const app = { starter: 'app' } as const;
const anyone = { starter: 'anybody', hasNoCommit: true } as const;
const merged = { ...writer, isMerged: true } as const;
const aside = { ...writer, hasNoCommit: true } as const;
const speaker = (written: string) => ({ starter: 'speaker', written, hasNoCommit: true }) as const;
const ofPullRequest = { isPullRequest: true, commit: ['pull_request', 'head', 'sha'] } as const;
const withholding = { ...ofPullRequest, withholdsSecrets: true } as const;
const proposer = { starter: 'proposer', written: 'pull_request' } as const;

/** Every event that can start a workflow. Anyone may trigger one that is not listed here. */
const table: Readonly<Record<string, EventTraits>> = {
  // There is no event outside a workflow, and the user has the key.
  '': merged,
  push: { ...merged, kind: 'push' },
  schedule: { ...merged, kind: 'schedule' },
  workflow_dispatch: { ...merged, kind: 'manual' },
  repository_dispatch: merged,
  release: merged,

  pull_request: { ...proposer, ...withholding },
  pull_request_target: { ...proposer, ...ofPullRequest },
  pull_request_review: { starter: 'speaker', written: 'review', ...withholding },
  pull_request_review_comment: { starter: 'speaker', written: 'comment', ...withholding },
  issue_comment: speaker('comment'),
  commit_comment: speaker('comment'),
  discussion_comment: speaker('comment'),
  issues: speaker('issue'),
  discussion: speaker('discussion'),
  gollum: anyone,
  fork: anyone,
  watch: anyone,

  check_run: {
    ...app,
    commit: ['check_run', 'head_sha'],
    branch: ['check_run', 'check_suite', 'head_branch'],
    result: ['check_run', 'conclusion'],
  },
  check_suite: {
    ...app,
    commit: ['check_suite', 'head_sha'],
    branch: ['check_suite', 'head_branch'],
    result: ['check_suite', 'conclusion'],
  },
  deployment: { ...app, commit: ['deployment', 'sha'] },
  deployment_status: {
    ...app,
    commit: ['deployment', 'sha'],
    result: ['deployment_status', 'state'],
  },
  status: { ...app, commit: ['sha'], branch: [], result: ['state'] },
  registry_package: app,

  merge_group: { ...writer, kind: 'merge-group', commit: ['merge_group', 'head_sha'] },
  branch_protection_rule: aside,
  create: writer,
  delete: writer,
  image_version: aside,
  label: aside,
  milestone: aside,
  page_build: aside,
  project: aside,
  project_card: aside,
  project_column: aside,
  public: aside,
};

/** What is known of an event; undefined for an unknown one, and for `workflow_run`, whose payload has its cause. */
export function traitsOf(name: string): EventTraits | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** What is known of an event that was on a branch or a tag. A push to a branch of a merge queue is of what it may merge. */
const traitsOn = (name: string, ref = ''): EventTraits | undefined =>
  traitsOf(name === 'push' && isOfQueue(ref) ? 'merge_group' : name);

/** An event of GitHub, as its runner reports it. */
export interface Webhook {
  /** `GITHUB_EVENT_NAME`. */
  name: string;
  /** The parsed file at `GITHUB_EVENT_PATH`; empty if there is none. */
  payload: JsonObject;
  /** `GITHUB_SHA`. */
  sha: string;
  /** `GITHUB_REF_NAME`. */
  refName: string;
  /** `GITHUB_REF_TYPE`: `branch` or `tag`. */
  refType: string;
  /** `GITHUB_ACTOR`. */
  actor: string;
}

/** An event with what is known of it. */
interface Parsed extends Webhook {
  traits: EventTraits | undefined;
  /** Undefined for any other event than `workflow_run`. */
  ended: EndedRun | undefined;
}

const isClosed = (payload: JsonObject): boolean =>
  payload['action'] === 'closed' || asObject(payload['pull_request'])?.['state'] === 'closed';

/** The completed run in the payload of `workflow_run`. */
interface EndedRun {
  /** The event that started it. */
  cause: string;
  /** What is known of that event; undefined if it is unknown, or another `workflow_run`. */
  traits: EventTraits | undefined;
  /** What it ran for; its commit is undefined if it is not one. */
  head: Omit<RunHead, 'sha'> & { sha: Sha | undefined };
  /** The owner of the repository of that commit; undefined if that is gone. */
  owner: string | undefined;
  isOnDefaultBranch: boolean;
  /** The number of the pull request that ran, if it is listed. */
  number: number | undefined;
}

/** The owner in a repository's full name. */
function ownerOf(repository: unknown): string | undefined {
  const [owner = '', ...others] =
    firstString(asObject(repository), ['full_name'])?.split('/') ?? [];
  return owner === '' || others.length === 0 ? undefined : owner;
}

const defaultBranchIn = (payload: JsonObject): string | undefined =>
  firstString(asObject(payload['repository']), ['default_branch']);

function readEndedRun(payload: JsonObject): EndedRun {
  const run = asObject(payload['workflow_run']);
  const cause = firstString(run, ['event']) ?? '';
  const branch = firstString(run, ['head_branch']);
  const commit = run?.['head_sha'];
  const idOf = (field: string) => {
    const id = asObject(run?.[field])?.['id'];
    return typeof id === 'number' ? id : undefined;
  };
  const sha = isSha(commit) ? commit : undefined;
  const sides = { headRepository: idOf('head_repository'), baseRepository: idOf('repository') };
  const listed: unknown = run?.['pull_requests'];
  const all = Array.isArray(listed) ? listed.map(readPullRequest) : [];
  const ran = sha && all.find((one) => one !== undefined && isOfRun({ sha, ...sides }, one));
  return {
    cause,
    // An empty cause is a missing one, not the empty event name that stands for runs outside a workflow.
    traits: cause === '' ? undefined : traitsOn(cause, branch),
    head: { sha, branch, ...sides },
    owner: ownerOf(run?.['head_repository']),
    isOnDefaultBranch: branch !== undefined && branch === defaultBranchIn(payload),
    number: ran?.number,
  };
}

/** True if a pull request's branch is one of the repository itself. */
function isOwnBranch(payload: JsonObject): boolean {
  const pullRequest = asObject(payload['pull_request']);
  const repositoryOf = (side: string) =>
    firstString(asObject(asObject(pullRequest?.[side])?.['repo']), ['full_name']);
  const head = repositoryOf('head');
  return head !== undefined && head === repositoryOf('base');
}

/** Who caused a run, and whose code it is about. */
type Cause = { traits: EventTraits | undefined; starter: Starter; code: CodeTrust };

function causeOf(payload: JsonObject, traits: EventTraits | undefined): Cause {
  if (traits === undefined) return { traits, starter: { kind: 'anybody' }, code: 'unknown' };
  const proposed = traits.isPullRequest && isOwnBranch(payload) ? 'own-branch' : 'unknown';
  const code = traits.isMerged ? 'merged' : proposed;
  if (!('written' in traits)) return { traits, starter: { kind: traits.starter }, code };
  const author = firstString(asObject(payload[traits.written]), ['author_association']);
  return { traits, starter: { kind: traits.starter, association: author ?? 'NONE' }, code };
}

/** The starter of a `workflow_run`: the payload has the event of the completed run, but no association. */
function starterAfter(traits: EventTraits | undefined): Starter {
  if (traits === undefined || traits.starter === 'speaker') return { kind: 'anybody' };
  if (traits.starter === 'proposer') return { kind: 'proposer', association: 'NONE' };
  return { kind: traits.starter };
}

function causeOfEnded({ traits, head, number, isOnDefaultBranch }: EndedRun): Cause {
  const isProposed = number !== undefined && !isOnDefaultBranch;
  const isOwn = head.headRepository !== undefined && head.headRepository === head.baseRepository;
  const proposed = isOwn && (traits?.isPullRequest || isProposed) ? 'own-branch' : 'unknown';
  const code = traits?.isMerged && !isProposed ? 'merged' : proposed;
  return { traits, starter: starterAfter(traits), code };
}

function trustIn({ payload, actor, traits, ended }: Parsed): Trust {
  const cause = ended === undefined ? causeOf(payload, traits) : causeOfEnded(ended);
  const { starter, code } = cause;
  const isFork =
    traits?.withholdsSecrets === true &&
    asObject(payload['pull_request']) !== undefined &&
    !isOwnBranch(payload);
  // An event that also runs for forks with secrets counts as theirs, whatever branch a single run is about.
  const isOwnProposal = starter.kind === 'proposer' && cause.traits?.withholdsSecrets === true;
  return {
    starter,
    code,
    withheld: actor === 'dependabot[bot]' ? 'dependabot' : isFork ? 'fork' : undefined,
    isOfWriters: starter.kind === 'writer' || (isOwnProposal && code === 'own-branch'),
  };
}

/** The number of the pull request in whose conversation a comment was written. */
function commentedOn({ name, payload }: Webhook): number | undefined {
  const issue = name === 'issue_comment' ? asObject(payload['issue']) : undefined;
  const number = issue?.['number'];
  const isOne = asObject(issue?.['pull_request']) !== undefined;
  return isOne && typeof number === 'number' ? number : undefined;
}

/** The value at a path of names; undefined if there is none. */
const valueAt = (payload: JsonObject, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => asObject(value)?.[name], payload);

/** Where an event has its commit, and what it has there. */
function commitIn({
  name,
  payload,
  sha,
  traits,
  ended,
}: Parsed): [commit: string | undefined, place: SafeText] {
  if (name === 'push') {
    // For an annotated tag, `after` is the tag object, not the commit.
    const after = firstString(payload, ['after']);
    const isTag = firstString(payload, ['ref'])?.startsWith('refs/tags/') === true;
    const head = firstString(asObject(payload['head_commit']), ['id']);
    return isTag
      ? [head ?? after, safe`the commit of the pushed tag`]
      : [after, safe`the pushed commit`];
  }
  if (traits?.hasNoCommit) return [sha, safe`the head of the default branch`];
  const path = ended === undefined ? traits?.commit : ['workflow_run', 'head_sha'];
  if (path === undefined) return [sha, safe`the commit of the workflow run (GITHUB_SHA)`];
  const value = valueAt(payload, path);
  const commit = typeof value === 'string' ? value : undefined;
  if (ended !== undefined) return [commit, safe`the commit of the completed run`];
  return traits?.isPullRequest
    ? [commit, safe`the head of the pull request, not GitHub's merge commit`]
    : [commit, safe`the event's ${unsafeText(path.join('.'))}`];
}

/** True if something was removed, so that there is nothing to deploy: the commit is that of another branch. */
function isRemoval({ name, payload, ended }: Parsed): boolean {
  if ((ended?.cause ?? name) === 'delete') return true;
  const { action } = payload;
  return name === 'release' && (action === 'deleted' || action === 'unpublished');
}

function commitOf(parsed: Parsed): CommitSource {
  const { name, payload, traits, ended } = parsed;
  const number = commentedOn(parsed);
  if (number !== undefined) return { kind: 'pull-request', number };
  if (traits?.isPullRequest && isClosed(payload)) {
    return { kind: 'skip', reason: 'pull-request-closed' };
  }
  const [commit, place] = commitIn(parsed);
  const sha = commit?.toLowerCase() ?? '';
  const isDeleted = name === 'push' && (sha === noCommit || payload['deleted'] === true);
  if (isDeleted || isRemoval(parsed)) return { kind: 'skip', reason: 'branch-deleted' };
  if (/^[0-9a-f]{64}$/.test(sha)) return { kind: 'unknown', message: usesOtherHash };
  if (!isSha(sha)) return noCommitIn(name);
  const isOfEvent = (ended?.traits ?? traits)?.hasNoCommit !== true;
  return { kind: 'commit', sha, place, isOfEvent };
}

/** The branch or tag of the commit. `GITHUB_REF_NAME` is the default branch where an event is about another's commit. */
function branchOf({ payload, refName, traits, ended }: Parsed): string | undefined {
  if (ended !== undefined) return ended.head.branch;
  if (traits?.branch === undefined) return refName;
  const branch = valueAt(payload, traits.branch);
  return typeof branch === 'string' ? branch : undefined;
}

/** The result that an event reports, if it is not a success. */
function reportedIn({ payload, traits, ended }: Parsed): RunEvent['reported'] {
  const path = ended === undefined ? traits?.result : ['workflow_run', 'conclusion'];
  const result = path && valueAt(payload, path);
  if (path === undefined || result === 'success') return undefined;
  return { field: path.join('.'), result: typeof result === 'string' ? result : undefined };
}

/** The pull request whose workflow run completed. */
function ofEndedRun({ cause, head, owner, number }: EndedRun): PullRequestSource | undefined {
  const { sha, branch } = head;
  if (!cause.startsWith('pull_request') || sha === undefined) return undefined;
  if (number !== undefined) return { kind: 'by-number', number, head: { ...head, sha } };
  return branch === undefined || owner === undefined
    ? { kind: 'gone' }
    : { kind: 'by-branch', owner, branch, head: { ...head, sha } };
}

function pullRequestOf(parsed: Parsed): PullRequestSource | undefined {
  const { payload, traits, ended } = parsed;
  if (traits?.isPullRequest) {
    const pullRequest = readPullRequest(payload['pull_request']);
    if (pullRequest === undefined) return { kind: 'missing' };
    return { kind: 'known', pullRequest: { ...pullRequest, isOpen: !isClosed(payload) } };
  }
  if (ended !== undefined) return ofEndedRun(ended);
  const number = commentedOn(parsed);
  return number === undefined ? undefined : { kind: 'by-number', number, head: undefined };
}

/** The pull request of the branch that a user started the run on: one of this repository, never a fork's. */
function ofManualRun({
  payload,
  sha,
  refName,
  refType,
  traits,
}: Parsed): QueriedSource | undefined {
  const repository = asObject(payload['repository']);
  const owner = ownerOf(repository);
  if (traits?.kind !== 'manual' || refType === 'tag' || owner === undefined) return undefined;
  const id = typeof repository?.['id'] === 'number' ? repository['id'] : undefined;
  if (!isSha(sha)) return undefined;
  const head = { sha, branch: refName, headRepository: id, baseRepository: id };
  return { kind: 'by-branch', owner, branch: refName, head };
}

function threadOf(payload: JsonObject): Thread | undefined {
  const issue = asObject(payload['issue']);
  const number = (issue ?? asObject(payload['pull_request']))?.['number'];
  if (typeof number !== 'number') return undefined;
  const id = (asObject(payload['comment']) ?? asObject(payload['review']))?.['id'];
  return {
    number,
    isPullRequest: issue === undefined || asObject(issue['pull_request']) !== undefined,
    commentId: id === undefined ? undefined : String(id),
  };
}

function labelOf({ name, ended }: Parsed): string {
  if (ended === undefined) return `the event "${clean(name, 60)}"`;
  const { cause } = ended;
  return `a workflow_run triggered ${cause === '' ? 'by an unnamed event' : `by "${clean(cause, 60)}"`}`;
}

/** Reads all that is asked of an event of GitHub. */
export function readWebhook(webhook: Webhook): RunEvent {
  const { name, payload } = webhook;
  const traits = traitsOn(name, firstString(payload, ['ref']));
  const ended = name === 'workflow_run' ? readEndedRun(payload) : undefined;
  const parsed: Parsed = { ...webhook, traits, ended };
  const action = payload['action'];
  return {
    kind: traits?.kind ?? 'other',
    name,
    action: typeof action === 'string' ? action : undefined,
    label: labelOf(parsed),
    trust: trustIn(parsed),
    commit: commitOf(parsed),
    reported: reportedIn(parsed),
    branch: branchOf(parsed),
    isTag: ended === undefined && traits?.branch === undefined && webhook.refType === 'tag',
    pullRequest: pullRequestOf(parsed),
    ofBranch: ofManualRun(parsed),
    thread: threadOf(payload),
    defaultBranch: defaultBranchIn(payload),
  };
}
