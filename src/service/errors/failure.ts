import type { Dispatcher } from 'undici';
import type { Operation } from '../../contract/operations.ts';
import { readBounded } from '../../http/body.ts';
import { classifyNetworkError } from '../../http/faults.ts';
import { forFreeText, type Sanitize, safe, trusted } from '../../kernel/text/safe.ts';
import { ServiceError, type ServiceErrorDetails } from '../errors.ts';
import { readErrorBody } from './body.ts';

const maxErrorAnswer = 64 * 1024;

/** Whoever cleans a text hides before this mark what could be the beginning of a secret. */
const cutMark = '…';

/** The request that failed, as far as an error tells of it. */
export interface FailedRequest {
  operation: Operation;
  /** With the query, without the base URL. */
  path: string;
  signal: AbortSignal;
}

export type Clean = Sanitize;

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
  clean: Clean,
  details: Omit<ServiceErrorDetails, 'operation' | 'request'>,
): ServiceError {
  return new ServiceError({
    ...details,
    operation,
    request: safe`${trusted(operation.method)} ${clean(path)}`,
  });
}

/**
 * Turns an exception of the HTTP library into the client's own error.
 *
 * @throws the signal's reason if the run was aborted
 */
export function networkError(request: FailedRequest, cause: unknown, clean: Clean): ServiceError {
  request.signal.throwIfAborted();
  const { fault, detail } = classifyNetworkError(cause);
  return errorOf(request, clean, { fault, detail: forFreeText(clean)(detail), cause });
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`, or ISO 8601. */
const datePattern = /^(?:[A-Z][a-z]{2,8},? |\d{4}-\d\d-\d\d)/;

/**
 * Reads a `Retry-After` header: seconds, or a date.
 *
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, 0 for a date in the past and infinite for a number beyond all others; or undefined
 * if the header says nothing that can be read
 */
function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = datePattern.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

async function readDetail(
  request: FailedRequest,
  { statusCode, headers, body }: Dispatcher.ResponseData,
): Promise<{ code?: string; message?: string; isCut?: boolean }> {
  const location = headerOf(headers, 'location');
  const { text, truncated } = await readBounded(body, maxErrorAnswer).catch((cause: unknown) => {
    request.signal.throwIfAborted();
    const why = `its body could not be read: ${classifyNetworkError(cause).detail}`;
    return { text: why, truncated: false };
  });
  const redirected = statusCode >= 300 && statusCode < 400 && location !== undefined;
  if (redirected) return { message: `redirects to ${location}` };
  const { isCut, ...said } = readErrorBody(truncated ? `${text}${cutMark}` : text);
  return { ...said, isCut: truncated || isCut === true };
}

/** Turns an error answer into the client's own error. Redirects are such answers: none is followed with the key. */
export async function answerError(
  request: FailedRequest,
  answer: Dispatcher.ResponseData,
  now: number,
  clean: Clean,
): Promise<ServiceError> {
  const { code, message, isCut } = await readDetail(request, answer);
  const { headers, statusCode: status } = answer;
  const requestId = headerOf(headers, 'x-request-id') ?? headerOf(headers, 'request-id');
  const retryAfter = parseRetryAfter(headerOf(headers, 'retry-after'), now);
  const show = forFreeText(clean);
  return errorOf(request, clean, {
    fault: 'answer',
    status,
    ...(code === undefined ? {} : { code: show(code) }),
    ...(message === undefined ? {} : { detail: show(message, isCut) }),
    ...(requestId === undefined ? {} : { requestId: show(requestId) }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
