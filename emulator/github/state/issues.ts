import type { Issue } from '../objects/issue.ts';
import type { Origin } from './origin.ts';

/** An issue to open. */
export type NewIssue = { author: string; title: string; body?: string | null };

/** The issues that are no pull requests, which share their numbers with those. */
export class Issues {
  readonly #origin: Origin;
  readonly #nextNumber: (repository: string) => number;
  readonly #all = new Map<string, Issue>();

  /** @param nextNumber of issues and pull requests alike */
  constructor(origin: Origin, nextNumber: (repository: string) => number) {
    this.#origin = origin;
    this.#nextNumber = nextNumber;
  }

  /** Opens one with the next number. */
  open(repository: string, given: NewIssue): Issue {
    return this.#put(repository, this.#nextNumber(repository), given);
  }

  /** Adds one by its name, `octo-org/octo-site#8`, of which nothing else matters. */
  add(key: string): void {
    const [repository = '', number] = key.split('#');
    this.#put(repository, Number(number), { author: 'octocat', title: `Issue ${number}` });
  }

  /** Those of one repository, by number. */
  of(repository: string): Issue[] {
    return [...this.#all]
      .filter(([key]) => key.startsWith(`${repository}#`))
      .map(([, issue]) => issue)
      .sort((a, b) => a.number - b.number);
  }

  /** One by its name; undefined if there is none. */
  get(key: string): Issue | undefined {
    return this.#all.get(key);
  }

  /** True if there is one of this name. */
  has(key: string): boolean {
    return this.#all.has(key);
  }

  /** The repositories that have any. */
  repositories(): string[] {
    return [...this.#all.keys()].map((key) => key.replace(/#\d+$/, ''));
  }

  #put(repository: string, number: number, { author, title, body = null }: NewIssue): Issue {
    const at = this.#origin.now();
    const issue: Issue = {
      ...{ number, author, title, body, state: 'open', reason: null, closedBy: null },
      ...{ locked: false, createdAt: at, updatedAt: at },
    };
    this.#all.set(`${repository}#${number}`, issue);
    return issue;
  }
}
