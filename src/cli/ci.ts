import { join } from 'node:path';
import process from 'node:process';
import envCi from 'env-ci';
import { isSha } from '../contract/commit.ts';
import type { StepEnvironment } from '../platform.ts';
import { readContext } from '../runner/runner.ts';
import { UsageError } from './arguments.ts';
import type { CiContext } from './ci-context.ts';
import { type CiTexts, cloneUrls, corrections, type Variable } from './ci-corrections.ts';
import type { LocalGit } from './local-git.ts';

/** What is read of the repository in the current folder. */
export interface Repository extends Omit<LocalGit, 'root'> {
  /** The commit of a reference, such as `refs/remotes/origin/main`. */
  readReference(name: string): Promise<string | undefined>;
}

/** A folder that can't be there, so that `env-ci` can't run git in it: a repository's settings may name programs. */
const nowhere = join(process.execPath, 'nowhere');

const variableIn =
  (environment: StepEnvironment): Variable =>
  (name) =>
    environment[name]?.trim() || undefined;

/** What GitHub tells a run. @throws UsageError if the file with its event can't be read, as in another container */
function readGitHub(environment: StepEnvironment): ReturnType<typeof readContext> {
  try {
    return readContext(environment);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new UsageError(`the file in GITHUB_EVENT_PATH can't be read (${code})`);
  }
}

/** GitHub's own event has what a run is about; its variables have the merge commit. */
function ofGitHub(environment: StepEnvironment): Partial<CiTexts> {
  const { event, runUrl, serverUrl, repository } = readGitHub(environment);
  const cloneUrl = `${serverUrl}/${repository}.git`;
  const source = event.pullRequest;
  if (source !== undefined && source.kind !== 'known') {
    // What the event does not have is not read from GitHub here. It must not count as merged code.
    const number = source.kind === 'by-number' ? { number: String(source.number) } : {};
    const { sha: commit, branch } = ('head' in source && source.head) || {};
    return { isForPullRequest: true, ...number, commit, branch, runUrl, cloneUrl };
  }
  if (source === undefined) {
    const { commit } = event;
    const branch =
      environment['GITHUB_REF_TYPE'] === 'branch' ? environment['GITHUB_REF_NAME'] : '';
    return {
      isForPullRequest: false,
      commit: commit.kind === 'commit' ? commit.sha : undefined,
      branch,
      runUrl,
      cloneUrl,
    };
  }
  const { number, sha, branch, isFork, isOpen } = source.pullRequest;
  return {
    isForPullRequest: true,
    number: String(number),
    commit: sha,
    branch,
    fromFork: isFork,
    stop: !isOpen,
    runUrl,
    cloneUrl,
  };
}

/** What the CI says, corrected; undefined outside a CI that is known. */
function readTexts(environment: StepEnvironment): (CiTexts & { name: string }) | undefined {
  const read = envCi({ env: environment, cwd: nowhere });
  const { name, service = '', isPr = false, pr } = read;
  if (name === undefined) return undefined;
  const get = variableIn(environment);
  const cloneUrl = cloneUrls[service];
  let texts: CiTexts = {
    isForPullRequest: isPr,
    commit: read.commit,
    branch: isPr ? read.prBranch : read.branch,
    number: pr === undefined ? undefined : String(pr),
    runId: read.build,
    runUrl: read.buildUrl,
    cloneUrl: cloneUrl === undefined ? undefined : get(cloneUrl),
  };
  if (service === 'github') texts = { ...texts, ...ofGitHub(environment) };
  for (const { correct } of corrections[service] ?? []) {
    texts = { ...texts, ...correct(get, texts) };
  }
  return { ...texts, name };
}

/** A full commit id; undefined for anything else, such as `HEAD`. */
function wholeCommit(text: string | undefined): string | undefined {
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

/**
 * The commit of a run. That of a pull request is its head, or unknown: what is checked out may be a merge commit, which is
 * on no branch.
 */
async function readCommit(
  { isForPullRequest, headReference, commit }: CiTexts,
  repository: Repository,
): Promise<string | undefined> {
  const head = headReference && wholeCommit(await repository.readReference(headReference));
  const known = head || wholeCommit(commit);
  return known ?? (isForPullRequest ? undefined : wholeCommit(repository.commitSha));
}

/** Leaves out what is not known. */
const known = (context: { [Field in keyof CiContext]: CiContext[Field] | undefined }): CiContext =>
  Object.fromEntries(
    Object.entries(context).filter(([, value]) => value !== undefined),
  ) as unknown as CiContext;

/**
 * Reads what a CI says of its run in the environment; outside a CI, and where it does not say it, what the repository of
 * the current folder says of itself. A pull request whose origin is not told counts as one from a fork.
 */
export async function ciContext(
  environment: StepEnvironment,
  repository: Repository,
): Promise<CiContext> {
  const texts = readTexts(environment);
  if (texts === undefined) {
    const { commitSha, branch, cloneUrl } = repository;
    return known({ service: 'git', commitSha, branch, cloneUrl });
  }
  const { name, isForPullRequest, number = '', runId, runUrl } = texts;
  return known({
    service: name,
    commitSha: await readCommit(texts, repository),
    branch: branchName(texts.branch),
    pullRequest: isForPullRequest && /^[1-9]\d{0,14}$/.test(number) ? Number(number) : undefined,
    fromFork: isForPullRequest ? (texts.fromFork ?? true) : undefined,
    runId,
    runUrl: isWebAddress(runUrl) ? runUrl : undefined,
    cloneUrl: texts.cloneUrl ?? repository.cloneUrl,
    stop: texts.stop === true ? true : undefined,
  });
}
