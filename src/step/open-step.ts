import { setImmediate as nextTurn } from 'node:timers/promises';
import { common, type InputTable, type ValuesOf } from '../inputs/input.ts';
import { reword } from '../kernel/diagnostic.ts';
import { createRedact, createSanitize, isPublicValue } from '../kernel/text/redact.ts';
import type { Platform } from '../platform.ts';
import { systemClock } from '../service/clock.ts';
import { createTransport, type Prefetch, type Transport } from '../service/http.ts';
import type { ServiceValues } from './access.ts';
import type { LedgerStores, Remembered, StoreValues } from './ledgers/stores.ts';
import { readInputs } from './read-values.ts';
import { type Bounds, boundRun, type OpenLog, type Step } from './step.ts';
import { userAgent } from './version.ts';

/** The values that a step must not show. */
export interface Hidden {
  /** The secret values of its variables. */
  secrets: readonly string[];
  /** True for the hostnames that the step reports: a value that is such an address is not a secret. */
  isReported?: (hostname: string) => boolean;
}

/** An open step: its secrets are masked, and nothing was sent or printed before. Disposing ends its time limit. */
export type OpenStep<All> = Step<All> & OpenLog & Bounds & { platform: Platform };

/**
 * Opens a step: its inputs, masks, bounds, the files and variables that the inputs name, their masks, its log.
 *
 * @param read reads what the inputs name; it sends and prints nothing, because its secrets are not masked yet
 */
export async function openStep<Table extends InputTable, Read extends Hidden>(
  platform: Platform,
  table: Table,
  read: (step: Step<ValuesOf<Table>>) => Promise<Read>,
): Promise<OpenStep<ValuesOf<Table>> & { declared: Read }> {
  const { started, input, environment, secrets, readFile } = platform;
  const inputs = readInputs(table, input, platform.problems);
  platform.mask(inputs.secrets);
  const step: Step<ValuesOf<Table>> = {
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

/**
 * Masks the secrets that a step has read, which must come before any output, and opens its log.
 *
 * @param platform where it runs
 * @param inputs the values of its secret inputs, which are masked already
 */
function openLog(
  platform: Platform,
  inputs: readonly string[],
  { secrets, isReported = () => false }: Hidden,
): OpenLog {
  const hidden = secrets.filter((value) => !isPublicValue(value, isReported));
  platform.mask(hidden);
  const redact = createRedact([...inputs, ...platform.secrets, ...hidden]);
  const log = platform.openLog(redact);
  return {
    log,
    redact,
    warn: (diagnostic) =>
      log.write({
        kind: 'warning',
        diagnostic: reword(diagnostic, (text) => redact(text, 'all')),
      }),
  };
}

/** For an action whose inputs name nothing to read. */
export const nothingToRead = async (): Promise<Hidden> => ({ secrets: [] });

/**
 * Opens the transport to the service, and sends the first request if it is known.
 *
 * @returns once that is written, so that modules can be loaded while the service responds
 */
export async function connect(
  { redact, signal }: Pick<OpenStep<unknown>, 'redact' | 'signal'>,
  values: ServiceValues,
  first: Prefetch | undefined,
): Promise<Transport> {
  const { 'base-url': baseUrl, 'api-key': apiKey } = values;
  const clean = createSanitize(redact);
  const transport = createTransport({ baseUrl, apiKey, userAgent, clock: systemClock, clean });
  if (first !== undefined && !signal.aborted) await transport.begin({ ...first, signal });
  return transport;
}

/**
 * Begins to read the ledger of a project's variables, in parallel with the first request.
 *
 * @returns its stores; undefined if the step was aborted
 */
export async function beginLedger(
  step: Pick<OpenStep<unknown>, 'context' | 'environment' | 'signal'>,
  values: StoreValues,
  declared: Remembered,
  projectId: string,
): Promise<LedgerStores | undefined> {
  if (step.signal.aborted) return undefined;
  const { openStores } = await import('./ledgers/stores.ts');
  const stores = openStores(values, declared, step);
  stores.begin(projectId, step.signal);
  return stores;
}

/** Lets a connection that opens at once be written to before loading blocks the thread. */
export async function whenWritten(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await nextTurn();
}
