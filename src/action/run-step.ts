import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Start } from '../frame/action.ts';
import { type AccessValues, beginFirstRequest, openTransport } from '../frame/first-request.ts';
import type { LedgerStores } from '../frame/ledgers/stores.ts';
import { type Hidden, openLog } from '../frame/open-log.ts';
import { RunAborted, type Step, type StepEnd } from '../frame/step.ts';
import { common } from '../inputs/input.ts';
import type { ActionName } from '../inputs.ts';
import type { Platform } from '../platform.ts';
import type { RunReport } from '../report/closing.ts';
import type { Transport } from '../service/http.ts';
import { boundRun, readInputs } from './preflight/inputs.ts';

/** A step that was aborted while it was prepared has sent nothing. */
function endAborted(error: unknown): RunAborted {
  if (error instanceof RunAborted) return error;
  throw error;
}

/**
 * Runs a step of any action, from its inputs to its report. This function has everything up to the first requests, in
 * this order: inputs, masks, bounds, the files and variables that the inputs name, their masks, preparation, the first
 * requests. The rest is loaded while these run.
 */
export async function runStep<
  Name extends ActionName,
  Read extends Hidden,
  Work extends { values: AccessValues },
  Report extends RunReport,
>(start: Start<Name, Read, Work, Report>, platform: Platform): Promise<StepEnd> {
  const { started, input, environment, secrets, readFile } = platform;
  const inputs = readInputs(start.inputs, input, platform.problems);
  platform.mask(inputs.secrets);
  const context = platform.readContext();
  const step: Step<Name> = { inputs, context, environment, secrets, readFile };
  // Through the common table: the generic type doesn't show that every action has a timeout.
  using bounds = boundRun(platform.onCancel, started, readInputs(common, input).get('timeout'));
  const { signal } = bounds;
  const read = await start.read(step);
  const opened = openLog(platform, inputs.secrets, read);
  const { log, redact, warn } = opened;
  const prepared = await Promise.resolve(start.prepare(step, read, { warn, signal })).catch(
    endAborted,
  );
  let transport: Transport | undefined;
  let stores: LedgerStores | undefined;
  if (!(prepared instanceof RunAborted) && prepared.kind === 'work') {
    for (const entry of prepared.logEntries) log.write(entry);
    transport = openTransport(prepared.work.values, redact);
    await beginFirstRequest(transport, start.firstRequest(prepared.work), signal);
    if (!signal.aborted && start.beginOthers !== undefined) {
      stores = await start.beginOthers(step, read, prepared.work, signal);
      // Lets a connection that opens at once be written to before loading blocks the thread.
      for (let turns = 0; turns < 3; turns += 1) await nextTurn();
    }
  }
  const [{ finishStep }, action, kept] = await Promise.all([
    import('./finish-step.ts'),
    start.load(),
    platform.load(),
    // Loaded now, so that nothing is left to load after the responses.
    import('./report-end.ts'),
  ]);
  return await finishStep(action, {
    started,
    step,
    bounds,
    kept,
    read,
    opened,
    prepared,
    transport,
    stores,
  });
}
