/** Inputs that the local world fills in. */
const ownInputs = ['api-key', 'base-url', 'project-id'];

/**
 * Writes the logs of steps. Of a step's inputs it shows those that were given, unless they have the value that was
 * shown last; defaults and the environment are left out.
 */
export class StepLog {
  readonly #write: (line: string) => void;
  readonly #shown = new Map<string, string>();
  #given = new Set<string>();
  #title = '';
  #isAfterInputs = false;
  /** The inputs of the step, as far as the runner wrote them; undefined after them. */
  #inputs: Map<string, string> | undefined;
  /** The input whose value may go on in the next line; empty if it is none of those that are shown. */
  #last = '';

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Begins a step. @param given the names of its inputs, but for those that the local world fills in */
  begin(given: readonly string[]): void {
    this.#given = new Set([...ownInputs, ...given]);
    this.#inputs = undefined;
  }

  /** Takes a line of the step's log. */
  write(line: string): void {
    if (line.startsWith('▾ Run ')) {
      this.#title = line.replace('▾', '▸');
      this.#inputs = new Map();
      this.#isAfterInputs = false;
      this.#last = '';
    } else if (this.#inputs !== undefined && (line === '' || line.startsWith('  '))) {
      this.#take(line, this.#inputs);
    } else {
      if (this.#inputs !== undefined) this.#showInputs(this.#inputs);
      this.#inputs = undefined;
      if (line !== 'Post job cleanup.') this.#write(line);
    }
  }

  /** Takes a line of the folded part: an input, a further line of its value, or the environment after the inputs. */
  #take(line: string, inputs: Map<string, string>): void {
    const [, name, value = ''] = /^ {4}([\w-]+): (.*)$/.exec(line) ?? [];
    this.#isAfterInputs ||= line === '  env:';
    if (this.#isAfterInputs) return;
    if (name !== undefined) {
      this.#last = this.#given.has(name) ? name : '';
      if (this.#last !== '') inputs.set(this.#last, value);
    } else if (this.#last !== '') {
      inputs.set(this.#last, `${inputs.get(this.#last)}, ${line.trim()}`);
    }
  }

  #showInputs(inputs: ReadonlyMap<string, string>): void {
    const changed = [...inputs].filter(([name, value]) => this.#shown.get(name) !== value);
    this.#write(`${this.#title}${changed.length === 0 ? ', with the same inputs' : ''}`);
    for (const [name, value] of changed) {
      this.#write(`    ${name}: ${value}`);
      this.#shown.set(name, value);
    }
  }
}
