import type { Environment } from '../../contract/environment.ts';

/**
 * Knows the environment that a run works on. An answer to a write names no project, and may show another one:
 * it is believed only if it shows what is known to be there, and nothing that this run does not declare.
 */
export class EnvironmentMatcher {
  /** Ids that must be shown. */
  readonly #standing = new Set<string>();
  /** Ids that were shown, or whose deletion was asked for. */
  readonly #seen = new Set<string>();
  readonly #declared: ReadonlySet<string>;

  /**
   * @param observed what a look at the environment has shown
   * @param declared the names that this run may create
   */
  constructor(observed: Environment, declared: Iterable<string>) {
    this.#declared = new Set(declared);
    this.look(observed);
  }

  /** Learns from a look at the environment, which is what somebody else may have changed meanwhile. */
  look({ variables }: Environment): void {
    const shown = new Set(variables.map(({ id }) => id));
    for (const id of this.#standing) if (!shown.has(id)) this.#standing.delete(id);
    for (const id of shown) {
      if (!this.#seen.has(id)) this.#standing.add(id);
      this.#seen.add(id);
    }
  }

  /** Learns that a variable is about to be deleted: from now on it may be gone. */
  willDelete(id: string): void {
    this.#standing.delete(id);
  }

  /** Whether an answer to a write shows this environment. */
  recognizes({ variables }: Environment): boolean {
    const shown = new Set(variables.map(({ id }) => id));
    const isWhole = [...this.#standing].every((id) => shown.has(id));
    return (
      isWhole && variables.every(({ id, name }) => this.#seen.has(id) || this.#declared.has(name))
    );
  }
}
