import type { LedgerKeeper, OpenLedger } from '../../commands/environment/ledger-keeper.ts';
import type { Host } from '../../commands/host.ts';
import { valueMarksOf } from '../../core/environment/value-marks.ts';
import { emptyLedger, fingerprintsOf, type Ledger } from '../../core/ledger/ledger.ts';
import type { LedgerContext } from '../../core/ledger/seal.ts';
import { safe } from '../../core/text/safe.ts';
import type { ActionName, Values } from '../../inputs.ts';
import { keysOf } from '../recording/access.ts';
import type { Step } from '../step.ts';
import {
  type LedgerSettings,
  note,
  readLedger,
  saveLedger,
  storeFor,
  tellLedgerUnusable,
} from './kept-ledger.ts';

/** The inputs that say where a run's ledgers are kept, and what for. */
type LedgerValues = Pick<
  Values<'deploy'>,
  | 'api-key'
  | 'base-url'
  | 'env-ledger'
  | 'env-ledger-key'
  | 'env-on-conflict'
  | 'env-prune'
  | 'mode'
>;

/** The ledgers of a run. */
export interface Ledgers extends LedgerKeeper {
  /** Resolves once all that a command had kept is kept, or given up. */
  allSaved(): Promise<void>;
}

/** What a run remembers something of: its variables, and whether it declares DNS records. */
interface Remembered {
  variables: readonly unknown[];
  hasRecords?: boolean;
}

/**
 * Keeps a run's ledgers as the inputs say: in the Actions cache, in a file, or nowhere. A ledger is opened once, and
 * its parts are saved one after the other.
 */
export function ledgersFor(
  values: LedgerValues,
  { variables, hasRecords = false }: Remembered,
  { context: run, environment }: Pick<Step<ActionName>, 'context' | 'environment'>,
  host: Host,
): Ledgers {
  const prunes = values['env-prune'];
  const hasVariables = variables.length > 0 || prunes;
  const settings: LedgerSettings = {
    where: hasVariables || hasRecords ? values['env-ledger'] : 'off',
    hasVariables,
    onlyPlans: values.mode === 'plan',
    isNeeded: prunes || values['env-on-conflict'] !== 'overwrite',
    baseUrl: values['base-url'],
    context: run,
    environment,
    host,
  };
  const keys = keysOf(values);
  const { scope } = run;
  let saving: Promise<void> = Promise.resolve();
  const open = async (projectId: string): Promise<OpenLedger> => {
    const fingerprint = fingerprintsOf(projectId, keys.fingerprint);
    const marks = valueMarksOf(projectId, keys);
    const context: LedgerContext = { baseUrl: settings.baseUrl, projectId, keys };
    const store = storeFor(settings, context);
    if (store === undefined) {
      const problem = safe`No ledger is kept (env-ledger: off).`;
      return { ledger: emptyLedger, problem, fingerprint, marks, scope, save: () => undefined };
    }
    const found = await readLedger(store, context, settings, host.signal);
    const { ledger, problem } = found;
    if (problem !== undefined) tellLedgerUnusable(settings, problem);
    let latest = ledger;
    const begin = (parts: Partial<Ledger>) => {
      const next = { ...latest, ...parts };
      latest = next;
      saving = saving
        .then(() => saveLedger(store, context, settings, found, next))
        .catch(() => note(host, safe`The run ended before the ledger was kept.`));
    };
    return { ledger, ...(problem && { problem }), fingerprint, marks, scope, save: begin };
  };
  const opened = new Map<string, Promise<OpenLedger>>();
  return {
    allSaved: () => saving,
    open: (projectId) => {
      const already = opened.get(projectId);
      if (already !== undefined) return already;
      const opening = open(projectId);
      opened.set(projectId, opening);
      return opening;
    },
  };
}
