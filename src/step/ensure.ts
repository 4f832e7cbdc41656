import type { Operation } from '../contract/operations.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { notShown, ServiceError, unproven } from '../service/errors.ts';
import type { Host } from './step.ts';

/**
 * Something to create or set in the service. `Shown` is a state that confirms it; undefined stands for what doesn't
 * exist.
 */
export interface TargetState<State, Shown extends State | undefined> {
  operation: Operation;
  /**
   * Sends the request, and returns the state in its response.
   *
   * @param suffix part of the idempotency key of a harmless request: it differs for a repetition, so that a service that
   * replays responses runs it again
   */
  send(suffix: string): Promise<State | undefined>;
  /** Reads the state after an unclear response. */
  read(): Promise<State | undefined>;
  isShown(state: State | undefined): state is Shown;
  /** Describes the state that a read shows instead; only for harmless requests. */
  describe?(state: State | undefined): SafeText;
}

/** The confirmed state. */
export interface Ensured<Shown> {
  state: Shown;
  /** True if it was sent more than once: it may exist twice. */
  isRepeated: boolean;
}

/**
 * Creates or sets something in the service until a state confirms it: that in the response, or else one that is read.
 * The interface doesn't specify the effect of an idempotency key, so a request that does harm twice is repeated only
 * after a read that doesn't show it, at most three times in all. A harmless one is repeated by the client if it is lost,
 * and once more here if it was reported as a success but is not confirmed.
 *
 * @throws ServiceError if it was refused or lost, and nothing confirms it
 */
export async function ensure<State, Shown extends State | undefined>(
  host: Host,
  desired: TargetState<State, Shown>,
): Promise<Ensured<Shown>> {
  for (let tries = 1; ; tries += 1) {
    const isRepeated = tries > 1;
    const ending = await sendOnce(desired, isRepeated ? ', repeated' : '');
    if ('state' in ending) return { ...ending, isRepeated };
    const shown = await readAfter(host, desired, ending.error);
    if (desired.isShown(shown)) return { state: shown, isRepeated };
    const error = finalError(desired, ending.error, shown, tries);
    if (error !== undefined) throw error;
    if (isHarmless(desired.operation)) await host.clock.sleep(pause, host.signal);
  }
}

/** Sends it. Returns the confirmed state, or the error after which it may have taken effect. @throws other errors */
async function sendOnce<State, Shown extends State | undefined>(
  { operation, send, isShown }: TargetState<State, Shown>,
  suffix: string,
): Promise<{ state: Shown } | { error: ServiceError }> {
  try {
    const state = await send(suffix);
    if (isShown(state)) return { state };
    return { error: unproven(operation, safe`its response does not confirm it`) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // An earlier attempt or another user created what exists already, or removed what is gone already.
    const isSoAlready = error.status === 409 || (error.status === 404 && isHarmless(operation));
    if (error.mayHaveArrived || isSoAlready) return { error };
    throw error;
  }
}

/** Reads the state after an unclear response. @throws the error of the request, if the read fails */
async function readAfter<State, Shown extends State | undefined>(
  { clock, signal }: Host,
  { operation, read }: TargetState<State, Shown>,
  error: ServiceError,
): Promise<State | undefined> {
  if (!isHarmless(operation)) await clock.sleep(error.pauseAfter(pause), signal);
  return await read().catch((cause: unknown) => {
    if (!(cause instanceof ServiceError)) throw cause;
    const isLost = isHarmless(operation) && error.effect !== 'done';
    throw isLost ? error : notShown(error, cause);
  });
}

/** The pause before the service is queried again, in milliseconds. */
const pause = 500;

/** The error of a request that a read doesn't confirm either; undefined if it is to be sent again. */
function finalError<State, Shown extends State | undefined>(
  { operation, describe }: TargetState<State, Shown>,
  error: ServiceError,
  shown: State | undefined,
  tries: number,
): ServiceError | undefined {
  if (!isHarmless(operation)) return error.effect === 'none' || tries === 3 ? error : undefined;
  if (error.effect !== 'done' || describe === undefined) return error;
  return tries === 2
    ? unproven(operation, safe`a check afterwards shows ${describe(shown)}`)
    : undefined;
}

/** Doing it twice does no harm: the client repeats it automatically if a response is lost. */
const isHarmless = ({ repeat }: Operation): boolean => repeat === 'with-key';

/** True if something exists. */
export const isThere = <State>(state: State | undefined): state is State => state !== undefined;

/** The warning about a request that was sent more than once. */
export function describeRepetition(what: SafeText): SafeText {
  return safe`${what} was sent twice because the first response was lost or unusable. It may exist twice: check the service.`;
}
