import type { LedgerKeys } from '../../ledger/model/keys.ts';
import { cacheStore } from '../../ledger/store/cache.ts';
import { fileStore } from '../../ledger/store/file.ts';
import type { LedgerStore } from '../../ledger/store/store.ts';
import { type KeyValues, keysOf, type ServiceValues } from '../access.ts';
import type { Step } from '../step.ts';
import { userAgent } from '../version.ts';

/** The inputs that decide where a run's ledgers are kept. */
export interface StoreValues extends ServiceValues, KeyValues {
  'env-ledger': string;
}

/** The variables that a run keeps in its ledger. */
export interface Remembered {
  variables: readonly unknown[];
  removals: ReadonlyMap<string, unknown>;
}

/** Where the ledgers of a run are kept. */
export interface LedgerStores {
  /** `cache`, `off`, or the path of a file. */
  where: string;
  /** True if variables are declared or to be removed: else nothing is reported about them. */
  hasVariables: boolean;
  keys: LedgerKeys;
  /** The store of a project's ledger; undefined if it is kept nowhere. */
  of(projectId: string): LedgerStore | undefined;
  /** Begins to read a project's ledger: the first load gets that result. */
  begin(projectId: string, signal: AbortSignal): void;
}

/** The stores of a run that syncs variables. Nothing is read yet. */
export function openStores(
  values: StoreValues,
  { variables, removals }: Remembered,
  { context, environment }: Pick<Step<unknown>, 'context' | 'environment'>,
): LedgerStores {
  const hasVariables = variables.length > 0 || removals.size > 0;
  const where = hasVariables ? values['env-ledger'] : 'off';
  const keys = keysOf(values);
  const started = new Map<string, LedgerStore>();
  const open = (projectId: string) => {
    if (where === 'off') return undefined;
    if (where !== 'cache') return fileStore(context.workspace, where);
    const parts = [values['base-url'], projectId, keys.id];
    return cacheStore({ environment, userAgent, parts, runId: context.identity.runId });
  };
  return {
    where,
    hasVariables,
    keys,
    of: (projectId) => started.get(projectId) ?? open(projectId),
    begin: (projectId, signal) => {
      const store = open(projectId);
      if (store !== undefined) started.set(projectId, startedStore(store, signal));
    },
  };
}

/** A store whose first load is in progress. */
function startedStore(store: LedgerStore, signal: AbortSignal): LedgerStore {
  let started: ReturnType<LedgerStore['load']> | undefined = store.load(signal);
  // The first load gets the error.
  started.catch(() => undefined);
  return {
    ...store,
    load: (given) => {
      const loading = started ?? store.load(given);
      started = undefined;
      return loading;
    },
  };
}
