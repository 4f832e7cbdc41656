import type { Variable } from '../../contract/environment.ts';
import { byNameAndId } from '../../kernel/names.ts';
import { type Fingerprint, type Ledger, type LedgerEntry, longestTime } from './ledger.ts';

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
export interface ConfirmedVariable {
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
