import { isIP } from 'node:net';
import { UndecodableBody } from './body.ts';
import { readProxies } from './proxies.ts';

/**
 * The kinds of exceptions of the HTTP library.
 *
 * - `invalid`: the library refused the request; nothing was sent
 * - `connect`: no connection could be opened; nothing was sent
 * - `broken`: the connection broke, so the request may have arrived
 * - `timeout`: a phase took too long, so the request may have arrived
 */
export type NetworkFault = 'invalid' | 'connect' | 'broken' | 'timeout';

/** An exception of the HTTP library. */
interface NetworkError {
  fault: NetworkFault;
  /** A phrase for an error message. */
  detail: string;
  /** What to do about it, as a sentence, if it shows that; else undefined. */
  advice?: string | undefined;
}

/** Classifies an exception of the HTTP library by whether the request can have arrived. */
export function classifyNetworkError(error: unknown): NetworkError {
  const code = codeOf(error) ?? '';
  const message = messageOf(error);
  if (code === 'UND_ERR_REDIRECT_MAX' || /max redirect|redirect loop/i.test(message)) {
    return { fault: 'broken', detail: 'too many redirects' };
  }
  const undecodable = undecodableIn(error);
  if (undecodable !== undefined) return { fault: 'broken', detail: undecodable.message };
  if (/^invalid url/i.test(message)) {
    return { fault: 'broken', detail: 'redirects to an invalid URL' };
  }
  if (/^UND_ERR_(ABORTED|INVALID_ARG)$/.test(code) && /proxy/i.test(message)) {
    return refusedBy(message);
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return { fault: 'invalid', detail: "it contains a character that a request can't have" };
  }
  if (connectCodes.test(code)) {
    const detail = `no connection${toProxy(message)}: ${describeCode(code)}`;
    const advice = ofOwnAuthority.test(code) ? trustAuthority : undefined;
    return { fault: 'connect', detail, advice: /SOCKS5_AUTH/.test(code) ? giveLogin() : advice };
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return { fault: 'timeout', detail: 'no response in 30s' };
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return { fault: 'timeout', detail: 'the response stopped midway' };
  }
  return { fault: 'broken', detail: `the connection broke: ${describeCode(code)}` };
}

/** What happened, and what to do about it if that is known. */
export function describeNetworkError(error: unknown): string {
  const { detail, advice } = classifyNetworkError(error);
  return advice === undefined ? detail : `${detail}. ${advice}`;
}

const connectCodes =
  /^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_PRX\w*|UND_ERR_SOCKS5\w*|ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ERR_TLS_\w+|ERR_SSL_\w+)$|CERT|SIGNATURE/;

/** Node's codes for a certificate whose authority it does not know. */
const ofOwnAuthority = /SELF_SIGNED_CERT|^UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF)/;
const trustAuthority = 'For a private authority, set NODE_EXTRA_CA_CERTS to its PEM file.';

/** What happened, by the code of the error. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'nothing is listening at that address'],
  [/^ENOTFOUND$/, 'the hostname was not found in DNS'],
  [/^EAI_/, 'DNS did not respond'],
  [/^(EHOST|ENET)/, 'no route to that address'],
  [/^UND_ERR_PRX/, 'the proxy is unreachable'],
  [/^UND_ERR_SOCKS5_AUTH/, 'the proxy requires a valid user name and password'],
  [/^UND_ERR_SOCKS5/, 'the proxy refused it'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'the server did not respond in time'],
  [/^CERT_HAS_EXPIRED$/, 'the certificate has expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for another name'],
  [/CERT|SIGNATURE/, 'the certificate is not trusted'],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO)/, 'the TLS handshake failed'],
  [/^HPE_/, 'the response is not valid HTTP'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_CLOSED)$/, 'the server closed it'],
  [/^UND_ERR_(RES|REQ)_/, 'the response length differs from the announced one'],
];

/** What happened to a connection, with the code unless it is undici's own, which no one can look up. */
function describeCode(code: string): string {
  const known = words.find(([pattern]) => pattern.test(code))?.[1];
  const shown = code === '' || code.startsWith('UND_ERR_') ? '' : ` (${code})`;
  return `${known ?? 'unknown error'}${shown}`;
}

/** The code of a network error, or of the error below it. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

/** The error, or the one below it, that is about a body that can't be decoded. */
function undecodableIn(error: unknown): UndecodableBody | undefined {
  if (error instanceof UndecodableBody) return error;
  return error instanceof Error ? undecodableIn(error.cause) : undefined;
}

/** The variables of the environment that set a proxy. */
const proxyVariables = () =>
  Object.values(readProxies(process.env)).flatMap((set) => {
    return set?.proxy === undefined ? [] : [{ name: set.name, proxy: set.proxy }];
  });

/** How the proxy gets the user name and password that it requires. */
const giveLogin = (): string => {
  const names = proxyVariables().map(({ name }) => name);
  return `Put them in the proxy's URL in ${names.join(' or ')}.`;
};

/** The connection that a proxy refused, by the library's message. */
function refusedBy(message: string): NetworkError {
  const [status] = /\b[1-5]\d\d\b/.exec(message) ?? [];
  const answered = status === undefined ? '' : ` (status ${status})`;
  const hosts = [...new Set(proxyVariables().map(({ proxy }) => proxy.host))].join(' or ');
  const lacksLogin = status === '407';
  const refused = lacksLogin ? 'requires a valid user name and password' : 'refused it';
  return {
    fault: 'connect',
    detail: `no connection: the proxy ${hosts} ${refused}${answered}`,
    advice: lacksLogin ? giveLogin() : undefined,
  };
}

/** What an error says, or the errors that it consists of: one for each address of a hostname. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : '';
}

/** The proxy, if a message is about a connection to it and not to the server. Of a name, it has the address and port. */
function toProxy(message: string): string {
  const words = message.split(/[\s,()]+/);
  const proxies = proxyVariables().map(({ proxy }) => proxy);
  const found = proxies.find(({ hostname, port }) => {
    const host = hostname.replace(/[[\]]/g, '');
    const isNamed = port !== '' && isIP(host) === 0;
    return words.some(
      (word) =>
        word === host || word === `${host}:${port}` || (isNamed && word.endsWith(`:${port}`)),
    );
  });
  return found === undefined ? '' : ` to the proxy ${found.host}`;
}
