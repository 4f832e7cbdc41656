import type { Variable } from '../../contract/environment.ts';
import { byNameAndId } from '../../kernel/by-name.ts';
import { type Fingerprint, type Ledger, type LedgerEntry, longestTime } from './ledger.ts';

/** What a run did to a project's variables, as far as the ledger should know. */
export interface RunActions {
  /** The variables that the service showed before. */
  before: readonly Variable[];
  /** Variables as our own writes left them, with the values that were written. */
  confirmed: readonly ConfirmedVariable[];
  /** Variables that are not surely as we left them, and why. */
  doubtful: readonly { variable: Variable; doubt: 'foreign' | 'unanswered' | 'either' }[];
  /** Ids of the variables that were deleted. */
  deleted: ReadonlySet<string>;
  versionStep: number | undefined;
}

/** A variable as our own writes left it. */
export interface ConfirmedVariable {
  variable: Variable;
  value: string;
  kind: string;
  /** False if its version does not tell our value from another. */
  isTraceable: boolean;
}

type UncertainVariables = RunActions['doubtful'];

/** When a variable was written, as far as the service says it in a few characters. */
function timeOf({ updatedAt }: Variable): Pick<LedgerEntry, 'updatedAt'> {
  return typeof updatedAt === 'string' && updatedAt.length <= longestTime ? { updatedAt } : {};
}

/** What stands for a fingerprint where none can be believed: it fits no value. */
const noFingerprint = 'none';

/** Notes on an entry that our own last write of it is in doubt. */
function doubt(entry: LedgerEntry, doubtful: UncertainVariables): LedgerEntry {
  const isUnanswered = doubtful.some(
    ({ variable, doubt }) => doubt !== 'foreign' && variable.id === entry.id,
  );
  return isUnanswered && entry.doubt === undefined ? { ...entry, doubt: 'unanswered' } : entry;
}

/** Entries of variables that somebody else made, so that the next run does not take them for unknown ones. */
function foreign(kept: readonly LedgerEntry[], doubtful: UncertainVariables): LedgerEntry[] {
  const known = new Set(kept.map(({ name }) => name));
  return doubtful.flatMap(({ variable: { id, name, version }, doubt }) =>
    doubt === 'unanswered' || known.has(name)
      ? []
      : [{ id, name, version, fingerprint: noFingerprint, doubt: 'foreign' }],
  );
}

/**
 * The ledger after a run. Of a variable whose last write may be somebody else's the old entry stays: its
 * version is not the service's any more, so that the next run sees that it moved. So does the entry of one that
 * is gone, or was deleted, while another of its name is there: that was made elsewhere.
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
    ...kept.map((entry) => doubt(entry, doubtful)),
    ...foreign(kept, doubtful),
    ...written.map((entry) => doubt(entry, doubtful)),
  ];
  return {
    entries: entries.sort(byNameAndId),
    ...(versionStep === undefined ? {} : { versionStep }),
  };
}
