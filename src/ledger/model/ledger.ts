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
  /**
   * `foreign`: changed elsewhere and kept; `unanswered`: the response to this action's last write was lost;
   * `untraceable`: its version doesn't distinguish the written value from another, so there is no fingerprint.
   */
  doubt: z.enum(['foreign', 'unanswered', 'untraceable']).optional(),
});

/** One variable as this action last wrote it. */
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** The shape of a ledger inside its seal. */
export const ledgerShape = z.strictObject({
  entries: z.array(ledgerEntry),
  versionStep: z.int().positive().optional(),
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

const isSame = <Part>(a: Part, b: Part): boolean => JSON.stringify(a) === JSON.stringify(b);

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
  return {
    entries: [...others, ...changed].sort(byNameAndId),
    ...(steps.length === 0 ? {} : { versionStep: Math.min(...steps) }),
  };
}

/** What a run did to a project's variables. */
export interface RunActions {
  /** The variables before the run. */
  before: readonly Variable[];
  confirmed: readonly ConfirmedVariable[];
  /** Variables that may not be as this run wrote them, and why. */
  doubtful: readonly { variable: Variable; doubt: 'foreign' | 'unanswered' | 'either' }[];
  /** Ids of the variables that were deleted. */
  deleted: ReadonlySet<string>;
  versionStep: number | undefined;
}

/** A variable as this run's writes left it. */
interface ConfirmedVariable {
  variable: Variable;
  value: string;
  kind: string;
  /** False if its version doesn't distinguish the written value from another. */
  isTraceable: boolean;
}

type UncertainVariables = RunActions['doubtful'];

/** The time of a variable's last write, if the service reports a valid one. */
function timeOf({ updatedAt }: Variable): Pick<LedgerEntry, 'updatedAt'> {
  return typeof updatedAt === 'string' && updatedAt.length <= longestTime ? { updatedAt } : {};
}

/** Instead of a fingerprint that would not be reliable; it matches no value. */
const noFingerprint = 'none';

/** Marks an entry if the response to its last write was lost. */
function markDoubt(entry: LedgerEntry, doubtful: UncertainVariables): LedgerEntry {
  const isUnanswered = doubtful.some(
    ({ variable, doubt }) => doubt !== 'foreign' && variable.id === entry.id,
  );
  return isUnanswered && entry.doubt === undefined ? { ...entry, doubt: 'unanswered' } : entry;
}

/** Entries of variables that were created elsewhere, so that the next run doesn't treat them as unknown. */
function foreign(kept: readonly LedgerEntry[], doubtful: UncertainVariables): LedgerEntry[] {
  const known = new Set(kept.map(({ name }) => name));
  return doubtful.flatMap(({ variable: { id, name, version }, doubt }) =>
    doubt === 'unanswered' || known.has(name)
      ? []
      : [{ id, name, version, fingerprint: noFingerprint, doubt: 'foreign' }],
  );
}

/**
 * The ledger after a run. If the last write of a variable may come from elsewhere, the old entry stays: its version
 * differs from the service's, so that the next run detects the change. The same applies to a variable that no longer
 * exists while another one has its name.
 */
export function updateLedger(
  ledger: Ledger,
  fingerprint: Fingerprint,
  actions: RunActions,
): Ledger {
  const { before, confirmed, doubtful, deleted, versionStep } = actions;
  const written = confirmed.map(({ variable, value, kind, isTraceable }): LedgerEntry => {
    const { id, name, version } = variable;
    return {
      id,
      name,
      version,
      fingerprint: isTraceable ? fingerprint({ id, name, kind, version, value }) : noFingerprint,
      ...timeOf(variable),
      ...(isTraceable ? {} : { doubt: 'untraceable' as const }),
    };
  });
  const left = before.filter(({ id }) => !deleted.has(id));
  const present = new Set(left.flatMap(({ id, name }) => [`id ${id}`, `name ${name}`]));
  const ids = new Set(written.map(({ id }) => id));
  const names = new Set(written.map(({ name }) => name));
  const isKept = ({ id, name }: LedgerEntry) =>
    (present.has(`id ${id}`) || present.has(`name ${name}`)) && !ids.has(id) && !names.has(name);
  const kept = ledger.entries.filter(isKept);
  const entries = [
    ...kept.map((entry) => markDoubt(entry, doubtful)),
    ...foreign(kept, doubtful),
    ...written.map((entry) => markDoubt(entry, doubtful)),
  ];
  return {
    entries: entries.sort(byNameAndId),
    ...(versionStep === undefined ? {} : { versionStep }),
  };
}

/** A project's ledger, as read at the start of a run. */
export interface OpenLedger {
  /** Empty if there is none, or none that can be used. */
  ledger: Ledger;
  fingerprint: Fingerprint;
  /** Replace the project's values in a plan's digest. */
  marks: ValueMarks;
  /** Why it is empty; absent if it was read. */
  problem?: SafeText;
  /** Starts to save it. Errors are only reported: they cost extra writes, nothing else. */
  save(ledger: Ledger): void;
}

/** Stores ledgers between runs. */
export interface LedgerKeeper {
  /** Opens the ledger of a project. Errors are only reported. @throws the run's signal's reason */
  open(projectId: string): Promise<OpenLedger>;
}
