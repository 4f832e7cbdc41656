import type { LedgerKeeper, OpenLedger } from '../commands/environment/ledger-keeper.ts';
import type { Host } from '../commands/host.ts';
import { mayRemember } from '../core/event.ts';
import { deriveLedgerKeys } from '../core/ledger/keys.ts';
import { emptyLedger, fingerprintsOf, type Ledger } from '../core/ledger/ledger.ts';
import { type LedgerContext, nonceLength, openLedger, sealLedger } from '../core/ledger/seal.ts';
import { cacheStore } from '../github/ledger-store/cache.ts';
import { fileStore } from '../github/ledger-store/file.ts';
import { type LedgerStore, nothingSaved } from '../github/ledger-store/store.ts';
import { type RunContext, type StepEnvironment, scriptBeside } from '../github/runner.ts';
import type { ActionName, Values } from '../inputs.ts';
import { startPatience } from './patience.ts';
import type { Step } from './step.ts';

/** The inputs that say where a run's ledgers are kept. */
type LedgerValues = Partial<
  Pick<
    Values<'deploy'>,
    'api-key' | 'base-url' | 'env-ledger' | 'env-ledger-key' | 'env-prune' | 'mode'
  >
>;

/** What a run's ledgers rest on. */
interface Settings {
  /** `cache`, `off`, or the path of a file. */
  where: string;
  /** False: nothing is to be kept. */
  keeps: boolean;
  baseUrl: string;
  context: RunContext;
  environment: StepEnvironment;
  host: Host;
}

function storeFor(settings: Settings, { baseUrl, projectId, keys }: LedgerContext) {
  const { where, environment, context } = settings;
  if (where === 'off') return undefined;
  if (where !== 'cache') return fileStore(context.workspace, where);
  return cacheStore({
    environment,
    script: scriptBeside('ledger-cache.js'),
    parts: [baseUrl, projectId, keys.id],
    runId: context.identity.runId,
  });
}

const note = (host: Host, text: string): void => host.report({ type: 'note', text });

const consequence = 'variables that exist are written again';

async function load(
  store: LedgerStore,
  context: LedgerContext,
  { host }: Settings,
): Promise<Ledger> {
  const loaded = await store.load(host.signal);
  if (!('text' in loaded)) {
    const none = 'No ledger was kept yet.';
    const why = loaded.absent === nothingSaved ? none : host.clean(loaded.absent);
    note(host, `${why} So ${consequence}.`);
    return emptyLedger;
  }
  const opened = openLedger(loaded.text, context);
  if ('ledger' in opened) return opened.ledger;
  note(host, `The ledger cannot be used: it ${opened.problem}. So ${consequence}.`);
  return emptyLedger;
}

async function save(
  store: LedgerStore,
  context: LedgerContext,
  { host, keeps, context: run }: Settings,
  ledger: Ledger,
): Promise<void> {
  if (!keeps) return;
  if (!mayRemember(run.event)) {
    note(host, 'The ledger is only read in a run that may come from outside the repository.');
    return;
  }
  const sealed = sealLedger(ledger, context, crypto.getRandomValues(new Uint8Array(nonceLength)));
  const problem = await store.save(sealed, startPatience(host.signal).whole);
  if (problem === undefined) return;
  note(host, `${host.clean(problem)} The next run writes its variables again.`);
}

/** The ledgers of a run. */
export interface Ledgers extends LedgerKeeper {
  /** Resolves once all that a command had kept is kept, or given up. */
  settled(): Promise<void>;
}

/** Keeps a run's ledgers as the inputs say: in the Actions cache, in a file, or nowhere. */
export function ledgersFor(
  values: LedgerValues,
  { variables }: { variables: readonly unknown[] },
  { context: run, environment }: Pick<Step<ActionName>, 'context' | 'environment'>,
  host: Host,
): Ledgers {
  const isNeeded = variables.length > 0 || values['env-prune'] === true;
  const settings: Settings = {
    where: isNeeded ? (values['env-ledger'] ?? 'cache') : 'off',
    keeps: values.mode !== 'plan',
    baseUrl: values['base-url'] ?? '',
    context: run,
    environment,
    host,
  };
  const keys = deriveLedgerKeys(values['env-ledger-key'] ?? values['api-key'] ?? '');
  const saving: Promise<void>[] = [];
  return {
    settled: async () => {
      await Promise.all(saving);
    },
    open: async (givenId): Promise<OpenLedger> => {
      const projectId = givenId.toLowerCase();
      const fingerprint = fingerprintsOf(projectId, keys.fingerprint);
      const context: LedgerContext = { baseUrl: settings.baseUrl, projectId, keys };
      const store = storeFor(settings, context);
      if (store === undefined) {
        return { ledger: emptyLedger, fingerprint, save: () => undefined };
      }
      const ledger = await load(store, context, settings);
      const begin = (next: Ledger) => {
        saving.push(save(store, context, settings, next));
      };
      return { ledger, fingerprint, save: begin };
    },
  };
}
