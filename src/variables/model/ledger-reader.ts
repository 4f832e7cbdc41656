import type { Variable } from '../../contract/environment.ts';
import type { Fingerprint, Ledger, LedgerEntry } from '../../ledger/model/ledger.ts';
import type { DesiredVariable } from '../intent.ts';

/** What is known of the value of a variable that the service has. */
export type ValueState =
  /** Nothing: its value can never be read (section "Environment variable"). */
  | { kind: 'unknown' }
  /** This run has written it. */
  | { kind: 'written' }
  /**
   * We wrote version `version` of it, with the value that is declared now or with another; maybe once more. It was
   * touched if it has the same version and another time, where versions are not known to move.
   */
  | { kind: 'ours'; version: number; sameValue: boolean; isUnanswered?: true; isTouched?: true }
  /** Somebody else made it, and a policy left it to them. */
  | { kind: 'foreign' }
  /** We wrote another variable of this name, which is gone. */
  | { kind: 'another'; version: number };

/** What a ledger says of a project's variables. */
export interface LedgerReader {
  /** What is known of a declared variable's value on the service. */
  valueStateOf(desired: DesiredVariable, observed: Variable): ValueState;
  /** The version of a variable of this name that we wrote, if we did. */
  lastVersionOf(name: string): number | undefined;
  /** True if we wrote it as it is now. */
  isWritten(variable: Variable): boolean;
  /** What is known of our last write of a variable that is not declared; its value then counts as another. */
  writeStateOf(observed: Variable): ValueState;
}

/**
 * What is known of a variable that we wrote. Where versions were seen to move, they tell by themselves whether it was
 * written again; else its time has to, and without one nothing is known.
 */
function ours(
  entry: LedgerEntry,
  { version, updatedAt }: Variable,
  expected: string | undefined,
  versionStep: number | undefined,
): ValueState {
  const isTold = entry.version !== version || versionStep !== undefined;
  const hasTimes = entry.updatedAt !== undefined && typeof updatedAt === 'string';
  if (!isTold && !hasTimes) return { kind: 'unknown' };
  return {
    kind: 'ours',
    version: entry.version,
    sameValue: entry.fingerprint === expected,
    ...(entry.doubt === 'unanswered' ? { isUnanswered: true as const } : {}),
    ...(isTold || entry.updatedAt === updatedAt ? {} : { isTouched: true as const }),
  };
}

/**
 * Makes a ledger answer. It is believed only where its versions are the service's own; and where versions were never
 * seen to move, so that an older ledger would look as good as the last one, only where the times are, too.
 */
export function readLedger(ledger: Ledger, fingerprint: Fingerprint): LedgerReader {
  const byId = new Map(ledger.entries.map((entry) => [entry.id, entry]));
  const byName = new Map(ledger.entries.map((entry) => [entry.name, entry]));
  const stateOf = (observed: Variable, name: string, expected: () => string | undefined) => {
    const entry = byId.get(observed.id);
    if (entry?.doubt === 'foreign') return { kind: 'foreign' } as const;
    if (entry?.doubt === 'untraceable') return { kind: 'unknown' } as const;
    if (entry !== undefined) return ours(entry, observed, expected(), ledger.versionStep);
    const former = byName.get(name);
    if (former === undefined) return { kind: 'unknown' } as const;
    const isForeign = former.doubt === 'foreign';
    if (isForeign) return { kind: 'foreign' } as const;
    return { kind: 'another', version: former.version } as const;
  };
  return {
    valueStateOf: ({ name, kind, value }, observed) => {
      const { id, version } = observed;
      return stateOf(observed, name, () => fingerprint({ id, name, kind, version, value }));
    },
    writeStateOf: (observed) => {
      const entry = byId.get(observed.id);
      const hasMoved = entry?.doubt === 'untraceable' && entry.version !== observed.version;
      // Whose value it is does not matter here: it is not the one that we last saw.
      if (hasMoved) return { kind: 'ours', version: entry.version, sameValue: false };
      return stateOf(observed, observed.name, () => undefined);
    },
    lastVersionOf: (name) => {
      const former = byName.get(name);
      return former?.doubt === 'foreign' ? undefined : former?.version;
    },
    isWritten: ({ id, version }) => {
      const entry = byId.get(id);
      return entry?.version === version && entry.doubt !== 'foreign';
    },
  };
}
