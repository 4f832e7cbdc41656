/** The sealed text, or why there is none: {@link nothingSaved} or a sentence. */
export type LoadedLedger = { text: string } | { absent: string };

/** Stores the sealed ledger between runs. */
export interface LedgerStore {
  /**
   * Loads the newest sealed text.
   *
   * @throws only the signal's reason
   */
  load(signal: AbortSignal): Promise<LoadedLedger>;
  /**
   * Saves a sealed text. Never throws.
   *
   * @returns undefined, or a sentence why it was not saved, including an abort
   */
  save(text: string, signal: AbortSignal): Promise<string | undefined>;
}

/** The value of `absent` if no ledger was saved yet. */
export const nothingSaved = 'none';

/** The maximum size of a sealed text, in bytes of UTF-8. */
export const largestLedger = 1024 * 1024;

/** True if no store takes a ledger of this text. */
export function isTooLarge(text: string): boolean {
  return Buffer.byteLength(text) > largestLedger;
}
