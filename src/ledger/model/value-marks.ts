import { createHmac, createSecretKey } from 'node:crypto';
import type { LedgerKeys } from './keys.ts';

/** Replace secret values in a plan's digest. */
export interface ValueMarks {
  /** Identifies the key: 16 hex digits. */
  keyId: string;
  /** The mark of a variable's value, which differs by key, project, name and value. */
  of(name: string, value: string): string;
}

/** Marks of a project's values: HMAC-SHA256 with the derived key for plans. */
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
