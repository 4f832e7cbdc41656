import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { git } from '../../git/git.ts';
import { Repository } from '../../git/repository.ts';
import { addParagraph } from './page.ts';

/** The page that turns change. */
const pageName = 'index.html';

/** How often a change is made anew because somebody else moved HEAD. */
const maxAttempts = 20;

const author = {
  GIT_AUTHOR_NAME: 'Site Assistant',
  GIT_AUTHOR_EMAIL: 'assistant@example.invalid',
  GIT_COMMITTER_NAME: 'Site Assistant',
  GIT_COMMITTER_EMAIL: 'assistant@example.invalid',
};

/** Where a project's repository goes, and what it starts with. */
export interface RepositoryPlace {
  readonly id: string;
  /** The emulator's folder of temporary files. */
  readonly root: string;
  readonly template: string;
  /** Ends git processes that run when it is aborted. */
  readonly signal: AbortSignal;
}

/** A project's repository, made from the template when it is first needed. */
export class ProjectRepository {
  readonly #place: RepositoryPlace;
  readonly #folder: string;
  #made: Promise<Repository> | null = null;

  constructor(place: RepositoryPlace) {
    this.#place = place;
    this.#folder = path.join(place.root, 'git', `${place.id}.git`);
  }

  /** The repository itself, once it is there. */
  ready(): Promise<Repository> {
    const { id, root, template, signal } = this.#place;
    const builds = path.join(root, 'builds', id);
    this.#made ??= Repository.create({ folder: this.#folder, builds, template, signal });
    return this.#made;
  }

  /** See {@link Repository.head}. */
  async head(): Promise<string> {
    return await (await this.ready()).head();
  }

  /** See {@link Repository.has}. */
  async has(...asked: Parameters<Repository['has']>): Promise<boolean> {
    return await (await this.ready()).has(...asked);
  }

  /** See {@link Repository.build}. */
  async build(commit: string): Promise<string> {
    return await (await this.ready()).build(commit);
  }

  /**
   * Adds a paragraph to the first page of HEAD, commits that, and gives the commit. A push that comes in between
   * is kept: the change is then made anew on top of it.
   * @throws if HEAD names no commit or cannot be moved
   */
  async addToPage(paragraph: string, message: string): Promise<string> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const parent = await this.head();
      const commit = await this.#commitPage(parent, paragraph, message);
      if (await this.#moveHead(parent, commit)) return commit;
    }
    throw new Error('HEAD cannot be moved');
  }

  async #commitPage(parent: string, paragraph: string, message: string): Promise<string> {
    const { root, signal } = this.#place;
    const before = path.join(await this.build(parent), pageName);
    const page = await readFile(before, 'utf8').catch(() => '');
    await using work = await mkdtempDisposable(path.join(root, 'turn-'));
    await writeFile(path.join(work.path, pageName), addParagraph(page, paragraph));
    // The work tree holds the page alone, so the index starts with all of the parent's files.
    const where = ['-C', work.path, `--git-dir=${this.#folder}`, `--work-tree=${work.path}`];
    const env = { ...author, GIT_INDEX_FILE: path.join(work.path, 'index') };
    const run = (...args: string[]) => git([...where, ...args], { env, signal });
    await run('read-tree', parent);
    await run('add', '--', pageName);
    const tree = await run('write-tree');
    return await run('commit-tree', tree, '-p', parent, '-m', message);
  }

  async #moveHead(from: string, to: string): Promise<boolean> {
    const { signal } = this.#place;
    const move = [`--git-dir=${this.#folder}`, 'update-ref', 'HEAD', to, from];
    return await git(move, { signal }).then(
      () => true,
      () => false,
    );
  }
}
