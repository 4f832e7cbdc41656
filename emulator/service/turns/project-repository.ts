import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Repository } from '../../git/repository.ts';
import { addParagraph } from './page.ts';

/** The page that turns change. */
const pageName = 'index.html';

/** How often a change is made anew because somebody else moved HEAD. */
const maxAttempts = 20;

const committer = 'committer Site Assistant <assistant@example.invalid> now';

/** A commit that no branch has yet. */
interface Change {
  readonly reference: string;
  readonly commit: string;
}

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

  /** The folder of the repository itself, once its files are there. */
  async folder(): Promise<string> {
    (await this.ready()).write();
    return this.#folder;
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
      const change = await this.#commitPage(parent, paragraph, message);
      if (await this.#moveHead(parent, change)) return change.commit;
    }
    throw new Error('HEAD cannot be moved');
  }

  /** Makes the commit under a reference of its own, in one process. */
  async #commitPage(parent: string, paragraph: string, message: string): Promise<Change> {
    const before = path.join(await this.build(parent), pageName);
    const page = addParagraph(await readFile(before, 'utf8').catch(() => ''), paragraph);
    const reference = `refs/turns/${randomUUID()}`;
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const input = [
      `commit ${reference}\nmark :1\n${committer}\n${data(message)}from ${parent}\n`,
      `M 100644 inline ${pageName}\n${data(page)}get-mark :1\n`,
    ].join('');
    const commit = await this.#git(['fast-import', '--quiet', '--date-format=now'], input);
    return { reference, commit };
  }

  async #moveHead(from: string, { reference, commit }: Change): Promise<boolean> {
    const input = `update HEAD ${commit} ${from}\ndelete ${reference}\n`;
    return await this.#git(['update-ref', '--stdin'], input).then(
      () => true,
      () => false,
    );
  }

  async #git(args: readonly string[], input: string): Promise<string> {
    return await (await this.ready()).git(args, { input });
  }
}
