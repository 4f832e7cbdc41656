import { createHmac, createSecretKey } from 'node:crypto';
import { z } from 'zod';
import { byNameAndId } from '../../kernel/by-name.ts';

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

const isSame = <Part>(a: Part, b: Part): boolean => JSON.stringify(a) === JSON.stringify(b);

const placeOf = ({ file, domain }: DeclaredZone): string => JSON.stringify([file, domain]);

/** The same for the records that site files declared: of a file and a domain, all or none. */
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
 * Puts what a run learned into the ledger as it is kept by now: another run may have kept its own since this one
 * looked. Only what this run changed takes the place of what is there.
 *
 * @param before the ledger as this run found it
 * @param after the same with what it learned
 * @param kept the ledger as it is kept now
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
