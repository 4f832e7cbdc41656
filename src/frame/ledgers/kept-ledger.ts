import type { RunContext } from '../../github/runner.ts';
import { type Diagnostic, diagnose, printed } from '../../kernel/diagnostic.ts';
import { maySaveLedger, trustIn } from '../../kernel/event/trust.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import { emptyLedger, type Ledger, mergeLedgers } from '../../ledger/model/ledger.ts';
import {
  type LedgerContext,
  nonceLength,
  openLedger,
  sealLedger,
} from '../../ledger/model/seal.ts';
import { type LedgerStore, nothingSaved } from '../../ledger/store/store.ts';
import { startGracePeriod } from '../grace-period.ts';
import type { Host } from '../host.ts';

/** What a run's ledgers rest on. */
export interface LedgerSettings {
  /** The input that says it. */
  input: 'env-ledger' | 'ledger';
  /** `cache`, `off`, or the path of a file. */
  where: string;
  /** True: nothing is written, as with `mode: plan`. */
  onlyPlans: boolean;
  /** True: without a ledger the run cannot do what `env-on-conflict` asks of it. */
  isNeeded: boolean;
  /** True if variables are declared or are to be removed: else nothing is said of them. */
  hasVariables: boolean;
  context: RunContext;
  host: Host;
}

/** Tells something that is no fault. */
export const note = (host: Host, text: SafeText): void => host.report({ type: 'note', text });

/** Says why nothing is remembered, and what follows. */
export function tellLedgerUnusable(settings: LedgerSettings, why: SafeText): void {
  const { host, onlyPlans, isNeeded, hasVariables } = settings;
  if (!hasVariables) return;
  const again = safe`variables that exist ${onlyPlans ? safe`would be` : safe`are`} written again`;
  const text = !isNeeded
    ? safe`${why} So ${again}.`
    : safe`${why} So what was changed elsewhere cannot be told from what this action wrote: ${again} whatever env-on-conflict says.`;
  const diagnostic = diagnose('SD4010', text);
  if (isNeeded) host.report({ type: 'warning', diagnostic });
  else note(host, printed(diagnostic));
}

/** A ledger as it is kept. */
interface KeptLedger {
  ledger: Ledger;
  /** Why it cannot be had; undefined if it can. */
  problem?: SafeText;
  /** False: the file is something else, and must not be replaced. What is in the cache under our keys is ours. */
  isReplaceable: boolean;
  /** Whose the file is, if it is another's ledger, and what to do. */
  others?: SafeText;
}

/** What is said of a file that is another's ledger. */
function tellOthers(
  { input, where, host }: LedgerSettings,
  problem: string,
  owner: 'action' | 'key',
): SafeText {
  const whose = safe`${unsafeText(input)}: ${host.clean(where)} ${unsafeText(problem)}`;
  return owner === 'action'
    ? safe`${whose}, and is left as it is. Give each of them a file of its own.`
    : safe`${whose}, and is left as it is. Set ${unsafeText(input)}-key to the secret that sealed it (without one it was the api-key), or delete the file.`;
}

/** Reads the ledger of a project. */
export async function readLedger(
  store: LedgerStore,
  context: LedgerContext,
  settings: LedgerSettings,
  signal: AbortSignal,
): Promise<KeptLedger> {
  const { host, where } = settings;
  const loaded = await store.load(signal);
  if (!('text' in loaded)) {
    const isNone = loaded.absent === nothingSaved;
    const problem = isNone
      ? safe`No ledger was found for this project and key.`
      : host.clean(loaded.absent);
    return { ledger: emptyLedger, problem, isReplaceable: isNone || where === 'cache' };
  }
  const opened = openLedger(loaded.text, context);
  if ('ledger' in opened) return { ledger: opened.ledger, isReplaceable: true };
  const problem = safe`The ledger cannot be used: it ${unsafeText(opened.problem)}.`;
  // A save to the cache makes a new entry: there is nothing that it could spoil.
  const { owner } = opened;
  if (where !== 'cache' && owner !== undefined) {
    const others = tellOthers(settings, opened.problem, owner);
    return { ledger: emptyLedger, problem, isReplaceable: false, others };
  }
  const isReplaceable = where === 'cache' || opened.isLedger || loaded.text.trim() === '';
  return { ledger: emptyLedger, problem, isReplaceable };
}

/** Why a file that is no ledger of ours is not replaced. */
function whyNotKept({ input, where, host }: LedgerSettings, { others }: KeptLedger): Diagnostic {
  if (others !== undefined) return diagnose('SD4013', safe`The ledger was not kept. ${others}`);
  const text = safe`${unsafeText(input)}: ${host.clean(where)} is something else than a ledger, and is left as it is. Name another file, or remove it.`;
  return diagnose('SD4011', text);
}

/** Keeps a project's ledger, with what another run may have kept meanwhile. */
export async function saveLedger(
  store: LedgerStore,
  context: LedgerContext,
  settings: LedgerSettings,
  found: KeptLedger,
  ledger: Ledger,
): Promise<void> {
  const { host, onlyPlans, context: run } = settings;
  if (onlyPlans) return;
  if (!maySaveLedger(trustIn(run.event))) {
    note(host, safe`The ledger is only read in a run that may come from outside the repository.`);
    return;
  }
  const { whole: signal } = startGracePeriod(host.signal);
  // Another run may have kept its own since this one looked; a run that was cut off has no time to ask.
  const now = host.signal.aborted ? found : await readLedger(store, context, settings, signal);
  if (!found.isReplaceable || !now.isReplaceable) {
    host.report({ type: 'warning', diagnostic: whyNotKept(settings, now) });
    return;
  }
  const merged = mergeLedgers(found.ledger, ledger, now.ledger);
  const nonce = crypto.getRandomValues(new Uint8Array(nonceLength));
  const problem = await store.save(sealLedger(merged, context, nonce), signal);
  if (problem === undefined) return;
  const text = safe`${host.clean(problem)} The next run cannot tell what this one wrote from what somebody else writes.`;
  note(host, text);
}
