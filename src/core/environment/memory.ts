import type { Variable } from '../../contract/environment.ts';
import type { Fingerprint, Ledger, LedgerEntry } from '../ledger/ledger.ts';
import type { DesiredVariable } from './desired.ts';

/** What is known of the value of a variable that the service has. */
export type Memory =
  /** Nothing: its value can never be read (section "Environment variable"). */
  | { kind: 'unknown' }
  /** This run has written it. */
  | { kind: 'written' }
  /** We wrote version `version` of it, with the value that is declared now or with another; maybe once more. */
  | { kind: 'ours'; version: number; sameValue: boolean; isUnanswered?: true }
  /** Somebody else made it, and a policy left it to them. */
  | { kind: 'foreign' }
  /** We wrote another variable of this name, which is gone. */
  | { kind: 'another'; version: number };

/** What a ledger says of a project's variables. */
export interface Recollection {
  /** What is known of a declared variable's value on the service. */
  memoryOf(desired: DesiredVariable, observed: Variable): Memory;
  /** The version of a variable of this name that we wrote, if we did. */
  lastVersionOf(name: string): number | undefined;
  /** True if we wrote it as it is now. */
  isWritten(variable: Variable): boolean;
  /** The entry of a variable that we created, if we did. */
  createdByUs(variable: Variable): LedgerEntry | undefined;
}

/**
 * Makes a ledger answer. It is believed only where its versions are the service's own.
 *
 * @param scope the step that runs: only what it created itself counts as created by us
 */
export function recollect(ledger: Ledger, fingerprint: Fingerprint, scope: string): Recollection {
  const byId = new Map(ledger.entries.map((entry) => [entry.id, entry]));
  const byName = new Map(ledger.entries.map((entry) => [entry.name, entry]));
  return {
    memoryOf: ({ name, kind, value }, { id, version }) => {
      const entry = byId.get(id);
      if (entry?.doubt === 'foreign') return { kind: 'foreign' };
      if (entry !== undefined) {
        const expected = fingerprint({ id, name, kind, version, value });
        const sameValue = entry.fingerprint === expected;
        const unanswered = entry.doubt === 'unanswered' ? { isUnanswered: true as const } : {};
        return { kind: 'ours', version: entry.version, sameValue, ...unanswered };
      }
      const former = byName.get(name);
      if (former === undefined) return { kind: 'unknown' };
      const isForeign = former.doubt === 'foreign';
      return isForeign ? { kind: 'foreign' } : { kind: 'another', version: former.version };
    },
    lastVersionOf: (name) => {
      const former = byName.get(name);
      return former?.doubt === 'foreign' ? undefined : former?.version;
    },
    isWritten: ({ id, version }) => {
      const entry = byId.get(id);
      return entry?.version === version && entry.doubt !== 'foreign';
    },
    createdByUs: ({ id, name }) => {
      const entry = byId.get(id);
      return entry?.createdBy === scope && entry.name === name ? entry : undefined;
    },
  };
}
