/** What was loaded: the sealed text; or {@link nothingSaved}; or a sentence why it cannot be read. */
export type LoadedLedger = { text: string } | { absent: string };

/** Keeps the ledger, a small sealed text, from one run to the next. */
export interface LedgerStore {
  /**
   * The newest sealed text, or why there is none.
   *
   * @throws the signal's reason, and nothing else
   */
  load(signal: AbortSignal): Promise<LoadedLedger>;
  /**
   * Saves a sealed text. Never throws.
   *
   * @returns undefined, or a sentence why it was not saved, also if the signal aborted first
   */
  save(text: string, signal: AbortSignal): Promise<string | undefined>;
}

/** What `absent` is if nothing is wrong and no ledger was saved yet. */
export const nothingSaved = 'none';

/** The largest sealed text that is kept or read, in bytes of UTF-8. */
export const largestLedger = 1024 * 1024;

/** Whether a text is too large to be kept. */
export function isTooLarge(text: string): boolean {
  return Buffer.byteLength(text) > largestLedger;
}

/** The code of an error of the system, such as `ENOENT`; of any other error, its name. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
