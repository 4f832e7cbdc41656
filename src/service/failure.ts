import type { Dispatcher } from 'undici';
import { readBounded } from '../http/body.ts';
import { classifyNetworkError } from '../http/faults.ts';
import { readErrorBody } from './error-body.ts';
import { ServiceError } from './errors.ts';
import { parseRetryAfter } from './retry-after.ts';

const maxErrorAnswer = 64 * 1024;

/** Whoever cleans a text hides before this mark what could be the beginning of a secret. */
const cutMark = '…';

/** The request that failed, as far as an error tells of it. */
export interface FailedRequest {
  operation: string;
  method: string;
  path: string;
  signal: AbortSignal;
}

/** Makes outside text printable and free of secrets; `isCut` is true if it was cut before, and ends in the mark. */
export type Clean = (text: string, isCut?: boolean) => string;

/** The first value of a header. */
export function headerOf(
  headers: Dispatcher.ResponseData['headers'],
  name: string,
): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Turns an exception of the HTTP library into the client's own error.
 *
 * @throws the signal's reason if the run was aborted
 */
export function networkError(request: FailedRequest, cause: unknown, clean: Clean): ServiceError {
  request.signal.throwIfAborted();
  const { fault, detail } = classifyNetworkError(cause);
  return new ServiceError({
    fault,
    operation: request.operation,
    request: `${request.method} ${clean(request.path)}`,
    detail: clean(detail),
    cause,
  });
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
  return { ...readErrorBody(truncated ? `${text}${cutMark}` : text), isCut: truncated };
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
  return new ServiceError({
    fault: 'answer',
    operation: request.operation,
    request: `${request.method} ${clean(request.path)}`,
    status,
    ...(code === undefined ? {} : { code: clean(code) }),
    ...(message === undefined ? {} : { detail: clean(message, isCut) }),
    ...(requestId === undefined ? {} : { requestId: clean(requestId) }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
