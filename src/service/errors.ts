import type { Dispatcher } from 'undici';
import type { Operation } from '../contract/operations.ts';
import { decodeBody, readBounded } from '../http/body.ts';
import { classifyNetworkError, type NetworkFault } from '../http/faults.ts';
import { asObject, type JsonObject } from '../kernel/json.ts';
import {
  cutMark,
  joinSafe,
  type SafeText,
  type Sanitize,
  safe,
  unsafeText,
} from '../kernel/text/safe.ts';

/**
 * What went wrong with a request to the service.
 *
 * - `invalid`: the request breaks a limit that the interface states; nothing was sent
 * - `connect`: no connection could be opened; nothing was sent
 * - `broken`: the connection broke, so the request may have arrived
 * - `timeout`: a phase took too long, so the request may have arrived
 * - `answer`: the service returned an error status
 * - `body`: the service returned 2xx with an unusable body
 * - `unproven`: the service returned 2xx, or its response was lost, and nothing shows that the request took effect
 */
type Fault = NetworkFault | 'answer' | 'body' | 'unproven';

/** The effect of a failed request: certainly none, unknown, or done according to the service. */
type Effect = 'none' | 'unknown' | 'done';

/** What is known of a request that failed. */
export interface ServiceErrorDetails {
  fault: Fault;
  operation: Operation;
  /** Method and path, without the base URL. */
  request: SafeText;
  status?: number;
  /** The service's own code for the error. */
  code?: SafeText | undefined;
  /** The service's own message, or why the request is unproven; cut. */
  detail?: SafeText | undefined;
  /** What to do about a connection that could not be opened, if that is known. */
  advice?: SafeText | undefined;
  requestId?: SafeText | undefined;
  /** Milliseconds to wait, as the service requests; of any size. See {@link ServiceError.pauseAfter}. */
  retryAfter?: number | undefined;
  /** Of an unproven request: true if no response came. */
  isLost?: boolean;
  /** An earlier attempt of the same request that may have arrived. */
  earlier?: ServiceError;
  /** Of the request to deploy: the commit was pushed by this step, or is in the project's repository already. */
  push?: 'done' | 'not-needed';
  cause?: unknown;
}

const effects: Readonly<Record<Exclude<Fault, 'answer' | 'unproven'>, Effect>> = {
  invalid: 'none',
  connect: 'none',
  broken: 'unknown',
  timeout: 'unknown',
  body: 'done',
};

function describeError(details: ServiceErrorDetails): SafeText {
  const { fault, operation, request, status, code = safe``, detail = safe``, requestId } = details;
  const name = unsafeText(operation.name);
  if (fault === 'unproven') {
    const answer = details.isLost
      ? safe`the response was lost, and`
      : safe`the service reported success, but`;
    return safe`Could not ${name}: ${answer} ${detail}`;
  }
  const returned = status === undefined ? safe`` : safe` returned ${status}`;
  const description = joinSafe(
    [code, detail].filter((part) => part !== ''),
    ': ',
  );
  const id = requestId === undefined ? safe`` : safe` (request id ${requestId})`;
  const clause = id === '' ? description : unsafeText(description.replace(/\.$/, ''));
  return safe`Could not ${name}: ${request}${returned}${clause === '' ? safe`` : safe`: ${clause}`}${id}`;
}

/** Every failure of the service's client is one of these, except that the run's signal aborted. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  declare readonly message: SafeText;
  readonly details: ServiceErrorDetails;

  constructor(details: ServiceErrorDetails) {
    super(describeError(details), { cause: details.cause });
    this.details = details;
  }

  get fault(): Fault {
    return this.details.fault;
  }

  get status(): number | undefined {
    return this.details.status;
  }

  /** The effect of this attempt. A 5xx may come from a proxy after the service accepted the request. */
  get effect(): Effect {
    const { fault, status = 0, isLost = false } = this.details;
    if (fault === 'unproven') return isLost ? 'unknown' : 'done';
    if (fault !== 'answer') return effects[fault];
    return status === 408 || status >= 500 ? 'unknown' : 'none';
  }

  /** False only if no attempt of the request can have had an effect. */
  get mayHaveArrived(): boolean {
    return this.effect !== 'none' || this.details.earlier !== undefined;
  }

  /**
   * The pause before the next request, in milliseconds: what the service requested, but never less than `ordinary`.
   */
  pauseAfter(ordinary: number): number {
    return Math.max(ordinary, this.details.retryAfter ?? 0);
  }
}

/** False only if an error shows that a request had no effect: one aborted by the run's end may have had one. */
export const mayHaveArrived = (error: unknown): boolean =>
  !(error instanceof ServiceError) || error.mayHaveArrived;

/**
 * The error of a write that the service reported as a success, while nothing shows that it took effect.
 *
 * @param why the evidence against it, as the end of a sentence
 */
export function unproven(operation: Operation, why: SafeText): ServiceError {
  return new ServiceError({ fault: 'unproven', operation, request: safe``, detail: why });
}

/**
 * The error of a write that may have taken effect, where the read that would show it failed. A write that certainly
 * had no effect keeps its own error.
 */
export function notShown(write: ServiceError, read: ServiceError): ServiceError {
  if (!write.mayHaveArrived) return write;
  const { fault, effect, details } = write;
  const known = fault === 'unproven' ? safe`${details.detail ?? safe``}; ` : safe``;
  const detail = safe`${known}a check failed: ${read.message}`;
  const isLost = effect !== 'done';
  return new ServiceError({ ...details, fault: 'unproven', detail, isLost });
}

const maxErrorAnswer = 64 * 1024;

/** The parts of a failed request that an error contains. */
export interface FailedRequest {
  operation: Operation;
  /** With the query, without the base URL. */
  path: string;
  signal: AbortSignal;
}

/** The first value of a header. */
export function headerOf(
  headers: Dispatcher.ResponseData['headers'],
  name: string,
): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The error of a request. */
export function errorOf(
  { operation, path }: Omit<FailedRequest, 'signal'>,
  clean: Sanitize,
  details: Omit<ServiceErrorDetails, 'operation' | 'request'>,
): ServiceError {
  return new ServiceError({
    ...details,
    operation,
    request: safe`${unsafeText(operation.method)} ${clean(path)}`,
  });
}

/**
 * Turns an exception of the HTTP library into the client's own error.
 *
 * @throws the signal's reason if the run was aborted
 */
export function networkError(
  request: FailedRequest,
  cause: unknown,
  clean: Sanitize,
): ServiceError {
  request.signal.throwIfAborted();
  const { fault, detail, advice } = classifyNetworkError(cause);
  const shown = advice === undefined ? undefined : clean(advice);
  return errorOf(request, clean, { fault, detail: clean(detail), advice: shown, cause });
}

/** Turns an error response into the client's own error. A redirect is one: none is followed with the key. */
export async function answerError(
  request: FailedRequest,
  answer: Dispatcher.ResponseData,
  now: number,
  clean: Sanitize,
): Promise<ServiceError> {
  const { code, message, isCut } = await readDetail(request, answer);
  const { headers, statusCode: status } = answer;
  const requestId = headerOf(headers, 'x-request-id') ?? headerOf(headers, 'request-id');
  const retryAfter = parseRetryAfter(headerOf(headers, 'retry-after'), now);
  return errorOf(request, clean, {
    fault: 'answer',
    status,
    code: code === undefined ? undefined : clean(code),
    detail: message === undefined ? undefined : clean(message, isCut),
    requestId: requestId === undefined ? undefined : clean(requestId),
    retryAfter,
  });
}

async function readDetail(
  request: FailedRequest,
  answer: Dispatcher.ResponseData,
): Promise<ErrorBody & { isCut?: boolean }> {
  const { statusCode, headers } = answer;
  const location = headerOf(headers, 'location');
  const { text, truncated } = await readBounded(decodeBody(answer), maxErrorAnswer).catch(
    (cause: unknown) => {
      request.signal.throwIfAborted();
      const why = `the response body could not be read: ${classifyNetworkError(cause).detail}`;
      return { text: why, truncated: false };
    },
  );
  const redirected = statusCode >= 300 && statusCode < 400 && location !== undefined;
  if (redirected) return { message: `redirects to ${location}` };
  return { ...readErrorBody(truncated ? `${text}${cutMark}` : text), isCut: truncated };
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`, or ISO 8601. */
const datePattern = /^(?:[A-Z][a-z]{2,8},? |\d{4}-\d\d-\d\d)/;

/**
 * Reads a `Retry-After` header: seconds, or a date.
 *
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, 0 for a date in the past and infinite for a number beyond all others; or undefined
 * if the header can't be read
 */
function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = datePattern.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The code and message of an error response. */
interface ErrorBody {
  code?: string | undefined;
  message?: string | undefined;
}

/**
 * Reads an error response (section "Errors": its shape is not specified): problem+json, `{error:{code,message}}`,
 * `{error}`, `{message}`, `{errors:[…]}`, plain text or HTML. The result is outside text, raw.
 */
function readErrorBody(body: string): ErrorBody {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    const trimmed = body.trim();
    if (trimmed === '') return {};
    return { message: isHtml(trimmed) ? 'an HTML page' : trimmed };
  }
  if (Array.isArray(parsed)) return readFields({ errors: parsed });
  const fields = asObject(parsed);
  if (fields !== undefined) return readFields(fields);
  return typeof parsed === 'string' ? { message: parsed } : {};
}

function readFields(fields: JsonObject): ErrorBody {
  const { error, errors } = fields;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const inner = asObject(error) ?? asObject(first);
  const named = firstText(inner?.['code'], inner?.['type'], fields['code'], fields['type']);
  const message = firstText(
    inner?.['message'],
    inner?.['detail'],
    fields['detail'],
    fields['message'],
    error,
    first,
    fields['title'],
  );
  // `{ error: "not_found", message: "…" }`: the error next to the message is a code.
  const word = typeof error === 'string' && error !== message ? error : undefined;
  const code = named === 'about:blank' ? word : (named ?? word);
  return { code, message };
}

/** The first value with text: a string, a number, or a list of strings. */
function firstText(...values: unknown[]): string | undefined {
  const texts = values.map((value) => {
    if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join('; ');
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
  return texts.find((text) => text !== '');
}

/** True of a text that begins like an HTML page. */
export const isHtml = (text: string): boolean => /^\s*<(!doctype html|html|\?xml)/i.test(text);
