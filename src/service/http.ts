import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { DiagnosticsChannel, Dispatcher } from 'undici';
import { withoutSlashes } from '../contract/limits.ts';
import { type Operation, operations } from '../contract/operations.ts';
import { decodeBody, orAbort, readBounded, UndecodableBody } from '../http/body.ts';
import { openPool } from '../http/pool.ts';
import { type Sanitize, safe } from '../kernel/text/safe.ts';
import type { Clock } from './clock.ts';
import { answerError, errorOf, type FailedRequest, headerOf, networkError } from './errors.ts';

const maxAnswer = 10 * 1024 * 1024;

/** How to reach the service. */
export interface TransportOptions {
  /** https, or loopback. */
  baseUrl: string;
  /** Sent as `x-api-key` (section "Authentication"), and nowhere else. */
  apiKey: string;
  userAgent: string;
  clock: Clock;
  clean: Sanitize;
}

/** One request, sent once. */
export interface HttpRequest extends FailedRequest {
  /** Sent as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** The longest silence within the body, in milliseconds; 30,000 if not given. */
  bodyTimeout?: number | null;
}

/** A 2xx response whose body has not been read yet. */
interface OpenAnswer {
  status: number;
  contentType: string;
  body: AsyncIterable<Uint8Array>;
  /** Discards the unread body. */
  discard(): void;
}

/** Sends requests to the service, one attempt each. Every failure is a ServiceError or the signal's reason. */
export interface Transport {
  /** Sends a request and leaves the body to the caller. */
  open(request: HttpRequest): Promise<OpenAnswer>;
  /** Sends a request and reads its body, at most 10 MiB. */
  send(request: HttpRequest): Promise<string>;
  /**
   * Sends a read request ahead of its reader: the next {@link send} of the same request takes the response or the
   * error.
   *
   * @returns once it is written, or has failed
   */
  begin(request: HttpRequest): Promise<void>;
  /** How many requests that may have arrived were sent so far. */
  readonly sent: number;
  /** How many attempts found no connection, so that nothing was sent. */
  readonly unconnected: number;
  close(): Promise<void>;
}

/** Opens a transport with one connection pool. */
export function createTransport(options: TransportOptions): Transport {
  const { clock, clean } = options;
  const pool = openPool(new URL(options.baseUrl));
  let sent = 0;
  let unconnected = 0;

  const open = async (request: HttpRequest): Promise<OpenAnswer> => {
    request.signal.throwIfAborted();
    sent += 1;
    const answering = pool.dispatcher.request(dispatchOptions(request, options));
    const answer = await orAbort(answering, request.signal).catch((cause: unknown) => {
      const error = networkError(request, cause, clean);
      const { fault } = error;
      if (fault === 'connect' || fault === 'invalid') sent -= 1;
      if (fault === 'connect') unconnected += 1;
      throw error;
    });
    const { statusCode: status, headers, body } = answer;
    if (status < 200 || status > 299) throw await answerError(request, answer, clock.now(), clean);
    const contentType = headerOf(headers, 'content-type') ?? '';
    // The library reports destroying the body as an error of the body.
    const discard = () => void body.on('error', () => undefined).destroy();
    return { status, contentType, body: guarded(request, decodeBody(answer), clean), discard };
  };

  const sendNow = async (request: HttpRequest): Promise<string> => {
    const { body, status } = await open(request);
    const { text, truncated } = await readBounded(body, maxAnswer);
    if (!truncated) return text;
    const detail = safe`the response is larger than ${maxAnswer / 1024 / 1024} MiB`;
    throw errorOf(request, clean, { fault: 'body', status, detail });
  };

  let early: { request: HttpRequest; answer: Promise<string> } | undefined;

  return {
    open,
    send: (request) => {
      if (early === undefined || !isSame(early.request, request)) return sendNow(request);
      const { answer } = early;
      early = undefined;
      return orAbort(answer, request.signal);
    },
    begin: async (request) => {
      const written = whenWritten();
      const answer = sendNow(request);
      early = { request, answer };
      // The reader of the response gets the error.
      await Promise.race([written, answer.catch(() => undefined)]);
    },
    get sent() {
      return sent;
    },
    get unconnected() {
      return unconnected;
    },
    close: () => pool.close(),
  };
}

async function* guarded(
  request: HttpRequest,
  body: AsyncIterable<Uint8Array>,
  clean: Sanitize,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof UndecodableBody) {
      throw errorOf(request, clean, { fault: 'body', detail: clean(cause.message), cause });
    }
    throw networkError(request, cause, clean);
  }
}

function dispatchOptions(
  { operation: { method }, path, body, headers, bodyTimeout = null, signal }: HttpRequest,
  { baseUrl, apiKey, userAgent }: TransportOptions,
): Dispatcher.RequestOptions {
  const { origin, pathname } = new URL(baseUrl);
  return {
    origin,
    path: `${withoutSlashes(pathname)}${path}`,
    method,
    signal,
    headers: {
      accept: 'application/json',
      // Without it, any encoding is acceptable, and node:zlib takes time to load.
      'accept-encoding': 'identity',
      ...headers,
      'content-type': body === undefined ? undefined : 'application/json',
      'user-agent': userAgent,
      'x-api-key': apiKey,
    },
    body: body === undefined ? null : JSON.stringify(body),
    bodyTimeout,
  };
}

const isSame = (one: HttpRequest, other: HttpRequest): boolean =>
  one.operation === other.operation &&
  one.path === other.path &&
  JSON.stringify(one.body) === JSON.stringify(other.body);

/** The channel on which undici announces that it passes the head of a request to its connection. */
const headWritten = 'undici:client:sendHeaders';

/** Resolves once the next request is written, other than a proxy's CONNECT. */
function whenWritten(): Promise<void> {
  return new Promise((resolve) => {
    const onHead = (message: unknown) => {
      const { request } = message as DiagnosticsChannel.ClientSendHeadersMessage;
      if (request.method === 'CONNECT') return;
      unsubscribe(headWritten, onHead);
      // The connection writes when this turn is over.
      setImmediate(resolve);
    };
    subscribe(headWritten, onHead);
  });
}

/** A read request. */
export interface Prefetch {
  operation: Operation;
  /** With the query, without the base URL. */
  path: string;
  /** Of a read sent as `POST`. */
  body?: unknown;
}

/** A path made of segments, each encoded. */
export function pathOf(...segments: string[]): string {
  return `/${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')}`;
}

/**
 * The reads with which a run may begin: each can be sent before the client that reads the response is loaded (see
 * `Transport.begin`); the client then sends the same request.
 */
export const prefetch = {
  /** `GET /v1/projects`. */
  projects: (filter: string): Prefetch => ({
    operation: operations.listProjects,
    path: `/v1/projects?filter=${filter}`,
  }),
  /** `GET /v1/projects/{id}/environment`. */
  environment: (projectId: string): Prefetch => ({
    operation: operations.readEnvironment,
    path: pathOf('v1', 'projects', projectId, 'environment'),
  }),
  /** `GET /v1/projects/{id}/messages`. */
  messages: (projectId: string): Prefetch => ({
    operation: operations.listMessages,
    path: pathOf('v1', 'projects', projectId, 'messages'),
  }),
  /** `GET /connected-domains`. */
  connectedDomains: (): Prefetch => ({
    operation: operations.listConnectedDomains,
    path: '/connected-domains',
  }),
  /** `POST /domain/check`. */
  availability: (domains: readonly string[]) => ({
    operation: operations.checkDomains,
    path: '/domain/check',
    body: { domains },
  }),
} as const;
