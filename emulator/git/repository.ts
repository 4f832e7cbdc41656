import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { git } from './git.ts';
import { type Template, templateOf, writeFiles } from './template.ts';

/** A project's bare git repository, which is written when git first needs it, and the commits that were built. */
export class Repository {
  readonly #folder: string;
  readonly #builds: string;
  readonly #signal: AbortSignal;
  readonly #template: Template;
  #isWritten = false;
  /** Commits that are known to be here: nothing is ever removed. */
  readonly #commits: Set<string>;
  readonly #built = new Map<string, Promise<string>>();
  /** When each commit came that was pushed, in milliseconds since the epoch. */
  readonly #arrivals = new Map<string, number>();

  private constructor(
    { folder, builds, signal }: { folder: string; builds: string; signal: AbortSignal },
    template: Template,
  ) {
    this.#folder = folder;
    this.#builds = builds;
    this.#signal = signal;
    this.#template = template;
    this.#commits = new Set([template.commit]);
  }

  /**
   * A repository with one commit on `main` that holds the template's files.
   * @param folder where the bare repository goes
   * @param builds the folder below which commits are built
   * @param signal ends git processes that run when it is aborted
   */
  static async create(options: {
    folder: string;
    builds: string;
    template: string;
    signal: AbortSignal;
  }): Promise<Repository> {
    const template = await templateOf(options.template);
    options.signal.throwIfAborted();
    return new Repository(options, template);
  }

  /** Writes the repository's files, unless they are there. */
  write(): void {
    if (this.#isWritten) return;
    this.#signal.throwIfAborted();
    writeFiles(this.#folder, this.#template.repository);
    this.#isWritten = true;
  }

  /**
   * Runs git in the repository, and gives what it printed.
   * @throws if git exits with a status other than 0
   */
  async git(
    args: readonly string[],
    options: { env?: Record<string, string>; input?: string } = {},
  ): Promise<string> {
    this.write();
    const signal = this.#signal;
    return await git([`--git-dir=${this.#folder}`, ...args], { ...options, signal });
  }

  /**
   * The full id of the commit that HEAD names.
   * @throws if HEAD has no commit, because its branch was deleted
   */
  async head(): Promise<string> {
    if (!this.#isWritten) return this.#template.commit;
    const found = await this.#readHead().catch(() => undefined);
    const commit = found ?? (await this.git(['rev-parse', '--verify', 'HEAD^{commit}']));
    this.#commits.add(commit);
    return commit;
  }

  /** The commit, where a plain file holds it, as it does unless somebody packs the references. */
  async #readHead(): Promise<string | undefined> {
    const head = await readFile(path.join(this.#folder, 'HEAD'), 'utf8');
    const [, branch = ''] = /^ref: (refs\/heads\/\S+)\n$/.exec(head) ?? [];
    const commit = await readFile(path.join(this.#folder, branch), 'utf8');
    return /^([\da-f]{40})\n$/.exec(commit)?.[1];
  }

  /**
   * Whether the commit is here at all (`repository`), or is HEAD or one of its ancestors (`head`).
   * @param seenAfterMs how long a pushed commit counts as missing
   */
  async has(commit: string, history: 'repository' | 'head', seenAfterMs = 0): Promise<boolean> {
    if (Date.now() - (this.#arrivals.get(commit) ?? 0) < seenAfterMs) return false;
    if (history === 'repository' && this.#commits.has(commit)) return true;
    if (history === 'repository' && (await this.#treeOf(commit)) !== undefined) return true;
    const question =
      history === 'head'
        ? ['merge-base', '--is-ancestor', commit, 'HEAD']
        : ['cat-file', '-e', `${commit}^{commit}`];
    return await this.git(question).then(
      () => true,
      () => false,
    );
  }

  /** Lets a push work, and notes when the commits came that it brought. */
  async notePush<Result>(push: () => Promise<Result>): Promise<Result> {
    const before = await this.#heads();
    const result = await push();
    const since = ['rev-list', '--branches', '--stdin'];
    const brought = await this.git(since, { input: before.map((head) => `^${head}\n`).join('') });
    for (const commit of lines(brought)) this.#arrivals.set(commit, Date.now());
    return result;
  }

  async #heads(): Promise<string[]> {
    return lines(await this.git(['for-each-ref', '--format=%(objectname)', 'refs/heads']));
  }

  /**
   * Checks a commit out and gives the folder that holds its files. A commit is built once.
   * @throws if the commit is not in the repository
   */
  build(commit: string): Promise<string> {
    const earlier = this.#built.get(commit);
    if (earlier) return earlier;
    const building = this.#checkOut(commit);
    this.#built.set(commit, building);
    // A commit that is missing today may be pushed tomorrow.
    building.catch(() => this.#built.delete(commit));
    return building;
  }

  /** The tree of a commit, where a plain file holds the commit, as it does unless it came with many others. */
  async #treeOf(commit: string): Promise<string | undefined> {
    const file = path.join(this.#folder, 'objects', commit.slice(0, 2), commit.slice(2));
    const object = await readFile(file)
      .then(inflateSync)
      .catch(() => undefined);
    return /^commit \d+\0tree ([\da-f]{40})\n/.exec(String(object))?.[1];
  }

  async #checkOut(commit: string): Promise<string> {
    const folder = path.join(this.#builds, randomUUID());
    if (commit === this.#template.commit || (await this.#treeOf(commit)) === this.#template.tree) {
      this.#signal.throwIfAborted();
      writeFiles(folder, this.#template.site);
      return folder;
    }
    await mkdir(folder, { recursive: true });
    // An index of its own, because builds run side by side.
    const index = { GIT_INDEX_FILE: `${folder}.index` };
    const checkOut = [`--work-tree=${folder}`, 'read-tree', '--reset', '-u', commit];
    await this.git(checkOut, { env: index });
    return folder;
  }
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
