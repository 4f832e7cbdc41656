import type { LedgerKeys } from '../../core/ledger/keys.ts';
import { cacheStore } from '../../github/ledger-store/cache.ts';
import { fileStore } from '../../github/ledger-store/file.ts';
import type { LedgerStore } from '../../github/ledger-store/store.ts';
import type { ActionName, Values } from '../../inputs.ts';
import { keysOf } from '../recording/access.ts';
import type { Step } from '../step.ts';
import { userAgent } from '../version.ts';

/** The inputs that say where a run's ledgers are kept. */
export type StoreValues = Pick<
  Values<'deploy'>,
  'api-key' | 'base-url' | 'env-ledger' | 'env-ledger-key' | 'env-prune'
>;

/** What a run remembers something of: its variables, and whether it declares DNS records. */
export interface Remembered {
  variables: readonly unknown[];
  hasRecords?: boolean;
}

/** Where the ledgers of a run are kept. */
export interface LedgerStores {
  /** `cache`, `off`, or the path of a file. */
  where: string;
  /** True if variables are declared or may be pruned: else nothing is said of them. */
  hasVariables: boolean;
  keys: LedgerKeys;
  /** The store of a project's ledger; undefined if it is kept nowhere. */
  of(projectId: string): LedgerStore | undefined;
  /** Begins to read a project's ledger: who loads it first is given that. */
  begin(projectId: string, signal: AbortSignal): void;
}

/** A store whose first load is under way. */
function begunStore(store: LedgerStore, signal: AbortSignal): LedgerStore {
  let begun: ReturnType<LedgerStore['load']> | undefined = store.load(signal);
  // Whoever takes it is told of a failure.
  begun.catch(() => undefined);
  return {
    ...store,
    load: (given) => {
      const loading = begun ?? store.load(given);
      begun = undefined;
      return loading;
    },
  };
}

/** Finds out where a run's ledgers are kept. Nothing is read before it is asked for. */
export function openStores(
  values: StoreValues,
  { variables, hasRecords = false }: Remembered,
  { context, environment }: Pick<Step<ActionName>, 'context' | 'environment'>,
): LedgerStores {
  const hasVariables = variables.length > 0 || values['env-prune'];
  const where = hasVariables || hasRecords ? values['env-ledger'] : 'off';
  const keys = keysOf(values);
  const begun = new Map<string, LedgerStore>();
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
    of: (projectId) => begun.get(projectId) ?? open(projectId),
    begin: (projectId, signal) => {
      const store = open(projectId);
      if (store !== undefined) begun.set(projectId, begunStore(store, signal));
    },
  };
}
