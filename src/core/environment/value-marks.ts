import { createHmac, createSecretKey } from 'node:crypto';
import type { LedgerKeys } from '../ledger/keys.ts';
import type { DesiredVariable } from './desired.ts';

/** What stands in a plan's digest for a value that must not be guessed from it. */
export interface ValueMarks {
  /** Tells one key from another: 16 hex digits. */
  keyId: string;
  /** The mark of a variable's value: another for each key, project, name and value. */
  of(name: string, value: string): string;
}

/** Marks of a project's values: HMAC-SHA256, with a key that is derived as those of the ledger are. */
export function valueMarksOf(projectId: string, { plan, id }: LedgerKeys): ValueMarks {
  const secret = createSecretKey(plan);
  return {
    keyId: id,
    of: (name, value) =>
      createHmac('sha256', secret)
        .update(JSON.stringify([projectId, name, value]))
        .digest('base64url'),
  };
}

/**
 * True if a declared value is no secret, so that a digest may rest on it as it is: it is plain by the word of an
 * input, or stands where everybody can read it. A file's word alone makes no secret of the step plain.
 */
export function isOpenValue({ kind, from, source }: DesiredVariable): boolean {
  return kind === 'plain' && (from === undefined || source === 'env-from');
}
