import { setImmediate as nextTurn } from 'node:timers/promises';
import { common } from '../inputs/input.ts';
import type { ActionName, InputsOf } from '../inputs.ts';
import type { Platform } from '../platform.ts';
import type { Transport } from '../service/http.ts';
import type { Prefetch } from '../service/prefetch.ts';
import { type AccessValues, openTransport } from '../step/first-request.ts';
import type { LedgerStores, Remembered, StoreValues } from '../step/ledgers/stores.ts';
import { type Hidden, type OpenLog, openLog } from '../step/open-log.ts';
import { RunAborted, type Step } from '../step/step.ts';
import { type Bounds, boundRun, readInputs } from './preflight/inputs.ts';

/** An open step: its secrets are masked, and nothing was sent or printed before. Disposing ends its time limit. */
export type OpenStep<Name extends ActionName> = Step<Name> &
  OpenLog &
  Bounds & { platform: Platform };

/**
 * Opens a step: its inputs, masks, bounds, the files and variables that the inputs name, their masks, its log.
 *
 * @param read reads what the inputs name; it sends and prints nothing, because its secrets are not masked yet
 */
export async function openStep<Name extends ActionName, Read extends Hidden>(
  platform: Platform,
  table: InputsOf<Name>,
  read: (step: Step<Name>) => Promise<Read>,
): Promise<OpenStep<Name> & { declared: Read }> {
  const { started, input, environment, secrets, readFile } = platform;
  const inputs = readInputs(table, input, platform.problems);
  platform.mask(inputs.secrets);
  const step: Step<Name> = {
    inputs,
    context: platform.readContext(),
    environment,
    secrets,
    readFile,
  };
  // Through the common table: the generic type doesn't show that every action has a timeout.
  const bounds = boundRun(platform.onCancel, started, readInputs(common, input).get('timeout'));
  try {
    const declared = await read(step);
    const opened = openLog(platform, inputs.secrets, declared);
    return { ...step, ...bounds, ...opened, declared, platform };
  } catch (error) {
    bounds[Symbol.dispose]();
    throw error;
  }
}

/** For an action whose inputs name nothing to read. */
export const nothingToRead = async (): Promise<Hidden> => ({ secrets: [] });

/** A step that was aborted before its first request has sent nothing, and ends so. @throws any other error */
export function orAborted(error: unknown): RunAborted {
  if (error instanceof RunAborted) return error;
  throw error;
}

/**
 * Opens the transport to the service, and sends the first request if it is known.
 *
 * @returns once that is written, so that modules can be loaded while the service responds
 */
export async function connect(
  { redact, signal }: Pick<OpenStep<ActionName>, 'redact' | 'signal'>,
  values: AccessValues,
  first: Prefetch | undefined,
): Promise<Transport> {
  const transport = openTransport(values, redact);
  if (first !== undefined && !signal.aborted) await transport.begin({ ...first, signal });
  return transport;
}

/**
 * Begins to read the ledger of a project's variables, in parallel with the first request.
 *
 * @returns its stores; undefined if the step was aborted
 */
export async function beginLedger(
  step: Pick<OpenStep<ActionName>, 'context' | 'environment' | 'signal'>,
  values: StoreValues,
  declared: Remembered,
  projectId: string,
): Promise<LedgerStores | undefined> {
  if (step.signal.aborted) return undefined;
  const { openStores } = await import('../step/ledgers/stores.ts');
  const stores = openStores(values, declared, step);
  stores.begin(projectId, step.signal);
  return stores;
}

/** Lets a connection that opens at once be written to before loading blocks the thread. */
export async function whenWritten(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await nextTurn();
}
