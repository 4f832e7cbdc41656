import type { z } from 'zod';
import { isExcessive } from '../contract/json-value.ts';
import { type Operation, undescribedRead } from '../contract/operations.ts';
import { inWords } from '../contract/wire.ts';
import { parseJson } from '../kernel/json.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Clock } from './clock.ts';
import { errorOf, isHtml, ServiceError } from './errors.ts';
import { readEvents, type StreamListener } from './events.ts';
import {
  createTransport,
  type HttpRequest,
  type Transport,
  type TransportOptions,
} from './http.ts';

const tries = 5;
const firstPause = 500;
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** What a retry loop needs from outside. */
interface RetryContext {
  clock: Clock;
  signal: AbortSignal;
  /** The end of the run, in milliseconds since the epoch. */
  deadline: number;
  /** A number from 0 to 1. */
  random: () => number;
  /** Called before each pause, in milliseconds. */
  onPause?: (milliseconds: number, error: ServiceError) => void;
  /** Called for each attempt that may have arrived and is repeated. */
  onLost?: ((error: ServiceError) => void) | undefined;
}

/** The service's address and the bounds of the run. */
export type CallOptions = TransportOptions &
  Omit<RetryContext, 'clock' | 'onLost'> & {
    /** An open transport; by default a new one. It is closed with the caller. */
    transport?: Transport;
  };

/** The bounds of a call, in addition to those of the run. */
export interface CallBounds {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** In milliseconds since the epoch: no pause between two attempts goes past it. */
  deadline?: number | undefined;
}

/** One operation of the interface, filled in. */
export interface Call<T> extends CallBounds {
  operation: Operation;
  /** See `pathOf`. */
  path: string;
  /** The shape of the answer's body. */
  answer: z.ZodType<T>;
  /** The body, and its shape. */
  send?: { body: Readonly<Record<string, unknown>>; shape: z.ZodType };
  /** Called for each attempt that may have arrived and is repeated. */
  onLost?: ((error: ServiceError) => void) | undefined;
}

/** A `GET` that the interface does not describe, sent once. */
interface UndescribedRead {
  /** In words, such as "read the deployment". */
  operation: string;
  path: string;
  signal: AbortSignal;
}

/** A stream of events to open. */
export interface EventStream extends UndescribedRead {
  /** The id to resume after; empty at first. */
  lastEventId: string;
  listener: StreamListener;
}

/** An operation that the end of the run aborted. */
interface CutOff {
  operation: Operation;
  last?: ServiceError;
}

/** A stream is reopened after this many milliseconds without data. */
const streamSilence = 60_000;

/** An event id that is valid in a header; after any other a stream can't be resumed. */
const sendableId = /^[\x21-\x7e][\x20-\x7e]*$/;

/** `jitless`: compiling a parser for each shape takes longer than parsing the few bodies of a step. */
const parsing = { error: inWords, jitless: true } as const;

/**
 * Makes what sends the operations of a run; close it when the run ends. Every failure is a ServiceError, or the reason of
 * the run's signal.
 */
export function createCaller(options: CallOptions) {
  const transport = options.transport ?? createTransport(options);
  const { clean } = options;

  const failureOf = (
    request: Pick<HttpRequest, 'operation' | 'path'>,
    fault: 'invalid' | 'body',
    detail: SafeText,
  ): ServiceError => errorOf(request, clean, { fault, detail });

  const describeBody = (text: string): SafeText => {
    if (text.trim() === '') return safe`empty`;
    if (isHtml(text)) return safe`HTML`;
    return safe`not JSON: ${unsafeText(clean(text).slice(0, longestShown))}`;
  };

  const readJson = async (request: HttpRequest): Promise<unknown> => {
    const text = await transport.send(request);
    const json = parseJson(text);
    if (json !== undefined) return json;
    const detail = isExcessive(text)
      ? safe`the response has too many lists and objects, or too deeply nested ones`
      : safe`the response is ${describeBody(text)}`;
    throw failureOf(request, 'body', detail);
  };

  let cutOff: CutOff | undefined;

  return {
    /** Checks the body, sends it with retries as the operation allows, and checks the answer. */
    call: async <T>({
      answer,
      send,
      signal: ownSignal,
      deadline: ownDeadline,
      onLost,
      ...rest
    }: Call<T>): Promise<T> => {
      const signal =
        ownSignal === undefined ? options.signal : AbortSignal.any([options.signal, ownSignal]);
      const deadline = Math.min(options.deadline, ownDeadline ?? Number.POSITIVE_INFINITY);
      const request: HttpRequest = { ...rest, signal, body: send?.body };
      const checked = send?.shape.safeParse(send.body, parsing);
      if (checked?.success === false)
        throw failureOf(request, 'invalid', clean(firstIssue(checked.error)));
      const requested: CutOff = { operation: rest.operation };
      const onPause: CallOptions['onPause'] = (milliseconds, error) => {
        requested.last = error;
        options.onPause?.(milliseconds, error);
      };
      const context = { ...options, signal, deadline, onPause, onLost };
      const answering = withRetry(isRepeatable(rest.operation, send?.body), context, async () => {
        const parsed = answer.safeParse(await readJson(request), parsing);
        if (parsed.success) return parsed.data;
        const issue = clean(firstIssue(parsed.error));
        throw failureOf(request, 'body', safe`unusable response: ${issue}`);
      });
      return await answering.catch((error: unknown) => {
        if (options.signal.aborted) cutOff ??= requested;
        throw error;
      });
    },
    /** Reads JSON of any shape, once. */
    readOnce: ({ operation, ...rest }: UndescribedRead) =>
      readJson({ ...rest, operation: undescribedRead(operation) }),
    /** Opens a stream of events, once. */
    openEvents: async ({ operation, lastEventId, listener, ...rest }: EventStream) => {
      const headers: Record<string, string> = { accept: 'text/event-stream' };
      if (sendableId.test(lastEventId)) headers['last-event-id'] = lastEventId;
      const bodyTimeout = streamSilence;
      const request = { ...rest, operation: undescribedRead(operation), headers, bodyTimeout };
      const { body, contentType, discard } = await transport.open(request);
      if (/^text\/event-stream\b/i.test(contentType))
        return readEvents(body, lastEventId, listener);
      discard();
      throw failureOf(
        request,
        'body',
        safe`the response is ${clean(contentType.replace(/;.*/s, '')) || safe`?`}, not an event stream`,
      );
    },
    /** How many requests were sent so far, including retries. */
    get requests() {
      return transport.sent;
    },
    /** How many attempts found no connection, so that nothing of them was sent. */
    get unconnected() {
      return transport.unconnected;
    },
    /** The operation without a response when the run's signal aborted, and the error of its last attempt, if any. */
    get cutOff() {
      return cutOff;
    },
    close: () => transport.close(),
  };
}

/** How many characters of an unusable body an error shows. */
const longestShown = 80;

/** The first issue that a shape finds: the field and the rule, never the value. */
function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  const field = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.');
  return `${field} ${issue?.message ?? 'is invalid'}`;
}

/** True if a request is repeated automatically although it may have arrived. */
const isRepeatable = ({ repeat }: Operation, body: Readonly<Record<string, unknown>> = {}) =>
  repeat === 'freely' || (repeat === 'with-key' && body['idempotencyKey'] !== undefined);

/** True if the same request may succeed later. */
const isPassing = ({ fault, status = 0 }: ServiceError): boolean =>
  fault === 'answer' ? passing.has(status) : ['connect', 'broken', 'timeout'].includes(fault);

/**
 * Calls `attempt` until it succeeds, at most five times: pauses of 0.5 s doubled each time, so at most
 * 4 s, with full jitter; a longer `Retry-After` wins. No pause goes past the deadline.
 *
 * @param isRepeatable true if it may be called again although it may have taken effect
 * @throws the last error, or the signal's reason
 */
async function withRetry<T>(
  isRepeatable: boolean,
  context: RetryContext,
  attempt: () => Promise<T>,
): Promise<T> {
  let earlier: ServiceError | undefined;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      const backoff = firstPause * 2 ** (failures - 1) * context.random();
      const pause = error.pauseAfter(backoff);
      const tooLate = context.clock.now() + pause >= context.deadline;
      const mayRepeat = isPassing(error) && (isRepeatable || error.effect === 'none');
      if (!mayRepeat || failures >= tries || tooLate) throw withEarlier(error, earlier);
      if (error.mayHaveArrived) {
        earlier = error;
        context.onLost?.(error);
      }
      context.onPause?.(pause, error);
      await context.clock.sleep(pause, context.signal);
    }
  }
}

/** The same error, with the earlier attempt that may have arrived. */
function withEarlier(error: ServiceError, earlier: ServiceError | undefined): ServiceError {
  return earlier === undefined ? error : new ServiceError({ ...error.details, earlier });
}
