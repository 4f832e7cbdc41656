import { ServiceError } from '../service/errors.ts';
import type { Host } from './host.ts';
import { Unproven, unseen } from './unproven.ts';

/** The pause before a write is repeated that was answered with success and did not show, in milliseconds. */
const pause = 500;

/**
 * What something of the service is to become, by a request that does no harm when it is repeated. `So` is a state
 * that shows it; undefined stands for what is not there.
 */
export interface Wanted<State, So extends State | undefined> {
  /** In words, such as "assign the domain". */
  operation: string;
  /**
   * Sends the request.
   *
   * @param suffix ends the name of the operation of which the idempotency key is made: another for a repetition, so
   * that a service which replays answers does it anew
   */
  send(suffix: string): Promise<State | undefined>;
  /** Reads how it is; undefined if it is not there. */
  look(): Promise<State | undefined>;
  isSo(state: State | undefined): state is So;
  /** What a look shows instead, in clean words. */
  describe(state: State | undefined): string;
}

/** Answers that may mean that it is so already: to what is there, or to what is gone. */
const already: ReadonlySet<number> = new Set([404, 409]);

/** True if what a request asked for may be so although it failed. */
function mayBeSo(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const { mayHaveArrived, status, details } = error;
  return mayHaveArrived || already.has(status ?? 0) || details.earlier !== undefined;
}

/** How a request ended: with a state, or with an error after which what it asked for may be so. */
type Ending<State> = { state: State | undefined } | { error: ServiceError };

async function sendOnce<State>(
  { send }: Pick<Wanted<State, State>, 'send'>,
  suffix: string,
): Promise<Ending<State>> {
  try {
    return { state: await send(suffix) };
  } catch (error) {
    if (mayBeSo(error)) return { error };
    throw error;
  }
}

/** Looks after a request. @throws what speaks of the request, if nothing can be seen */
async function lookAfter<State>(
  { operation, look }: Pick<Wanted<State, State>, 'operation' | 'look'>,
  ending: Ending<State>,
): Promise<State | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if ('error' in ending && ending.error.fault !== 'body') throw ending.error;
    throw new Unproven(operation, unseen(error));
  }
}

/**
 * Makes something so. What counts is a state that shows it: the answer, or else a look. A request that was answered
 * with success and does not show is repeated once.
 *
 * @returns the state that shows it
 * @throws ServiceError if it was refused or lost, and is not so; or Unproven
 */
export async function makeSo<State, So extends State | undefined>(
  host: Host,
  wanted: Wanted<State, So>,
): Promise<So> {
  const { operation, isSo, describe } = wanted;
  for (let suffix = ''; ; suffix = ', repeated') {
    const ending = await sendOnce(wanted, suffix);
    if ('state' in ending && isSo(ending.state)) return ending.state;
    const seen = await lookAfter(wanted, ending);
    if (isSo(seen)) return seen;
    if ('error' in ending && ending.error.fault !== 'body') throw ending.error;
    if (suffix !== '') throw new Unproven(operation, `a look after it shows ${describe(seen)}`);
    await host.clock.sleep(pause, host.signal);
  }
}
