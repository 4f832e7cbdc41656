import { type Diagnostic, diagnose, printed } from '../../kernel/diagnostic.ts';
import { maySaveLedger } from '../../kernel/event.ts';
import { type SafeText, safe } from '../../kernel/text/safe.ts';
import {
  decryptLedger,
  encryptLedger,
  type LedgerContext,
  nonceLength,
} from '../../ledger/model/encryption.ts';
import {
  emptyLedger,
  fingerprintsOf,
  type Ledger,
  type LedgerKeeper,
  mergeLedgers,
  type OpenLedger,
  valueMarksOf,
} from '../../ledger/model/ledger.ts';
import { type LedgerStore, nothingSaved } from '../../ledger/store/store.ts';
import type { RunContext } from '../../platform.ts';
import { startGracePeriod } from '../run-outcome.ts';
import { type Host, type Step, Stop } from '../step.ts';
import { type LedgerStores, openStores, type Remembered, type StoreValues } from './stores.ts';

/** The settings of a run's ledgers. */
interface LedgerSettings {
  /** `cache`, `off`, or the path of a file. */
  where: string;
  /** With `mode: plan`: nothing is written. */
  onlyPlans: boolean;
  /** True if `env-on-conflict` needs a ledger. */
  isNeeded: boolean;
  /** True if variables are declared or to be removed: else nothing is reported about them. */
  hasVariables: boolean;
  context: RunContext;
  host: Host;
}

/**
 * The ledgers of a run that syncs variables: in the Actions cache, in a file, or nowhere. A ledger is opened once; its
 * saves follow one another, and `allSaved` resolves once every one has succeeded or failed.
 */
export function ledgersFor(
  values: StoreValues & { 'env-on-conflict': string; mode: string },
  remembered: Remembered,
  { context: run, environment }: Pick<Step<unknown>, 'context' | 'environment'>,
  { host, stores: started }: { host: Host; stores?: LedgerStores | undefined },
): LedgerKeeper & { allSaved(): Promise<void> } {
  const stores = started ?? openStores(values, remembered, { context: run, environment });
  const { keys } = stores;
  const settings: LedgerSettings = {
    where: stores.where,
    hasVariables: stores.hasVariables,
    onlyPlans: values.mode === 'plan',
    isNeeded: values['env-on-conflict'] !== 'overwrite',
    context: run,
    host,
  };
  let saving: Promise<void> = Promise.resolve();
  const open = async (projectId: string): Promise<OpenLedger> => {
    const fingerprint = fingerprintsOf(projectId, keys.fingerprint);
    const marks = valueMarksOf(projectId, keys);
    const context: LedgerContext = { baseUrl: values['base-url'], projectId, keys };
    const store = stores.of(projectId);
    if (store === undefined) {
      const problem = safe`No ledger is kept (env-ledger: off).`;
      return { ledger: emptyLedger, problem, fingerprint, marks, save: () => undefined };
    }
    const found = await readLedger(store, context, settings, host.signal);
    const { ledger, problem, others } = found;
    if (others !== undefined) throw new Stop('failed', diagnose('SD4013', others));
    if (problem !== undefined) reportLedgerUnusable(settings, problem);
    const begin = (next: Ledger) => {
      saving = saving
        .then(() => saveLedger(store, context, settings, found, next))
        .catch(() => note(host, safe`The run ended before the ledger was saved.`));
    };
    return { ledger, problem, fingerprint, marks, save: begin };
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

/** A ledger as it was read. */
interface KeptLedger {
  ledger: Ledger;
  /** Why it can't be used; undefined if it can. */
  problem?: SafeText;
  /** False if the file is something else and must not be replaced. An entry in the cache always can be. */
  isReplaceable: boolean;
  /** Set if the file is another step's ledger: whose, and what to do. */
  others?: SafeText;
}

/** Reads the ledger of a project. */
async function readLedger(
  store: LedgerStore,
  context: LedgerContext,
  settings: LedgerSettings,
  signal: AbortSignal,
): Promise<KeptLedger> {
  const { host, where } = settings;
  const loaded = await store.load(signal);
  if (!('text' in loaded)) {
    const isNone = loaded.absent === nothingSaved;
    const problem = isNone ? noLedger : host.clean(loaded.absent);
    return { ledger: emptyLedger, problem, isReplaceable: isNone || where === 'cache' };
  }
  const decrypted = decryptLedger(loaded.text, context);
  if ('ledger' in decrypted) return { ledger: decrypted.ledger, isReplaceable: true };
  const problem = safe`The ledger cannot be used: it ${decrypted.problem}.`;
  // A save to the cache makes a new entry and overwrites nothing.
  if (where !== 'cache' && decrypted.isOtherKey) {
    const others = describeOthers(settings, decrypted.problem);
    return { ledger: emptyLedger, problem, isReplaceable: false, others };
  }
  const isReplaceable = where === 'cache' || decrypted.isLedger || loaded.text.trim() === '';
  return { ledger: emptyLedger, problem, isReplaceable };
}

/** The message about a file that is another step's ledger. */
function describeOthers({ where, host }: LedgerSettings, problem: SafeText): SafeText {
  return safe`env-ledger: ${host.clean(where)} ${problem} and was not changed. Set env-ledger-key to the secret it was saved with (by default the api-key), or delete the file.`;
}

/** That no ledger is saved, and when that happens. */
const noLedger = safe`First run, or no record of earlier ones (expired cache, new API key or env-ledger-key).`;

/** Reports why there is no ledger, and the consequence. */
function reportLedgerUnusable(settings: LedgerSettings, why: SafeText): void {
  const { host, onlyPlans, isNeeded, hasVariables } = settings;
  if (!hasVariables) return;
  const all = safe`${why} All variables ${onlyPlans ? safe`would be` : safe`are`} written.`;
  const text = isNeeded
    ? safe`${all} Changes made outside this action can't be detected, so env-on-conflict has no effect.`
    : all;
  const diagnostic = diagnose('SD4010', text);
  if (isNeeded) host.report({ type: 'warning', diagnostic });
  else note(host, printed(diagnostic));
}

/** Saves a project's ledger, merged with what another run may have saved meanwhile. */
async function saveLedger(
  store: LedgerStore,
  context: LedgerContext,
  settings: LedgerSettings,
  found: KeptLedger,
  ledger: Ledger,
): Promise<void> {
  const { host, context: run } = settings;
  if (!maySaveLedger(run.event.trust)) {
    note(host, safe`The ledger was not saved: this run may come from outside the repository.`);
    return;
  }
  const { whole: signal } = startGracePeriod(host.signal);
  // Another run may have saved its own since this one read it; an aborted run has no time to read again.
  const now = host.signal.aborted ? found : await readLedger(store, context, settings, signal);
  if (!found.isReplaceable || !now.isReplaceable) {
    host.report({ type: 'warning', diagnostic: whyNotKept(settings, now) });
    return;
  }
  const merged = mergeLedgers(found.ledger, ledger, now.ledger);
  const nonce = crypto.getRandomValues(new Uint8Array(nonceLength));
  const problem = await store.save(encryptLedger(merged, context, nonce), signal);
  if (problem === undefined) return;
  const text = safe`${host.clean(problem)} The next run can't distinguish this run's changes from others.`;
  note(host, text);
}

/** Why a file that is not our ledger is not replaced. */
function whyNotKept({ where, host }: LedgerSettings, { others }: KeptLedger): Diagnostic {
  if (others !== undefined) return diagnose('SD4013', safe`The ledger was not saved. ${others}`);
  const text = safe`env-ledger: ${host.clean(where)} is not a ledger and was not changed. Name another file, or delete it.`;
  return diagnose('SD4011', text);
}

/** Reports something that is not a warning. */
const note = (host: Host, text: SafeText): void => host.report({ type: 'note', text });
