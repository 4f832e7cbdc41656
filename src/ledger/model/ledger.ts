import { createHmac, createSecretKey } from 'node:crypto';
import { z } from 'zod';
import { byNameAndId } from '../../kernel/names.ts';

/** The most characters of a time. */
export const longestTime = 64;

/** Other fields of earlier versions are dropped. */
const ledgerEntry = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  version: z.int(),
  fingerprint: z.string().min(1),
  /** The service's time of the last write; absent if there is none. */
  updatedAt: z.string().max(longestTime).optional(),
  /**
   * `foreign`: changed elsewhere and kept; `unanswered`: the response to this action's last write was lost;
   * `untraceable`: its version doesn't distinguish the written value from another, so there is no fingerprint.
   */
  doubt: z.enum(['foreign', 'unanswered', 'untraceable']).optional(),
});

/** One variable as this action last wrote it. */
export type LedgerEntry = z.infer<typeof ledgerEntry>;

const declaredZone = z.strictObject({
  /** The site file that declared them. */
  file: z.string().min(1),
  /** The registered domain's name. */
  domain: z.string().min(1),
  /** The id and the mark of each record. */
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
 * What this action wrote to one project, so that unchanged variables, whose values can't be read, are not written
 * again. It contains no values, and nothing from which they could be guessed without the key.
 */
export type Ledger = z.infer<typeof ledgerShape>;

export const emptyLedger: Ledger = { entries: [] };

/** The input of a fingerprint. */
export interface WrittenValue {
  id: string;
  name: string;
  kind: string;
  version: number;
  value: string;
}

/** Computes the fingerprint of a written value. */
export type Fingerprint = (written: WrittenValue) => string;

/**
 * Fingerprints of a project's variables: HMAC-SHA256 over project, id, name, kind, version and value, so that equal
 * values of two variables or versions have different fingerprints.
 */
export function fingerprintsOf(projectId: string, key: Buffer): Fingerprint {
  const secret = createSecretKey(key);
  return ({ id, name, kind, version, value }) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([projectId, id, name, kind, version, value]))
      .digest('base64url');
}

const isSame = <Part>(a: Part, b: Part): boolean => JSON.stringify(a) === JSON.stringify(b);

const placeOf = ({ file, domain }: DeclaredZone): string => JSON.stringify([file, domain]);

/** Merges the records that site files declared, as a whole for each file and domain. */
function mergeZones(
  before: readonly DeclaredZone[],
  after: readonly DeclaredZone[],
  kept: readonly DeclaredZone[],
): DeclaredZone[] {
  const old = new Map(before.map((zone) => [placeOf(zone), zone]));
  const changed = after.filter((zone) => !isSame(old.get(placeOf(zone)), zone));
  const places = new Set(after.map(placeOf));
  const gone = [...old.keys()].filter((place) => !places.has(place));
  const ours = new Set([...gone, ...changed.map(placeOf)]);
  return [...kept.filter((zone) => !ours.has(placeOf(zone))), ...changed];
}

/**
 * Merges the changes of a run into the stored ledger, which another run may have saved in the meantime.
 *
 * @param before the ledger at the start of this run
 * @param after the ledger at its end
 * @param kept the ledger as stored now
 */
export function mergeLedgers(before: Ledger, after: Ledger, kept: Ledger): Ledger {
  const old = new Map(before.entries.map((entry) => [entry.id, entry]));
  const changed = after.entries.filter((entry) => {
    const former = old.get(entry.id);
    return former === undefined || !isSame(former, entry);
  });
  const ids = new Set(after.entries.map(({ id }) => id));
  const removed = new Set(before.entries.map(({ id }) => id).filter((id) => !ids.has(id)));
  const names = new Set(changed.map(({ name }) => name));
  const others = kept.entries.filter(({ id, name }) => !removed.has(id) && !names.has(name));
  const steps = [after.versionStep, kept.versionStep].filter((step) => step !== undefined);
  const zones = mergeZones(before.zones ?? [], after.zones ?? [], kept.zones ?? []);
  return {
    entries: [...others, ...changed].sort(byNameAndId),
    ...(steps.length === 0 ? {} : { versionStep: Math.min(...steps) }),
    ...(zones.length === 0 ? {} : { zones }),
  };
}
