import type { Variable } from '../../contract/environment.ts';
import type { Fingerprint, Ledger, LedgerEntry } from '../../ledger/model/ledger.ts';
import type { DesiredVariable } from '../intent.ts';

/** What is known about the value of a variable on the service. */
export type ValueState =
  /** Nothing: the service never returns values (section "Environment variable"). */
  | { kind: 'unknown' }
  /** This run has written it. */
  | { kind: 'written' }
  /**
   * This action wrote version `version`, with the declared value or another one. `isUnanswered`: the response to a
   * later write was lost. `isTouched`: same version, other time, on a service not known to increase versions.
   */
  | { kind: 'ours'; version: number; sameValue: boolean; isUnanswered?: true; isTouched?: true }
  /** It was created elsewhere, and kept. */
  | { kind: 'foreign' }
  /** This action wrote another variable with this name, which no longer exists. */
  | { kind: 'another'; version: number };

/** Answers from a ledger about a project's variables. */
export interface LedgerReader {
  valueStateOf(desired: DesiredVariable, observed: Variable): ValueState;
  /** The version of a variable with this name that this action wrote, if any. */
  lastVersionOf(name: string): number | undefined;
  /** True if this action wrote the current version. */
  isWritten(variable: Variable): boolean;
  /** The same as `valueStateOf` for a variable that is not declared; `sameValue` is then false. */
  writeStateOf(observed: Variable): ValueState;
}

/**
 * The state of a variable that this action wrote. If the service is known to increase versions, the version alone shows
 * whether it was written again; otherwise its time does, and without a time nothing is known.
 */
function ours(
  entry: LedgerEntry,
  { version, updatedAt }: Variable,
  expected: string | undefined,
  versionStep: number | undefined,
): ValueState {
  const isDecisive = entry.version !== version || versionStep !== undefined;
  const hasTimes = entry.updatedAt !== undefined && typeof updatedAt === 'string';
  if (!isDecisive && !hasTimes) return { kind: 'unknown' };
  return {
    kind: 'ours',
    version: entry.version,
    sameValue: entry.fingerprint === expected,
    ...(entry.doubt === 'unanswered' ? { isUnanswered: true as const } : {}),
    ...(isDecisive || entry.updatedAt === updatedAt ? {} : { isTouched: true as const }),
  };
}

/**
 * Reads a ledger. An entry counts only if its version matches the service's; if the service is not known to increase
 * versions, its time must match too, because an outdated ledger would have the same versions.
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
      // It changed since this action last read it; who changed it doesn't matter here.
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
