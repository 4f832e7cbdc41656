import { createHmac, createSecretKey } from 'node:crypto';
import type { LedgerKeys } from './keys.ts';

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
