const meanings = ['succeeded', 'failed', 'in-progress'] as const;
/** What a status word says about the deployment or turn. */
export type Meaning = (typeof meanings)[number];

/** A status word, read. */
export interface StatusReading {
  meaning: Meaning;
  /** False if the status is unknown: it is then treated as in progress, with a warning. */
  known: boolean;
}

/** Folds the spellings of one word: case, `_`, `-` and white space do not count. */
export const foldStatus = (word: string): string => word.toLowerCase().replace(/[\s_-]+/g, '');

const listed = (words: string): readonly string[] => words.split(',');

/** The known statuses by their meaning; compare them with `foldStatus`. */
export const builtInStatuses: Readonly<Record<Meaning, readonly string[]>> = {
  succeeded: listed(
    'succeeded,success,successful,completed,complete,done,finished,deployed,published,live,ready',
  ),
  failed: listed(
    'failed,failure,error,errored,cancelled,canceled,aborted,rejected,blocked,expired,timed out,superseded,rolled back',
  ),
  'in-progress': listed(
    'queued,pending,waiting,created,accepted,scheduled,starting,started,initializing,preparing,cloning,installing,building,built,bundling,packaging,uploading,uploaded,deploying,publishing,provisioning,propagating,verifying,running,processing,working,in progress,retrying,finalizing',
  ),
};

/** Statuses that a workflow adds; they take precedence over the built-in ones. */
export interface CustomStatuses {
  success: readonly string[];
  failure: readonly string[];
}

/** For a run whose inputs define no status words. */
export const noCustomStatuses: CustomStatuses = { success: [], failure: [] };

/**
 * Makes the reader of deployment statuses (section "States and transitions": only `queued` is shown, so the
 * rest is a table of the field's words). `active` is in no table on purpose: it means live in one service
 * and building in another.
 */
export function createStatusReader({
  success = [],
  failure = [],
}: Partial<CustomStatuses> = {}): (word: string) => StatusReading {
  const table = new Map<string, Meaning>();
  const add = (list: readonly string[], meaning: Meaning) => {
    for (const word of list) table.set(foldStatus(word), meaning);
  };
  for (const meaning of meanings) add(builtInStatuses[meaning], meaning);
  add(success, 'succeeded');
  add(failure, 'failed');
  return (word) => {
    const meaning = table.get(foldStatus(word));
    return { meaning: meaning ?? 'in-progress', known: meaning !== undefined };
  };
}
