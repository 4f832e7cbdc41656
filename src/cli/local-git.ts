import { existsSync, promises } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isSha } from '../contract/commit.ts';
import { clean } from '../kernel/text/safe.ts';
import { readWhole } from '../machine.ts';
import { UsageError } from './arguments.ts';

/** What the git repository of a folder says of itself. What it does not say is missing. */
export interface LocalGit {
  /** The folder that contains `.git`. */
  root: string;
  commitSha?: string | undefined;
  branch?: string | undefined;
  /** The URL of the remote `origin`, perhaps with credentials. */
  cloneUrl?: string | undefined;
}

/** The most bytes of a file of a repository: a million references have less. */
const largest = 128 * 1024 * 1024;

/**
 * A file of a repository; undefined if it can't be read.
 *
 * @throws UsageError if reading it could take forever
 */
async function readText(...names: readonly string[]): Promise<string | undefined> {
  const path = join(...names);
  // A folder has the name of a branch if another branch begins with it.
  const details = await promises.stat(path).catch(() => undefined);
  if (details === undefined || details.isDirectory()) return undefined;
  const content = await readWhole(path, largest).catch(() => undefined);
  if (typeof content !== 'string') return content?.toString('utf8');
  throw new UsageError(`${clean(path, 200)} ${content}: clone the repository again`);
}

/** The repository's folder `.git`, which a worktree or a submodule names in a file. */
async function gitFolder(root: string): Promise<string | undefined> {
  const path = join(root, '.git');
  const details = await promises.stat(path).catch(() => undefined);
  if (details?.isDirectory()) return path;
  const [, folder] = /^gitdir: (.+)$/m.exec((await readText(path)) ?? '') ?? [];
  return folder === undefined ? undefined : resolve(root, folder.trim());
}

/** The folder of a worktree's whole repository, which has its branches and its settings. */
async function commonFolder(folder: string): Promise<string> {
  const common = await readText(folder, 'commondir');
  return common === undefined ? folder : resolve(folder, common.trim());
}

/** The commit of a reference, from a file of its own or the packed ones. */
async function readReference(common: string, name: string): Promise<string | undefined> {
  const loose = (await readText(common, ...name.split('/')))?.trim();
  if (isSha(loose)) return loose;
  const packed = (await readText(common, 'packed-refs')) ?? '';
  const line = packed.split('\n').find((one) => one.slice(41).trimEnd() === name);
  const sha = line?.slice(0, 40);
  return isSha(sha) ? sha : undefined;
}

/** The URL of the remote `origin` in a repository's settings. */
export function originIn(settings: string): string | undefined {
  const [, , section] =
    /^\[(remote) "origin"\][^\S\n]*\n((?:(?!\[)[^\n]*(?:\n|$))*)/m.exec(settings) ?? [];
  const [, url] = /^[^\S\n]*url[^\S\n]*=[^\S\n]*"?([^"\s]+)"?[^\S\n]*$/m.exec(section ?? '') ?? [];
  return url;
}

/** A name of a reference that can be a path below the repository's folder. */
const referenceName = /^refs\/(?!.*\.\.)[^\s\\:]+$/;

/**
 * A name of a branch that can be a path below the repository's folder. Where references are in another format (reftable),
 * the file HEAD names the branch `.invalid`, which can't be one.
 */
const branchName = /^refs\/heads\/(?!.*\.\.|\.invalid$)([^\s\\:]+)$/;

async function readRepository(root: string, folder: string): Promise<LocalGit> {
  const head = (await readText(folder, 'HEAD'))?.trim() ?? '';
  const common = await commonFolder(folder);
  const cloneUrl = originIn((await readText(common, 'config')) ?? '');
  if (isSha(head)) return { root, cloneUrl, commitSha: head };
  const name = head.replace(/^ref: /, '');
  const [, branch] = branchName.exec(name) ?? [];
  if (branch === undefined) return { root, cloneUrl };
  return { root, cloneUrl, branch, commitSha: await readReference(common, name) };
}

/**
 * The commit of any reference of a repository.
 *
 * @param root the folder that contains `.git`
 */
export async function readGitReference(root: string, name: string): Promise<string | undefined> {
  const folder = await gitFolder(root);
  if (folder === undefined || !referenceName.test(name)) return undefined;
  return await readReference(await commonFolder(folder), name);
}

/**
 * The name of the default branch of the remote `origin`, as the clone last learned it; undefined if it never did.
 *
 * @param root the folder that contains `.git`
 */
export async function readDefaultBranch(root: string): Promise<string | undefined> {
  const folder = await gitFolder(root);
  if (folder === undefined) return undefined;
  const text = await readText(await commonFolder(folder), 'refs/remotes/origin/HEAD');
  const [, name] = /^ref: refs\/remotes\/origin\/(\S+)/.exec(text ?? '') ?? [];
  return name;
}

/**
 * The head of the default branch of the remote `origin`, as it was fetched last.
 *
 * @param root the folder that contains `.git`
 * @param branch the name of that branch; undefined: the one that it had when the clone last learned it
 */
export async function readDefaultHead(
  root: string,
  branch: string | undefined,
): Promise<string | undefined> {
  const name = branch ?? (await readDefaultBranch(root));
  return name && (await readGitReference(root, `refs/remotes/origin/${name}`));
}

/**
 * Reads the repository of a folder, or of the nearest one above. Git is not run: many of its commands run programs that
 * the repository's settings name.
 *
 * @returns undefined if there is none
 */
export async function readLocalGit(folder: string): Promise<LocalGit | undefined> {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const git = await gitFolder(root);
    if (git !== undefined) return await readRepository(root, git);
    if (dirname(root) === root) return undefined;
  }
}

/** Why a folder has no commit that can be deployed. */
export type CommitLack = 'no-repository' | 'bare' | 'other-hash' | 'no-commit' | 'unreadable';

/** What git takes for a bare repository. */
const bare = ['HEAD', 'objects', 'refs'];

/** Why {@link readLocalGit} found no commit for a folder. */
export async function readCommitLack(folder: string): Promise<CommitLack> {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const git = await gitFolder(root);
    if (git !== undefined) return await lackIn(git);
    if (bare.every((name) => existsSync(join(root, name)))) return 'bare';
    if (dirname(root) === root) return 'no-repository';
  }
}

async function lackIn(folder: string): Promise<CommitLack> {
  const settings = (await readText(await commonFolder(folder), 'config')) ?? '';
  if (/^\s*objectformat\s*=\s*sha256\s*$/im.test(settings)) return 'other-hash';
  const head = (await readText(folder, 'HEAD'))?.trim() ?? '';
  return branchName.test(head.replace(/^ref: /, '')) ? 'no-commit' : 'unreadable';
}
