import { createHmac, createSecretKey } from 'node:crypto';
import { z } from 'zod';
import type { Variable } from '../../contract/environment.ts';
import { byNameAndId } from '../../kernel/names.ts';
import type { SafeText } from '../../kernel/text/safe.ts';
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

/** The most characters of a time. */
const longestTime = 64;

/** Other fields of earlier versions are dropped. */
const ledgerEntry = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  version: z.int(),
  fingerprint: z.string().min(1),
  /** The service's time of the last write; absent if there is none. */
  updatedAt: z.string().max(longestTime).optional(),
});

/** One variable as this action last wrote it. */
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** The shape of a ledger, before it is encrypted. */
export const ledgerShape = z.strictObject({
  entries: z.array(ledgerEntry),
});

/**
 * What this action wrote to one project, so that unchanged variables, whose values can't be read, are not written
 * again. It contains no values, and nothing from which they could be guessed without the key.
 */
export type Ledger = z.infer<typeof ledgerShape>;

/** A ledger without entries, as on a first run. */
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

/**
 * Merges the changes of a run into the stored ledger, which another run may have saved in the meantime.
 *
 * @param before the ledger at the start of this run
 * @param after the ledger at its end
 * @param kept the ledger as stored now
 */
export function mergeLedgers(before: Ledger, after: Ledger, kept: Ledger): Ledger {
  const old = new Map(before.entries.map((entry) => [entry.id, entry]));
  const changed = after.entries.filter(
    (entry) => JSON.stringify(old.get(entry.id)) !== JSON.stringify(entry),
  );
  const ids = new Set(after.entries.map(({ id }) => id));
  const removed = new Set(before.entries.map(({ id }) => id).filter((id) => !ids.has(id)));
  const names = new Set(changed.map(({ name }) => name));
  const others = kept.entries.filter(({ id, name }) => !removed.has(id) && !names.has(name));
  return { entries: [...others, ...changed].sort(byNameAndId) };
}

/** What a run did to a project's variables. */
export interface RunActions {
  /** The variables before the run. */
  before: readonly Variable[];
  /** Those that this run's writes confirmed, as they left them. */
  confirmed: readonly { variable: Variable; value: string; kind: string }[];
  /** Ids of the variables that were deleted. */
  deleted: ReadonlySet<string>;
}

/** True if a variable's version or time shows a write after the given one. A time that is not known shows nothing. */
export function wasWritten(
  before: Pick<Variable, 'version' | 'updatedAt'>,
  now: Pick<Variable, 'version' | 'updatedAt'>,
): boolean {
  const times = [before.updatedAt, now.updatedAt];
  const hasTimes = times.every((time) => typeof time === 'string');
  return before.version !== now.version || (hasTimes && times[0] !== times[1]);
}

/**
 * The ledger after a run. If the last write of a variable may come from elsewhere, the old entry stays: its version
 * differs from the service's, so that the next run detects the change. The same applies to a variable that no longer
 * exists while another one has its name.
 */
export function updateLedger(
  ledger: Ledger,
  fingerprint: Fingerprint,
  { before, confirmed, deleted }: RunActions,
): Ledger {
  const versionBefore = new Map(before.map(({ id, version }) => [id, version]));
  const written = confirmed.map(({ variable, value, kind }): LedgerEntry => {
    const { id, name, version, updatedAt: time } = variable;
    const isMoved = (versionBefore.get(id) ?? version) !== version;
    const isValid = typeof time === 'string' && time.length <= longestTime;
    return {
      id,
      name,
      version,
      fingerprint: fingerprint({ id, name, kind, version, value }),
      // Where versions move, the time shows nothing more: a service may also change it without a write.
      updatedAt: isValid && !isMoved ? time : undefined,
    };
  });
  const keysOf = (all: readonly Pick<LedgerEntry, 'id' | 'name'>[]) =>
    new Set(all.flatMap(({ id, name }) => [`id ${id}`, `name ${name}`]));
  const isIn = (keys: ReadonlySet<string>, { id, name }: LedgerEntry) =>
    keys.has(`id ${id}`) || keys.has(`name ${name}`);
  const present = keysOf(before.filter(({ id }) => !deleted.has(id)));
  const replaced = keysOf(written);
  const kept = ledger.entries.filter((entry) => isIn(present, entry) && !isIn(replaced, entry));
  return { entries: [...kept, ...written].sort(byNameAndId) };
}

/** A project's ledger, as read at the start of a run. */
export interface OpenLedger {
  /** Empty if there is none, or none that can be used. */
  ledger: Ledger;
  fingerprint: Fingerprint;
  /** Replace the project's values in a plan's digest. */
  marks: ValueMarks;
  /** Why it is empty; absent if it was read. */
  problem?: SafeText | undefined;
  /** Starts to save it. Errors are only reported: they cost extra writes, nothing else. */
  save(ledger: Ledger): void;
}

/** Stores ledgers between runs. */
export interface LedgerKeeper {
  /** Opens the ledger of a project. Errors are only reported. @throws the run's signal's reason */
  open(projectId: string): Promise<OpenLedger>;
}
