import { isSha, type Sha } from '../contract/commit.ts';
import { isOfQueue } from '../kernel/event.ts';
import type { StepEnvironment } from '../platform.ts';
import { UsageError } from './arguments.ts';
import { type Ci, ciOf, type Fact, type Variable } from './cis.ts';
import type { LocalGit } from './local-git.ts';

/** What is read of the repository in the current folder. */
export interface Repository extends Partial<Omit<LocalGit, 'root'>> {
  /** The commit of a reference, such as `refs/remotes/origin/main`. */
  readReference(name: string): Promise<string | undefined>;
}

/** What the command line says of the run. */
export interface Given {
  branch?: string | undefined;
  pullRequest?: string | undefined;
  commitSha?: string | undefined;
  /** True if the preview of the pull request is to be ended. */
  close?: boolean;
}

/** The pull or merge request that a build is of. */
export interface BuiltPullRequest {
  /** By which people know it. */
  number: number;
  /** True unless its branch is known to be one of the repository itself. */
  isFork: boolean;
  /** True if the run is there to end its preview. */
  isClosed: boolean;
}

/** A build, as its CI, the command line and the repository tell. */
export interface Build {
  /** As people write it; undefined outside the known ones. */
  ci: Ci | undefined;
  /** Undefined: it is of code that is on a branch of the repository. */
  pullRequest: BuiltPullRequest | undefined;
  /** Of a pull request its head, never a merge commit. */
  commitSha: Sha | undefined;
  /** The branch of that commit. */
  branch: string | undefined;
  defaultBranch: string | undefined;
  /** What tells this run from others of the same CI. */
  runId: string | undefined;
  /** The page of this run. */
  runUrl: string | undefined;
  /** Where the repository can be cloned from, perhaps with credentials, which are to be masked. */
  cloneUrl: string | undefined;
}

/** What the CI of a build tells that it is of; `nothing` if it can't, or is not known. */
type Reported = NonNullable<ReturnType<Ci['kind']>> | 'nothing';

/** A build and its CI, if that is known. */
interface Here {
  environment: StepEnvironment;
  get: Variable;
  ci: Ci | undefined;
  reported: Reported;
}

/**
 * Describes a build by the command line, its CI, and the repository of the folder, in this order.
 *
 * @throws UsageError if it is not known whether it is of a pull request, or of which
 */
export async function readBuild(
  environment: StepEnvironment,
  repository: Repository,
  given: Given,
  isAtTerminal: boolean,
): Promise<Build> {
  const get: Variable = (name) => environment[name]?.trim() || undefined;
  if ((get('GITHUB_ACTIONS') ?? get('GITEA_ACTIONS') ?? get('FORGEJO_ACTIONS')) !== undefined) {
    throw new UsageError(
      'in workflows of GitHub, Gitea and Forgejo, use the action, which knows their events',
    );
  }
  const ci = ciOf(get);
  const here: Here = { environment, get, ci, reported: reportedBy(ci, get) };
  const close = given.close === true;
  const pullRequest = findPullRequest(here, given.pullRequest, isAtTerminal);
  if (close && pullRequest === undefined) {
    throw new UsageError('--close needs --pull-request NUMBER, because no CI reports one');
  }
  const code = await readCode(here, pullRequest?.isFork === true, repository, close);
  const page = factOf(ci?.run.page, get);
  return {
    ci,
    pullRequest: pullRequest && { ...pullRequest, isClosed: close || here.reported === 'closed' },
    commitSha: wholeCommit(given.commitSha) ?? wholeCommit(code.commit),
    branch: given.branch ?? branchName(code.branch),
    defaultBranch: branchName(factOf(ci?.defaultBranch, get)),
    runId: factOf(ci?.run.id, get),
    runUrl: isWebAddress(page) ? page : undefined,
    cloneUrl: factOf(ci?.clone, get) ?? repository.cloneUrl,
  };
}

/** What a CI reports. Its branch or commit may be one that is not merged: somebody built `pull/12/head` by hand. */
function reportedBy(ci: Ci | undefined, get: Variable): Reported {
  const reported = ci?.kind(get) ?? 'nothing';
  const built = [factOf(ci?.merged.branch, get), factOf(ci?.merged.commit, get)];
  return reported === 'merged' && built.some((ref = '') => isProposed(ref)) ? 'nothing' : reported;
}

const unclear =
  'It isn\'t clear whether this build is of a pull request. Add --pull-request with your CI\'s variable for it, such as --pull-request "$TRAVIS_PULL_REQUEST", or --pull-request none if it is of none.';

/**
 * Finds the pull request that a build is of; undefined if it is of code on a branch of the repository. It counts as merged code only if the entry of its CI says so, or if a
 * person does, and nothing speaks against it.
 *
 * @param flag `--pull-request`
 * @param isAtTerminal true if a person may be there
 * @throws UsageError if nobody can tell
 */
function findPullRequest(
  { environment, get, ci, reported }: Here,
  flag: string | undefined,
  isAtTerminal: boolean,
): Omit<BuiltPullRequest, 'isClosed'> | undefined {
  const number = readNumber(flag);
  if (ci !== undefined && (reported === 'pull-request' || reported === 'closed')) {
    const known = numberIn(factOf(ci.pullRequest.number, get)) ?? number;
    if (known === undefined) {
      throw new UsageError(
        'the CI reports a pull request without a number: set --pull-request NUMBER',
      );
    }
    return { number: known, isFork: ci.pullRequest.isFork(get) };
  }
  const sign = signOfPullRequest(environment);
  // A CI vouches for code on a branch of the repository, and a person for what is checked out.
  const isPerson = isAtTerminal && !isInCi(environment) && sign === undefined;
  const isTrusted = reported === 'merged' || isPerson;
  if (number !== undefined) return { number, isFork: !isTrusted };
  if (isTrusted) return undefined;
  if (flag === undefined) throw new UsageError(unclear);
  if (sign === undefined) return undefined;
  throw new UsageError(
    `--pull-request is none, but ${sign} is set as in a build of a pull request: set its number`,
  );
}

/** The commit and the branch of a build: of a pull request its head, which is unknown unless its CI tells it. */
async function readCode(
  { get, ci, reported }: Here,
  isFork: boolean,
  repository: Repository,
  close: boolean,
): Promise<{ commit?: string | undefined; branch?: string | undefined }> {
  // Only the number of what it closes is known: the build is of other code.
  if (close && reported !== 'pull-request' && reported !== 'closed') return {};
  if (ci === undefined || reported === 'nothing') {
    return isFork ? {} : { commit: repository.commitSha, branch: repository.branch };
  }
  if (reported === 'merged') {
    const commit = wholeCommit(factOf(ci.merged.commit, get)) ?? repository.commitSha;
    return { commit, branch: factOf(ci.merged.branch, get) };
  }
  const { head, headReference, branch } = ci.pullRequest;
  const reference = factOf(headReference, get);
  const referred = reference && wholeCommit(await repository.readReference(reference));
  return { commit: referred || factOf(head, get), branch: factOf(branch, get) };
}

/** The number that the flag has; undefined if it is absent, or none. */
function readNumber(flag: string | undefined): number | undefined {
  const text = flag?.trim();
  if (text === undefined || /^(none|false)$/i.test(text)) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(
    text === ''
      ? '--pull-request is empty: set it to a number, or to none'
      : '--pull-request must be a number, or none',
  );
}

/** A value of a variable that is for no pull request. */
const isNo = (value: string): boolean => /^(|0|false|none|null|undefined)$/i.test(value.trim());

/** A reference to what is proposed, or several at once: Prow writes `main:SHA,12:SHA,13:SHA`. */
const proposedRef =
  /^(refs\/(heads\/)?)?(pulls?|pr|pullreq|merge-requests|pull-requests|changes)[/-]\d|^[^,\s]+,\d+:/i;

/** True of a reference to what is proposed, or to what a merge queue builds. */
const isProposed = (ref: string): boolean => proposedRef.test(ref) || isOfQueue(ref);

/** Variables that are no sign: our own inputs, what was built before, and GitLab's list for a branch. */
const noSign = /^SITE_|_PREV_|^CI_OPEN_MERGE_REQUESTS$/;

/** Names of variables of builds of pull requests, in any CI. */
const signName =
  /pull_?request|merge_?request|(^|_)((pr|mr|review|patchset)|(pr|mr|pull|review|patchset)_(i?id|key|num|number|url|username|sha|\w*branch))$|^(change|diff)_id$|gerrit_change|^ghprb/i;

/**
 * The name of a variable by which an environment looks like that of a build of a pull request, whatever the CI: by its
 * own name, or by a value such as `refs/pull/12/merge` or `pull_request_target`.
 */
function signOfPullRequest(environment: StepEnvironment): string | undefined {
  const isSign = (name: string, value: string) =>
    signName.test(name) || isProposed(value) || /^(pull|merge)[-_]?request/i.test(value);
  const found = Object.entries(environment).find(
    ([name, value = '']) => !noSign.test(name) && !isNo(value) && isSign(name, value.trim()),
  );
  return found?.[0];
}

/** True if something looks like a CI, where nobody may decide by being there. */
const isInCi = (environment: StepEnvironment): boolean =>
  Object.entries(environment).some(
    ([name, value = '']) =>
      !isNo(value) &&
      /^(CI|CI_.+|CONTINUOUS_INTEGRATION|(.+_)?(BUILD|JOB|PIPELINE|WORKFLOW)_?(ID|NUM|NUMBER|COUNTER|URL)|TEAMCITY_.+|bamboo_.+|ATC_.+|NETLIFY|VERCEL|RENDER|CF_PAGES|TF_BUILD)$/i.test(
        name,
      ),
  );

/** The value of a fact. */
const factOf = (fact: Fact | undefined, get: Variable): string | undefined =>
  typeof fact === 'string' ? get(fact) : fact?.(get);

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;

/** A full commit id; undefined for anything else, such as `HEAD`. */
function wholeCommit(text: string | undefined): Sha | undefined {
  const lower = text?.trim().toLowerCase();
  return isSha(lower) ? lower : undefined;
}

/** The name of a branch; undefined for another reference, as of a tag. */
function branchName(text: string | undefined): string | undefined {
  const name = text?.trim().replace(/^refs\/heads\//, '');
  return name === '' || name === 'HEAD' || name?.startsWith('refs/') === true ? undefined : name;
}

const isWebAddress = (text: string | undefined): boolean =>
  /^https?:$/.test(URL.parse(text ?? '')?.protocol ?? '');
