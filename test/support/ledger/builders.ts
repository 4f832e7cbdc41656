import type { LedgerContext } from '../../../src/ledger/model/encryption.ts';
import { deriveLedgerKeys } from '../../../src/ledger/model/keys.ts';
import type { Ledger, LedgerEntry } from '../../../src/ledger/model/ledger.ts';

/** Where the ledgers of these tests belong, unless told otherwise. */
export function ledgerContext(fields: Partial<LedgerContext> = {}): LedgerContext {
  return {
    baseUrl: 'https://api.example.com',
    projectId: '11111111-1111-4111-8111-111111111111',
    keys: deriveLedgerKeys('not-a-real-key'),
    ...fields,
  };
}

/** An entry of a variable that we wrote, unless told otherwise. */
export function entryOf(name: string, fields: Partial<LedgerEntry> = {}): LedgerEntry {
  const rest = { version: 1, fingerprint: `fingerprint of ${name}` };
  return { id: `id-of-${name}`, name, ...rest, ...fields };
}

/** A ledger of two variables. */
export const twoVariables: Ledger = {
  entries: [entryOf('A'), entryOf('B', { version: -7 })],
};

/** Random bytes for a seal that are always the same. */
export const nonce: Uint8Array = Uint8Array.from({ length: 12 }, (_, index) => index * 7);
