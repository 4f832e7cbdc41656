import type { ActionName, Values } from '../../inputs.ts';
import { diagnose } from '../../kernel/diagnostic.ts';
import { safe, unsafeText } from '../../kernel/text/safe.ts';
import type { LedgerKeeper, OpenLedger } from '../../ledger/ledger-keeper.ts';
import { emptyLedger, fingerprintsOf, type Ledger } from '../../ledger/model/ledger.ts';
import type { LedgerContext } from '../../ledger/model/seal.ts';
import { valueMarksOf } from '../../ledger/model/value-marks.ts';
import { EarlyEnd, type Host } from '../host.ts';
import type { Step } from '../step.ts';
import {
  type LedgerSettings,
  note,
  readLedger,
  reportLedgerUnusable,
  saveLedger,
} from './kept-ledger.ts';
import { type LedgerStores, openStores, type Remembered, type StoreValues } from './stores.ts';

/** The inputs that decide where a run's ledgers are kept, and for what. */
type LedgerValues = StoreValues & Pick<Values<'deploy'>, 'env-on-conflict' | 'mode'>;

/** The ledgers of a run. */
export interface Ledgers extends LedgerKeeper {
  /** Resolves once every save has succeeded or failed. */
  allSaved(): Promise<void>;
}

/** The ledgers of a run that syncs variables: in the Actions cache, in a file, or nowhere. */
export function ledgersFor(
  values: LedgerValues,
  remembered: Remembered,
  { context: run, environment }: Pick<Step<ActionName>, 'context' | 'environment'>,
  { host, stores: begun }: { host: Host; stores?: LedgerStores | undefined },
): Ledgers {
  const stores = begun ?? openStores(values, remembered, { context: run, environment });
  return ledgersIn(stores, host, {
    baseUrl: values['base-url'],
    onlyPlans: values.mode === 'plan',
    isNeeded: values['env-on-conflict'] !== 'overwrite',
    context: run,
  });
}

/** What ledgers need of a run. */
type KeepingRun = Pick<LedgerSettings, 'onlyPlans' | 'isNeeded' | 'context'> & { baseUrl: string };

/** Keeps a run's ledgers in these stores. A ledger is opened once; its parts are saved one after another. */
export function ledgersIn(
  stores: LedgerStores,
  host: Host,
  { baseUrl, ...run }: KeepingRun,
): Ledgers {
  const { keys, where, hasVariables, input, topic } = stores;
  const settings: LedgerSettings = { ...run, input, where, hasVariables, host };
  let saving: Promise<void> = Promise.resolve();
  const open = async (projectId: string): Promise<OpenLedger> => {
    const fingerprint = fingerprintsOf(projectId, keys.fingerprint);
    const marks = valueMarksOf(projectId, keys);
    const context: LedgerContext = { topic, baseUrl, projectId, keys };
    const store = stores.of(projectId);
    if (store === undefined) {
      const problem = safe`No ledger is kept (${unsafeText(input)}: off).`;
      return { ledger: emptyLedger, problem, fingerprint, marks, save: () => undefined };
    }
    const found = await readLedger(store, context, settings, host.signal);
    const { ledger, problem, others } = found;
    if (others !== undefined) throw new EarlyEnd('failed', diagnose('SD4013', others));
    if (problem !== undefined) reportLedgerUnusable(settings, problem);
    let latest = ledger;
    const begin = (parts: Partial<Ledger>) => {
      const next = { ...latest, ...parts };
      latest = next;
      saving = saving
        .then(() => saveLedger(store, context, settings, found, next))
        .catch(() => note(host, safe`The run ended before the ledger was saved.`));
    };
    return { ledger, ...(problem && { problem }), fingerprint, marks, save: begin };
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
