/**
 * What the HTTP library's exceptions come to.
 *
 * - `invalid`: the library refused the request; nothing was sent
 * - `connect`: no connection could be opened; nothing was sent
 * - `broken`: the connection broke, so the request may have arrived
 * - `timeout`: a phase took too long, so the request may have arrived
 */
export type NetworkFault = 'invalid' | 'connect' | 'broken' | 'timeout';

const connectCodes =
  /^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_PRX\w*|ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ERR_TLS_\w+|ERR_SSL_\w+)$|CERT|SIGNATURE/;

/** The code of a network error, or of the error below it. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

/**
 * Tells what an exception of the HTTP library means: whether the request can have arrived.
 *
 * @returns the fault, and words for a person
 */
export function classifyNetworkError(error: unknown): { fault: NetworkFault; detail: string } {
  const code = codeOf(error) ?? '';
  const words = error instanceof Error ? error.message : String(error);
  const detail = code === '' || words.includes(code) ? words : `${words} (${code})`;
  if (code === 'UND_ERR_INVALID_ARG') return { fault: 'invalid', detail };
  const isProxys = code === 'UND_ERR_ABORTED' && /proxy/i.test(words);
  if (isProxys || connectCodes.test(code))
    return { fault: 'connect', detail: `no connection: ${detail}` };
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return { fault: 'timeout', detail: 'no answer in 30s' };
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return { fault: 'timeout', detail: 'the answer stopped in its middle' };
  }
  return { fault: 'broken', detail: `the connection broke: ${detail}` };
}
