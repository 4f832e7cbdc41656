import { type Dirent, existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { safe } from '../../kernel/text/safe.ts';
import {
  GitFailure,
  type GitTrouble,
  type RemoteFailure,
  type WorkspaceLack,
} from '../model/git-failure.ts';
import { readRemoteAddress } from '../model/git-url.ts';
import { fetchCommits } from './network.ts';
import type { Remote } from './process.ts';
import type { PushRequest, Scratch, Tools } from './scratch.ts';

/** Where the commit comes from. */
export interface ObjectSource {
  /** Makes the commit and its ancestors available in the scratch repository, without borrowed objects. */
  history(): Promise<void>;
  /** The same for another commit. @returns false if it was not available */
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
 * Takes the commit from the workspace, which is not trusted: decisions about history use copies whose ids were computed
 * again, and the workspace's objects are borrowed only during the push. A forged object can at worst make the push fail.
 */
const fromWorkspace = (scratch: Scratch, objects: string): ObjectSource => ({
  history: () => scratch.stopBorrowing(),
  also: (head) => scratch.copyHistory(objects, head),
  files: () => scratch.borrow(objects),
});

/** Up to this many commits are fetched one by one with their files; beyond that, the whole history is fetched. */
const fewCommits = 256;

/** A depth that means "all" to git, and makes it fetch the files of commits that are here without them. */
const infinite = 2_147_483_647;

function addressOf({ serverUrl, repository, path = repository }: PushRequest['github']) {
  // Without a server URL (act and others set none), the repository's owner would be read as the host.
  if (!URL.canParse(serverUrl)) return { problem: 'is not a URL' };
  return readRemoteAddress(`${serverUrl.replace(/\/$/, '')}/${path}`);
}

/** Fetches the commit from GitHub, or the server that the CI cloned from, with only the files that the push needs. */
class FromServer implements ObjectSource {
  readonly #scratch: Scratch;
  readonly #tools: Tools;
  readonly #remote: Remote;
  readonly #commit: string;
  readonly #isClone: true | undefined;
  readonly #trouble: (failure: RemoteFailure) => GitTrouble;
  #has: 'nothing' | 'history' | 'everything' = 'nothing';
  /** The head after which all files are here. */
  #since: string | undefined;

  constructor(scratch: Scratch, tools: Tools, request: PushRequest, lack: WorkspaceLack) {
    const { commit, github } = request;
    const isClone = github.username === undefined ? undefined : true;
    const origin = isClone ? 'the remote origin' : 'the repository';
    const repository = tools.clean(github.repository || origin);
    this.#scratch = scratch;
    this.#tools = tools;
    this.#commit = commit;
    this.#isClone = isClone;
    this.#trouble = (failure) => ({
      kind: 'source',
      ...failure,
      repository,
      commit,
      lack,
      isClone,
    });
    if (isClone && github.serverUrl === '') {
      throw new GitFailure(this.#trouble({ fault: 'not-found', detail: safe`` }));
    }
    const address = addressOf(github);
    if ('problem' in address) {
      const what = isClone ? "The repository's URL" : 'GITHUB_SERVER_URL';
      const detail = tools.clean(`${what} ${address.problem}.`);
      throw new GitFailure(this.#trouble({ fault: 'refused', detail }));
    }
    const { url, protocol } = address;
    this.#remote = {
      name: 'github',
      url,
      protocol,
      username: github.username ?? 'x-access-token',
      token: github.token,
    };
  }

  async history(): Promise<void> {
    if (this.#has !== 'nothing') return;
    await this.#fetch('history', [this.#commit], { onlyHistory: true });
    const isWhole = await this.#scratch.hasFiles(this.#commit);
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
    const depth = this.#has === 'history' ? infinite : undefined;
    await this.#fetch('whole', [this.#commit], { depth });
    this.#has = 'everything';
  }

  async #fetch(
    part: 'whole' | 'history' | 'files',
    commits: readonly string[],
    bounds: { depth?: number | undefined; onlyHistory?: boolean },
  ): Promise<void> {
    this.#tools.report({ step: 'fetch-commit', part, isClone: this.#isClone });
    const what = { remote: this.#remote, commits, ...bounds, trouble: this.#trouble };
    await fetchCommits(this.#scratch, this.#tools, what);
  }
}

/**
 * Chooses where the commit comes from: the workspace, if its repository has the commit with its whole history, or else
 * the server.
 */
export async function findSource(
  scratch: Scratch,
  tools: Tools,
  request: PushRequest,
): Promise<ObjectSource> {
  const objects = await findObjects(request.workspace);
  if ('lack' in objects) return new FromServer(scratch, tools, request, objects.lack);
  if (await scratch.copyHistory(objects.folder, request.commit)) {
    return fromWorkspace(scratch, objects.folder);
  }
  return new FromServer(scratch, tools, request, 'another-commit');
}

/** Files that name objects which are stored elsewhere. */
const alternates = ['objects/info/alternates', 'objects/info/http-alternates'];

/** A pack or an object that is named by SHA-256. */
const ofOtherHash = /^(?:pack-[\da-f]{64}\.pack|[\da-f]{62})$/;

/** Whether all entries of a folder are as expected; false if it can't be read. */
async function hasOnly(
  folder: string,
  isGood: (entry: Dirent) => boolean,
  recursive = false,
): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(() => null);
  return entries?.every(isGood) ?? false;
}

/**
 * Finds the objects of the repository that is checked out in the workspace. Only file names are read: no settings, hooks
 * or references. They are used only if all of them are in the workspace itself: no links, no alternates, no worktree of
 * another repository.
 *
 * @param workspace `GITHUB_WORKSPACE`; empty: there is none
 * @returns the folder of its objects, or why it can't be used
 */
export async function findObjects(
  workspace: string,
): Promise<{ readonly folder: string } | { readonly lack: WorkspaceLack }> {
  const repository = join(workspace, '.git');
  if (workspace === '' || !existsSync(repository)) return { lack: 'nothing' };
  const objects = join(repository, 'objects');
  const packs = join(objects, 'pack');
  const isWorktree =
    (await lstat(repository)).isFile() || existsSync(join(repository, 'commondir'));
  if (isWorktree) return { lack: 'worktree' };
  for (const folder of [repository, objects, packs]) {
    const details = await lstat(folder).catch(() => null);
    if (details?.isDirectory() !== true) return { lack: 'foreign' };
  }
  if (alternates.some((file) => existsSync(join(repository, file)))) return { lack: 'borrowing' };
  if (!(await hasOnly(objects, (entry) => entry.isDirectory()))) return { lack: 'foreign' };
  if (!(await hasOnly(packs, (entry) => entry.isFile()))) return { lack: 'foreign' };
  const isOwn = (entry: Dirent) => entry.isFile() || entry.isDirectory();
  if (!(await hasOnly(objects, isOwn, true))) return { lack: 'foreign' };
  const isSha1 = await hasOnly(objects, ({ name }) => !ofOtherHash.test(name), true);
  if (!isSha1) return { lack: 'other-hash' };
  if (existsSync(join(repository, 'shallow'))) return { lack: 'shallow' };
  const isWhole = await hasOnly(packs, ({ name }) => !name.endsWith('.promisor'));
  if (!isWhole) return { lack: 'partial' };
  const folder = await realpath(objects);
  // The alternates file, where git reads this path, can't contain a line break in it.
  return folder.includes('\n') ? { lack: 'foreign' } : { folder };
}
