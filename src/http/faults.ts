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

/** What happened, by the code of the error; a code that somebody may search for is told behind it. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens at that address'],
  [/^ENOTFOUND$/, 'its name is not in DNS'],
  [/^EAI_/, 'DNS did not answer'],
  [/^(EHOST|ENET)/, 'there is no way to that address'],
  [/^UND_ERR_PRX/, 'the proxy cannot be reached'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'the other side did not answer in time'],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another name'],
  [/CERT|SIGNATURE/, 'its certificate is not trusted'],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO)/, 'it does not speak TLS as it should'],
  [/^HPE_/, 'what it answered is no HTTP'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_CLOSED)$/, 'the other side closed it'],
  [/^UND_ERR_(RES|REQ)_/, 'the answer does not have the length that it announces'],
];

/** The code of a network error, or of the error below it. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

/** What happened to a connection, in our words. The library's own codes say nothing to anybody. */
function describe(code: string): string {
  const known = words.find(([pattern]) => pattern.test(code))?.[1];
  const shown = code === '' || code.startsWith('UND_ERR_') ? '' : ` (${code})`;
  return `${known ?? 'it failed in a way that is not known'}${shown}`;
}

/**
 * Tells what an exception of the HTTP library means: whether the request can have arrived.
 *
 * @returns the fault, and words for a person
 */
export function classifyNetworkError(error: unknown): { fault: NetworkFault; detail: string } {
  const code = codeOf(error) ?? '';
  const said = error instanceof Error ? error.message : '';
  if (code === 'UND_ERR_REDIRECT_MAX' || /max redirect|redirect loop/i.test(said)) {
    return { fault: 'broken', detail: 'it redirects again and again' };
  }
  if (/^invalid url/i.test(said)) {
    return { fault: 'broken', detail: 'it redirects to what is no web address' };
  }
  if (/^UND_ERR_(ABORTED|INVALID_ARG)$/.test(code) && /proxy/i.test(said)) {
    const [status] = /\b[1-5]\d\d\b/.exec(said) ?? [];
    const answered = status === undefined ? '' : ` (it answered ${status})`;
    return { fault: 'connect', detail: `no connection: the proxy refuses the way${answered}` };
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return { fault: 'invalid', detail: 'it holds a character that a request cannot carry' };
  }
  if (connectCodes.test(code)) {
    return { fault: 'connect', detail: `no connection: ${describe(code)}` };
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return { fault: 'timeout', detail: 'no answer in 30s' };
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return { fault: 'timeout', detail: 'the answer stopped in its middle' };
  }
  return { fault: 'broken', detail: `the connection broke: ${describe(code)}` };
}
