import type { Operation } from '../contract/operations.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError, unproven, unseen } from '../service/errors.ts';
import type { Host } from './host.ts';

/** The pause before the service is asked again, in milliseconds. */
const pause = 500;

/**
 * Something that is to be created in the service, or to become so. `Shown` is a state that shows it; undefined stands
 * for what is not there.
 */
export interface Wanted<State, Shown extends State | undefined> {
  operation: Operation;
  /**
   * Sends the request, and gives what its answer shows.
   *
   * @param suffix of the name of which the idempotency key is made, for what does no harm when it is done twice: it
   * is another for a repetition, so that a service which replays answers does it anew
   */
  send(suffix: string): Promise<State | undefined>;
  /** Sees how it is after an answer that is unclear. */
  look(): Promise<State | undefined>;
  isShown(state: State | undefined): state is Shown;
  /** What a look shows instead: of what does no harm when it is done twice. */
  describe?(state: State | undefined): SafeText;
}

/** What is shown now. */
export interface Ensured<Shown> {
  state: Shown;
  /** True if it was sent more than once: what was created may come to be there twice. */
  isRepeated: boolean;
}

/** True of whatever is there. */
export const isThere = <State>(state: State | undefined): state is State => state !== undefined;

/** What is known of something that was asked for more than once. */
export function describeRepetition(what: SafeText): SafeText {
  return safe`${what} was sent again, because its answer was lost or useless and nothing showed that it had arrived. If the first request takes effect late, and the service does not heed the idempotency key, it is there twice: look at the service.`;
}

/** To do it twice does no harm: the client repeats it by itself where an answer is lost. */
const isHarmless = ({ repeat }: Operation): boolean => repeat === 'with-key';

/** Sends it. Gives what shows it, or the error after which it may be so all the same. @throws any other error */
async function sendOnce<State, Shown extends State | undefined>(
  { operation, send, isShown }: Wanted<State, Shown>,
  suffix: string,
): Promise<{ state: Shown } | { error: ServiceError }> {
  try {
    const state = await send(suffix);
    if (isShown(state)) return { state };
    return { error: unproven(operation, safe`its answer does not show it`) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // What is there already was made, and what is gone already was removed, by an earlier try or somebody else.
    const isSoAlready = error.status === 409 || (error.status === 404 && isHarmless(operation));
    if (error.mayHaveArrived || isSoAlready) return { error };
    throw error;
  }
}

/** Looks after an unclear answer. @throws what is known of the request, if the look fails */
async function lookAfter<State, Shown extends State | undefined>(
  { clock, signal }: Host,
  { operation, look }: Wanted<State, Shown>,
  error: ServiceError,
): Promise<State | undefined> {
  if (!isHarmless(operation)) await clock.sleep(error.pauseAfter(pause), signal);
  return await look().catch((cause: unknown) => {
    if (!(cause instanceof ServiceError)) throw cause;
    const isLost = isHarmless(operation) && error.effect !== 'done';
    throw isLost ? error : unseen(error, cause);
  });
}

/** What to throw of a request that a look does not show either; undefined if it is to be sent again. */
function finalError<State, Shown extends State | undefined>(
  { operation, describe }: Wanted<State, Shown>,
  error: ServiceError,
  seen: State | undefined,
  tries: number,
): ServiceError | undefined {
  if (!isHarmless(operation)) return error.effect === 'none' || tries === 3 ? error : undefined;
  if (error.effect !== 'done' || describe === undefined) return error;
  return tries === 2
    ? unproven(operation, safe`a look after it shows ${describe(seen)}`)
    : undefined;
}

/**
 * Has the service create something, or make it so. What counts is a state that shows it: the answer's, or else that
 * of a look. What an idempotency key does is not shown in the interface, so what does harm when it is done twice is
 * sent again only after a look that does not show it, three times at most. Of the rest, the client has repeated what
 * was lost, and what was answered with success and does not show is sent once more.
 *
 * @throws ServiceError if it was refused or lost, and nothing shows it
 */
export async function ensure<State, Shown extends State | undefined>(
  host: Host,
  wanted: Wanted<State, Shown>,
): Promise<Ensured<Shown>> {
  for (let tries = 1; ; tries += 1) {
    const isRepeated = tries > 1;
    const ending = await sendOnce(wanted, isRepeated ? ', repeated' : '');
    if ('state' in ending) return { ...ending, isRepeated };
    const seen = await lookAfter(host, wanted, ending.error);
    if (wanted.isShown(seen)) return { state: seen, isRepeated };
    const error = finalError(wanted, ending.error, seen, tries);
    if (error !== undefined) throw error;
    if (isHarmless(wanted.operation)) await host.clock.sleep(pause, host.signal);
  }
}
