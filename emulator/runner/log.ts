import type { SecretMasker } from './masks.ts';

/** A step's log as the web page shows it: secrets masked, groups open, commands turned into words. */
export class StepLog {
  /** The lines so far. A group is `▾ title`; what is in it is indented by two spaces. */
  readonly lines: string[] = [];
  readonly #masker: SecretMasker;
  readonly #onLine: (line: string) => void;
  #indentation = '';

  /** @param onLine called with each line when it is written. */
  constructor(masker: SecretMasker, onLine: (line: string) => void) {
    this.#masker = masker;
    this.#onLine = onLine;
  }

  /** Writes a text, masked as a whole and then split into lines. */
  write(text: string): void {
    for (const line of this.#masker.mask(text).split(/\r?\n/)) {
      const shown = line === '' ? '' : `${this.#indentation}${line}`;
      this.lines.push(shown);
      this.#onLine(shown);
    }
  }

  /** Opens a group and closes an open one: groups do not nest. */
  startGroup(title: string): void {
    this.endGroup();
    this.write(`▾ ${title}`);
    this.#indentation = '  ';
  }

  /** Closes the open group, if there is one. */
  endGroup(): void {
    this.#indentation = '';
  }
}
