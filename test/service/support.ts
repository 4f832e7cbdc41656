import { createRedact } from '../../src/kernel/text/redact.ts';
import { clean, unsafeText } from '../../src/kernel/text/safe.ts';
import type { CallOptions, EventStream } from '../../src/service/call.ts';
import { createClient, type ServiceClient } from '../../src/service/client.ts';
import type { Clock } from '../../src/service/clock.ts';
import { ServiceError } from '../../src/service/errors.ts';
import type { ServerEvent } from '../../src/service/events.ts';

/** The key of every test. */
export const fakeKey = 'fake-key/of+tests=';

/** A project and a variable that are nowhere. */
export const projectId = '00000000-0000-4000-8000-00000000000a';
export const variableId = '00000000-0000-4000-8000-00000000000b';

/** The smallest environment that the client accepts. */
export const emptyEnvironment = JSON.stringify({ variables: [] });

/** The body of a `createVariable` that a service would accept. */
export const newVariable = { name: 'A', value: 'fake value', preview: true, production: true };

/** A clock that stands still but for the pauses that are asked of it; these end at once. */
export interface FakeClock extends Clock {
  /** The pauses so far, in milliseconds. */
  readonly pauses: readonly number[];
}

/** Starts a clock at a full second. */
export function fakeClock(): FakeClock {
  const pauses: number[] = [];
  let now = Date.parse('2030-01-01T00:00:00Z');
  return {
    pauses,
    now: () => now,
    sleep: async (milliseconds, signal) => {
      signal.throwIfAborted();
      pauses.push(milliseconds);
      now += milliseconds;
    },
  };
}

/** A client, and what drives it. */
export interface Opened extends AsyncDisposable {
  readonly client: ServiceClient;
  readonly clock: FakeClock;
  /** Ends the run. */
  readonly run: AbortController;
}

/** Makes a client whose time is driven, for a run that ends in an hour. */
export function openClient(baseUrl: string, options: Partial<CallOptions> = {}): Opened {
  const clock = fakeClock();
  const run = new AbortController();
  const redact = createRedact([fakeKey]);
  const client = createClient({
    baseUrl,
    apiKey: fakeKey,
    userAgent: 'tests/1',
    clean: (text) => unsafeText(clean(redact(text))),
    clock,
    deadline: clock.now() + 3_600_000,
    random: () => 0.5,
    signal: run.signal,
    ...options,
  });
  return { client, clock, run, [Symbol.asyncDispose]: () => client.close() };
}

/** Gives the error of a call that has to fail with one. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    (value) => new Error(`it succeeded with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw new Error('no ServiceError was thrown', { cause: error });
}

/** A stream from its start, whose words beside its events do not matter. */
export function follow(path: string, signal: AbortSignal): EventStream {
  const listener = { onRetry: () => {}, onOversized: () => {} };
  return { operation: 'follow', path, lastEventId: '', listener, signal };
}

/** What a stream said, in order. */
export interface Heard {
  readonly events: ServerEvent[];
  readonly retries: number[];
  oversized: number;
}

/** Opens a stream and reads it to its end. */
export async function readStream(
  client: ServiceClient,
  path: string,
  lastEventId = '',
): Promise<Heard> {
  const heard: Heard = { events: [], retries: [], oversized: 0 };
  const listener = {
    onRetry: (milliseconds: number) => heard.retries.push(milliseconds),
    onOversized: () => {
      heard.oversized += 1;
    },
  };
  const { signal } = new AbortController();
  const stream = { operation: 'follow', path, lastEventId, listener, signal };
  for await (const event of await client.openEvents(stream)) heard.events.push(event);
  return heard;
}
