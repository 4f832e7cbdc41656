import type { z } from 'zod';
import { isExcessive } from '../contract/json-value.ts';
import { lookAt, type Operation } from '../contract/operations.ts';
import { inWords } from '../contract/words.ts';
import { forFreeText, type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { errorOf, isHtml, readHtml } from './errors/failure.ts';
import type { ServiceError } from './errors.ts';
import { readEvents, type ServerEvent, type StreamListener } from './events.ts';
import {
  createTransport,
  type HttpRequest,
  type Transport,
  type TransportOptions,
} from './http.ts';
import { type RetryContext, withRetry } from './retry.ts';

/** What a client needs: where the service is, and the bounds of the run. */
export type CallOptions = TransportOptions &
  Omit<RetryContext, 'clock' | 'onLost'> & {
    /** The one that is open already; by default one is opened. It is closed with the caller. */
    transport?: Transport;
  };

/** What bounds a call beside the run: whichever comes first counts. */
export interface CallBounds {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** In milliseconds since the epoch: no pause between two tries goes past it. */
  deadline?: number | undefined;
}

/** One operation of the interface, filled in. */
export interface Call<T> extends CallBounds {
  operation: Operation;
  /** See `pathOf`. */
  path: string;
  /** The shape of the answer's body. */
  answer: z.ZodType<T>;
  /** The body, and what the interface says of it. */
  send?: { body: Readonly<Record<string, unknown>>; shape: z.ZodType };
  /** Is told of each try that may have arrived, and is made once more. */
  onLost?: ((error: ServiceError) => void) | undefined;
}

/** A `GET` that the interface does not show, sent once. */
export interface Look {
  /** In words, such as "read the deployment". */
  operation: string;
  path: string;
  signal: AbortSignal;
}

/** A stream of events to open. */
export interface EventStream extends Look {
  /** The id to resume after; empty at first. */
  lastEventId: string;
  listener: StreamListener;
}

/** An operation that the end of the run cut off. */
export interface CutOff {
  operation: Operation;
  last?: ServiceError;
}

/** Carries operations out. Every failure is a ServiceError, or the run's signal's reason. */
export interface Caller {
  /** Checks the body, sends it with retries as the operation allows, and checks the answer. */
  call<T>(call: Call<T>): Promise<T>;
  /** Reads JSON of any shape, once. */
  look(look: Look): Promise<unknown>;
  /** Opens a stream of events, once. */
  openEvents(stream: EventStream): Promise<AsyncIterable<ServerEvent>>;
  /** How many requests were sent so far, retries included. */
  readonly requests: number;
  /** How many attempts found no connection. */
  readonly unconnected: number;
  /** What was not answered yet when the run's signal aborted, and how the last try of it failed, if one did. */
  readonly cutOff: CutOff | undefined;
  close(): Promise<void>;
}

/** A stream that is silent for so long, in milliseconds, is opened again. */
const streamSilence = 60_000;

/** An event's id that a header can carry; after any other a stream cannot be resumed. */
const sendableId = /^[\x21-\x7e][\x20-\x7e]*$/;

/** Without code made for each shape (`jitless`): to make it takes longer than the few bodies of a step. */
const parsing = { error: inWords, jitless: true } as const;

/** How much is told of an unusable body, in characters of what is left of it when it was cleaned. */
const longestSeen = 80;

/** The first thing that a shape finds wrong: the field and the rule, never the value. */
function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  const field = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.');
  return `${field} ${issue?.message ?? 'is wrong'}`;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True if a request may be sent again by itself although it may have arrived. */
const isRepeatable = ({ repeat }: Operation, body: Readonly<Record<string, unknown>> = {}) =>
  repeat === 'freely' || (repeat === 'with-key' && body['idempotencyKey'] !== undefined);

/** Opens the caller for a run; close it when the run ends. */
export function createCaller(options: CallOptions): Caller {
  const transport = options.transport ?? createTransport(options);
  const { clean } = options;
  const show = forFreeText(clean);

  const wrong = (
    request: Pick<HttpRequest, 'operation' | 'path'>,
    fault: 'invalid' | 'body',
    detail: SafeText,
  ): ServiceError => errorOf(request, clean, { fault, detail });

  const seen = (text: string): SafeText => {
    if (text.trim() === '') return safe`empty`;
    if (!isHtml(text)) return safe`not JSON: ${unsafeText(show(text).slice(0, longestSeen))}`;
    const { message, isCut } = readHtml(text);
    return show(message, isCut);
  };

  const readJson = async (request: HttpRequest): Promise<unknown> => {
    const text = await transport.send(request);
    if (isExcessive(text)) {
      const detail = safe`it answered with more lists and objects, or deeper ones, than are read`;
      throw wrong(request, 'body', detail);
    }
    const json = parseBody(text);
    if (json !== undefined) return json;
    throw wrong(request, 'body', safe`it answered with success, but the body is ${seen(text)}`);
  };

  let cutOff: CutOff | undefined;

  return {
    call: async ({ answer, send, signal: own, deadline: ownEnd, onLost, ...rest }) => {
      const signal = own === undefined ? options.signal : AbortSignal.any([options.signal, own]);
      const deadline = Math.min(options.deadline, ownEnd ?? Number.POSITIVE_INFINITY);
      const request: HttpRequest = { ...rest, signal, body: send?.body };
      const checked = send?.shape.safeParse(send.body, parsing);
      if (checked?.success === false)
        throw wrong(request, 'invalid', clean(firstIssue(checked.error)));
      const asked: CutOff = { operation: rest.operation };
      const onPause: CallOptions['onPause'] = (milliseconds, error) => {
        asked.last = error;
        options.onPause?.(milliseconds, error);
      };
      const context = { ...options, signal, deadline, onPause, ...(onLost && { onLost }) };
      const answering = withRetry(isRepeatable(rest.operation, send?.body), context, async () => {
        const parsed = answer.safeParse(await readJson(request), parsing);
        if (parsed.success) return parsed.data;
        const issue = show(firstIssue(parsed.error));
        throw wrong(request, 'body', safe`its answer cannot be used: ${issue}`);
      });
      return await answering.catch((error: unknown) => {
        if (options.signal.aborted) cutOff ??= asked;
        throw error;
      });
    },
    look: ({ operation, ...rest }) => readJson({ ...rest, operation: lookAt(operation) }),
    openEvents: async ({ operation, lastEventId, listener, ...rest }) => {
      const resume = sendableId.test(lastEventId) ? { 'last-event-id': lastEventId } : {};
      const headers = { accept: 'text/event-stream', ...resume };
      const bodyTimeout = streamSilence;
      const request = { ...rest, operation: lookAt(operation), headers, bodyTimeout };
      const { body, contentType, discard } = await transport.open(request);
      if (/^text\/event-stream\b/i.test(contentType))
        return readEvents(body, lastEventId, listener);
      discard();
      throw wrong(
        request,
        'body',
        safe`its answer is no event stream but ${show(contentType) || safe`?`}`,
      );
    },
    get requests() {
      return transport.sent;
    },
    get unconnected() {
      return transport.unconnected;
    },
    get cutOff() {
      return cutOff;
    },
    close: () => transport.close(),
  };
}
