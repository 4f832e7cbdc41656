import { type Dirent, existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { SafeText } from '../../kernel/text/safe.ts';
import type { GitFault } from '../model/fault.ts';
import { GitFailure, type GitTrouble, type WorkspaceLack } from '../model/git-failure.ts';
import { readRemoteAddress } from '../model/git-url.ts';
import type { Remote } from './git-environment.ts';
import { fetchCommits } from './network.ts';
import type { BringRequest, Tools } from './request.ts';
import type { Scratch } from './scratch.ts';

/** Where the commit comes from. */
export interface Source {
  /** Makes the commit and its ancestors known, by objects of our own alone. */
  history(): Promise<void>;
  /** Makes another commit and its ancestors known in the same way. @returns whether they were at hand */
  also(head: string): Promise<boolean>;
  /**
   * Gets all that a push of the commit needs.
   *
   * @param head the branch's head, whose history is known; null if there is no branch
   * @param gained how many commits the branch lacks
   */
  files(head: string | null, gained: number): Promise<void>;
}

/**
 * Takes the commit from the workspace. Whose that is, nobody knows: what is decided about history is decided on copies
 * that were named anew, and the workspace's objects are borrowed only while the commit is pushed. A false one can then
 * at worst have the push refused.
 */
class FromWorkspace implements Source {
  readonly #scratch: Scratch;
  readonly #objects: string;

  constructor(scratch: Scratch, objects: string) {
    this.#scratch = scratch;
    this.#objects = objects;
  }

  history(): Promise<void> {
    return this.#scratch.stopBorrowing();
  }

  also(head: string): Promise<boolean> {
    return this.#scratch.copyHistory(this.#objects, head);
  }

  files(): Promise<void> {
    return this.#scratch.borrow(this.#objects);
  }
}

/** Up to so many commits are fetched one by one, with all of their files; more, with the whole history. */
const fewCommits = 256;

/** A depth that git takes for "all", and that makes it fetch what belongs to a commit that is here alone. */
const infinite = 2_147_483_647;

function addressOf({ serverUrl, repository }: BringRequest['github']) {
  // Without a host of its own (act and others leave it out), the repository's owner would become the host.
  if (!URL.canParse(serverUrl)) return { problem: 'is not a URL' };
  return readRemoteAddress(`${serverUrl.replace(/\/$/, '')}/${repository}`);
}

/** Fetches the commit from GitHub, and of its files no more than the push needs. */
class FromGitHub implements Source {
  readonly #scratch: Scratch;
  readonly #tools: Tools;
  readonly #remote: Remote;
  readonly #commit: string;
  readonly #trouble: (fault: GitFault, words: SafeText) => GitTrouble;
  #has: 'nothing' | 'history' | 'everything' = 'nothing';
  /** The head from which on the files are here. */
  #since: string | undefined;

  constructor(scratch: Scratch, tools: Tools, request: BringRequest, lack: WorkspaceLack) {
    const { commit, github } = request;
    const repository = tools.clean(github.repository);
    this.#scratch = scratch;
    this.#tools = tools;
    this.#commit = commit;
    this.#trouble = (fault, words) => ({ kind: 'source', fault, repository, commit, lack, words });
    const address = addressOf(github);
    if ('problem' in address) {
      const words = tools.clean(`GITHUB_SERVER_URL ${address.problem}.`);
      throw new GitFailure(this.#trouble('refused', words));
    }
    const { url, protocol } = address;
    this.#remote = {
      name: 'github',
      url,
      protocol,
      username: 'x-access-token',
      token: github.token,
    };
  }

  async history(): Promise<void> {
    if (this.#has !== 'nothing') return;
    await this.#fetch('history', [this.#commit], { onlyHistory: true });
    const isWhole = await this.#scratch.holdsFiles(this.#commit);
    this.#has = isWhole ? 'everything' : 'history';
  }

  also(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async files(head: string | null, gained: number): Promise<void> {
    if (this.#has === 'everything' || (head !== null && head === this.#since)) return;
    if (head !== null && gained <= fewCommits) {
      const commits = await this.#scratch.missing(head, this.#commit);
      await this.#fetch('files', commits, { depth: 1 });
      await this.#scratch.forgetCuts();
      this.#since = head;
      return;
    }
    const depth = this.#has === 'history' ? { depth: infinite } : {};
    await this.#fetch('whole', [this.#commit], depth);
    this.#has = 'everything';
  }

  async #fetch(
    part: 'whole' | 'history' | 'files',
    commits: readonly string[],
    bounds: { depth?: number; onlyHistory?: boolean },
  ): Promise<void> {
    this.#tools.report({ step: 'fetch-commit', part });
    const what = { remote: this.#remote, commits, ...bounds, trouble: this.#trouble };
    await fetchCommits(this.#scratch, this.#tools, what);
  }
}

/**
 * Finds out where the commit comes from: from the workspace, if its repository holds the commit with all of its
 * history, else from GitHub.
 */
export async function findSource(
  scratch: Scratch,
  tools: Tools,
  request: BringRequest,
): Promise<Source> {
  const found = await findObjects(request.workspace);
  if ('lack' in found) return new FromGitHub(scratch, tools, request, found.lack);
  if (await scratch.copyHistory(found.folder, request.commit)) {
    return new FromWorkspace(scratch, found.folder);
  }
  return new FromGitHub(scratch, tools, request, 'another-commit');
}

/** The objects of the workspace's repository, or why they cannot be borrowed. */
export type WorkspaceObjects = { readonly folder: string } | { readonly lack: WorkspaceLack };

/** Files that say that the objects lie elsewhere, or that the repository is a part of another one. */
const elsewhere = ['objects/info/alternates', 'objects/info/http-alternates', 'commondir'];

/** Whether all that lies in a folder is as it should be; a folder that cannot be read is not. */
async function holdsOnly(
  folder: string,
  isGood: (entry: Dirent) => boolean,
  recursive = false,
): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(() => null);
  return entries?.every(isGood) ?? false;
}

async function isFolder(path: string): Promise<boolean> {
  const details = await lstat(path).catch(() => null);
  return details?.isDirectory() ?? false;
}

/**
 * Finds the objects of the repository that is checked out in the workspace. Nothing of it is run, and nothing but
 * the names of its files is read: no settings, no hooks, no references. They are borrowed only if all of them
 * surely lie in the workspace itself: no links, no borrowing on, no worktree of another repository.
 *
 * @param workspace `GITHUB_WORKSPACE`; empty: there is none
 */
export async function findObjects(workspace: string): Promise<WorkspaceObjects> {
  const repository = join(workspace, '.git');
  if (workspace === '' || !existsSync(repository)) return { lack: 'nothing' };
  const objects = join(repository, 'objects');
  const packs = join(objects, 'pack');
  for (const folder of [repository, objects, packs]) {
    if (!(await isFolder(folder))) return { lack: 'foreign' };
  }
  if (elsewhere.some((file) => existsSync(join(repository, file)))) return { lack: 'foreign' };
  if (!(await holdsOnly(objects, (entry) => entry.isDirectory()))) return { lack: 'foreign' };
  if (!(await holdsOnly(packs, (entry) => entry.isFile()))) return { lack: 'foreign' };
  const isOwn = (entry: Dirent) => entry.isFile() || entry.isDirectory();
  if (!(await holdsOnly(objects, isOwn, true))) return { lack: 'foreign' };
  if (existsSync(join(repository, 'shallow'))) return { lack: 'shallow' };
  const isWhole = await holdsOnly(packs, ({ name }) => !name.endsWith('.promisor'));
  if (!isWhole) return { lack: 'partial' };
  const folder = await realpath(objects);
  // A line break cannot be written where git reads this path.
  return folder.includes('\n') ? { lack: 'foreign' } : { folder };
}
