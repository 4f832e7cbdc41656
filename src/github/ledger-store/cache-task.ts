/** What the process that talks to the cache is asked to do. */
export type Task = 'load' | 'save';

/** Whether a word is a task. */
export function isTask(word: string): word is Task {
  return word === 'load' || word === 'save';
}

/**
 * The ledger's file, in a folder of the process's own. The cache makes an entry's "version" of this text as it
 * stands here, so a relative path is found again on every machine.
 */
export const ledgerName = 'ledger';

/** The status with which the process ends if nothing was done, for a reason that the client printed, or for none. */
export const nothingDone = 3;
