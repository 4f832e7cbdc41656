/** The encrypted text, or why there is none: {@link nothingSaved} or a sentence. */
export type LoadedLedger = { text: string } | { absent: string };

/** Stores the encrypted ledger between runs. */
export interface LedgerStore {
  /**
   * Loads the newest encrypted text.
   *
   * @throws only the signal's reason
   */
  load(signal: AbortSignal): Promise<LoadedLedger>;
  /**
   * Saves an encrypted text. Never throws.
   *
   * @returns undefined, or a sentence why it was not saved, including an abort
   */
  save(text: string, signal: AbortSignal): Promise<string | undefined>;
}

/** The value of `absent` if no ledger was saved yet. */
export const nothingSaved = 'none';

/** The maximum size of an encrypted text, in bytes of UTF-8. */
export const largestLedger = 1024 * 1024;

/** True if no store takes a ledger of this text. */
export function isTooLarge(text: string): boolean {
  return Buffer.byteLength(text) > largestLedger;
}
