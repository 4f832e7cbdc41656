import { createHmac, createSecretKey } from 'node:crypto';
import { z } from 'zod';

/** A longer text is no time, in UTF-16 units. */
export const longestTime = 64;

/** What earlier versions noted beside is dropped. */
const ledgerEntry = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  version: z.int(),
  fingerprint: z.string().min(1),
  /** When the service says that it was written; absent if it does not say. */
  updatedAt: z.string().max(longestTime).optional(),
  /**
   * `foreign`: it is somebody else's; `unanswered`: our last write of it is in doubt; `untraceable`: its version
   * does not tell our value from another, so that there is no fingerprint.
   */
  doubt: z.enum(['foreign', 'unanswered', 'untraceable']).optional(),
});

/** One variable as this action last left it. */
export type LedgerEntry = z.infer<typeof ledgerEntry>;

const declaredZone = z.strictObject({
  /** The site file that declared them. */
  file: z.string().min(1),
  /** The registered domain's name. */
  domain: z.string().min(1),
  /** Of each record its id, and its mark: see `core/dns/known.ts`. */
  records: z.array(z.tuple([z.string().min(1), z.string().min(1)])),
});

/** The DNS records of a registered domain that a site file declared when it was last applied. */
export type DeclaredZone = z.infer<typeof declaredZone>;

/** The shape of a ledger inside its seal. */
export const ledgerShape = z.strictObject({
  entries: z.array(ledgerEntry),
  versionStep: z.int().positive().optional(),
  /** Absent if no site file was applied with this ledger, as in those of earlier versions. */
  zones: z.array(declaredZone).optional(),
});

/**
 * What this action wrote to one project, so that a value that can never be read back costs nothing while it
 * is unchanged. It holds no value, and nothing from which one could be guessed without the key.
 */
export type Ledger = z.infer<typeof ledgerShape>;

/** A ledger that knows nothing. */
export const emptyLedger: Ledger = { entries: [] };

/** What a fingerprint is made of. */
export interface WrittenValue {
  id: string;
  name: string;
  kind: string;
  version: number;
  value: string;
}

/** Makes the fingerprint of what was written to one variable of one project. */
export type Fingerprint = (written: WrittenValue) => string;

/**
 * Fingerprints of a project's variables: HMAC-SHA256 over project, id, name, kind, version and value, so that
 * equal values of two variables, or of two versions, look nothing alike.
 */
export function fingerprintsOf(projectId: string, key: Buffer): Fingerprint {
  const secret = createSecretKey(key);
  return ({ id, name, kind, version, value }) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([projectId, id, name, kind, version, value]))
      .digest('base64url');
}
