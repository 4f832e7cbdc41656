import { type Comment, comment } from '../objects/comment.ts';
import { notFound } from '../refusal.ts';
import { listAt, type Origin } from './origin.ts';

/** A comment that somebody wrote: who, and what. */
export type WrittenComment = { author: string; body: string };

/** The comments on issues and pull requests. */
export class Comments {
  readonly #origin: Origin;
  readonly #lists = new Map<string, Comment[]>();

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** Those on one issue or pull request, oldest first. The list is live. */
  of(repository: string, number: number): Comment[] {
    return listAt(this.#lists, `${repository}#${number}`);
  }

  /** Adds one, whether or not the issue exists. */
  add(repository: string, number: number, { author, body }: WrittenComment): Comment {
    const { api } = this.#origin;
    const id = this.#origin.nextId();
    const added = comment(api, { id, repository, number, author, body, at: this.#origin.now() });
    this.of(repository, number).push(added);
    return added;
  }

  /** The one with this id. @throws a Refusal if the repository has none */
  get(repository: string, id: number): Comment {
    const lists = [...this.#lists].filter(([key]) => key.startsWith(`${repository}#`));
    const found = lists.flatMap(([, list]) => list).find((one) => one.id === id);
    if (found === undefined) throw notFound();
    return found;
  }

  /** Takes the one with this id away. @throws a Refusal if the repository has none */
  remove(repository: string, id: number): void {
    const found = this.get(repository, id);
    for (const list of this.#lists.values()) {
      if (list.includes(found)) list.splice(list.indexOf(found), 1);
    }
  }
}
