import { readState, saveState } from '../../github/runner-files.ts';
import { digestOf } from '../../kernel/change.ts';

/** What was kept under a name, or that it is damaged. */
export type KeptState<Value> = { value: Value } | 'damaged';

/** Enough to tell what was kept from what was cut off or changed, in hex digits. */
const checksumOf = (json: string): string => digestOf([json]).slice(0, 16);

/** Keeps a value for the post step, as JSON behind its checksum: the runner's file may be cut off by a kill. */
export function keepState(name: string, value: unknown): void {
  const json = JSON.stringify(value);
  saveState(name, `${checksumOf(json)} ${json}`);
}

/**
 * Reads what {@link keepState} kept under the same name, and trusts it to be of the type that was kept.
 *
 * @returns undefined if nothing was kept
 */
export function readKept<Value>(name: string): KeptState<Value> | undefined {
  const kept = readState(name);
  if (kept === '') return undefined;
  const [checksum = ''] = kept.split(' ', 1);
  const json = kept.slice(checksum.length + 1);
  return checksum === checksumOf(json) ? { value: JSON.parse(json) } : 'damaged';
}
