import { decodeBody, orAbort, readBytes } from '../../http/body.ts';
import { classifyNetworkError } from '../../http/faults.ts';
import { openPool, type Pool } from '../../http/pool.ts';
import { asObject, firstString, type JsonObject, parseJson } from '../../kernel/json.ts';
import { createRedact, createSanitize } from '../../kernel/text/redact.ts';
import type { StepEnvironment } from '../../platform.ts';

/** The maximum size of a response of the service, in bytes. */
const largestAnswer = 64 * 1024;

/** The most characters shown of an error message. */
const longestWords = 200;

/** A segment of the service's path that is at least this long may be a secret. */
const shortestPathSecret = 16;

/** A request to the cache service. */
interface ServiceCall extends Omit<CacheRequest, 'most' | 'url'> {
  /** With the query; relative to the service's URL or, with a slash, to its root. */
  path: string;
}

/** Sends requests to the cache service and its store. Its functions throw a CacheTrouble, or the signal's reason. */
export type Exchange = ReturnType<typeof openExchange>;

/** A request to the service or the store. */
interface CacheRequest {
  /** For error messages. */
  name: string;
  url: URL;
  method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** The maximum size of the response, in bytes. */
  most: number;
}

/** Opens the connections for one task; dispose of it when the task ends. */
export function openExchange({ address: service, token }: CacheOffer, userAgent: string) {
  const secrets = [
    token,
    ...service.pathname.split('/').filter(({ length }) => length >= shortestPathSecret),
  ];
  /** Makes outside text one line, without URLs and the secrets, to which more may be added. */
  const sanitize = (text: string): string => {
    const line = createSanitize(createRedact(secrets))(text);
    const short = line.replace(/\w{1,20}:\/\/\S+/g, '(address)').slice(0, longestWords);
    return short.replace(/[.…\s]+$/, '');
  };
  const transport = openTransport(userAgent, sanitize);
  const authorization: Record<string, string> =
    token === '' ? {} : { authorization: `Bearer ${token}` };

  const transfer = async (request: CacheRequest, signal: AbortSignal) => {
    const answer = await transport.send(request, signal);
    const { status, headers } = answer;
    if (isSuccess(status)) return answer;
    throw refused(
      request.name,
      status,
      storeCode(headers['x-ms-error-code']),
      passingAtStore.has(status),
    );
  };

  return {
    /** Sends a request to the service, with the token. `json` is undefined if the response is not a JSON object. */
    call: async ({ path, headers, ...rest }: ServiceCall, signal: AbortSignal) => {
      const request: CacheRequest = {
        ...rest,
        url: new URL(path, service),
        headers: { accept: 'application/json', ...headers, ...authorization },
        most: largestAnswer,
      };
      const { status, text, isCut } = await transport.send(request, signal);
      const json = isCut ? undefined : asObject(parseJson(text));
      if (isSuccess(status)) return { status, json };
      throw refused(rest.name, status, sanitize(messageOf(json)), passing.has(status));
    },
    /** The error for a successful response that contains a refusal. */
    refusal: (name: string, answer: JsonObject) => {
      const message = sanitize(messageOf(answer));
      return new CacheTrouble(`${name} was refused${message === '' ? '' : `: ${message}`}`, false);
    },
    /** Validates a URL from the service. It contains a permission and is never logged. */
    signedAddress: (text: string) => {
      const url = URL.parse(text);
      const isOwnHost = url?.protocol === service.protocol && url.hostname === service.hostname;
      if (url === null || !(url.protocol === 'https:' || isOwnHost)) {
        const rule = "it must use https or the cache's own host";
        throw new CacheTrouble(`the cache returned an unusable URL: ${rule}`, false);
      }
      secrets.push(url.search.slice(1), ...url.searchParams.values());
      return url;
    },
    /** Downloads from a signed URL, without the token. */
    download: async (url: URL, most: number, signal: AbortSignal) => {
      const request = { name: 'the download', url, method: 'GET', headers: {}, most } as const;
      const { text, isCut } = await transfer(request, signal);
      if (!isCut) return text;
      throw new CacheTrouble(`the entry is larger than ${most / 1024 / 1024} MiB`, false);
    },
    /** Uploads to a signed URL of Azure Blob Storage, without the token. */
    upload: async (url: URL, body: string, signal: AbortSignal) => {
      const headers = {
        'content-type': 'application/octet-stream',
        // The blob type for an upload in one piece.
        'x-ms-blob-type': 'BlockBlob',
      };
      const request = { name: 'the upload', url, method: 'PUT', headers, body } as const;
      await transfer({ ...request, most: largestAnswer }, signal);
    },
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** The error message of a response: `msg` (Twirp) in the newer protocol, `message` in the older, `error` in act. */
const messageOf = (json: JsonObject | undefined): string =>
  firstString(json, ['msg', 'message', 'error']) ?? '';

/** The store's error code, such as `AuthenticationFailed`. Its message may contain the signed URL. */
function storeCode(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z]{1,60}$/.test(header) ? header : '';
}

function refused(name: string, status: number, message: string, isPassing: boolean): CacheTrouble {
  const detail = message === '' ? '' : `: ${message}`;
  return new CacheTrouble(`${name} returned ${status}${detail}`, isPassing);
}

/**
 * Opens a transport, whose connections stay open until it is disposed of. A request is sent once and may get a response of
 * any status; redirects are not followed.
 *
 * @param sanitize makes outside text printable and free of secrets
 */
function openTransport(userAgent: string, sanitize: (text: string) => string) {
  const pools = new Map<string, Pool>();
  const poolFor = (url: URL): Pool => {
    const pool = pools.get(url.origin) ?? openPool(url);
    pools.set(url.origin, pool);
    return pool;
  };
  return {
    /** @throws CacheTrouble if there is no response, or the signal's reason */
    send: async ({ name, url, method, headers, body, most }: CacheRequest, signal: AbortSignal) => {
      signal.throwIfAborted();
      const sending = poolFor(url).dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...headers, 'user-agent': userAgent },
        body: body ?? null,
        signal,
      });
      try {
        const answer = await orAbort(sending, signal);
        const { bytes, truncated } = await readBytes(decodeBody(answer), most);
        // With a byte order mark, if there is one: a ledger comes back as it was saved.
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        return { status: answer.statusCode, headers: answer.headers, text, isCut: truncated };
      } catch (cause) {
        signal.throwIfAborted();
        const { detail } = classifyNetworkError(cause);
        throw new CacheTrouble(`${name} failed: ${sanitize(detail)}`, true, { cause });
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

/** The runner's cache, from the runner's environment variables. */
export interface CacheOffer {
  /** `newer`: GitHub's own, since 2025; `older`: that of GitHub Enterprise Server, act, Gitea and Forgejo. */
  protocol: 'newer' | 'older';
  /** The service's URL; its path ends with a slash. */
  address: URL;
  /** Empty if the runner provides none: some older services identify runs by the URL alone. */
  token: string;
  mayRead: boolean;
  mayWrite: boolean;
}

/** The restrictive values of `ACTIONS_CACHE_MODE`. */
const unreadable: ReadonlySet<string> = new Set(['none', 'write-only']);
const unwritable: ReadonlySet<string> = new Set(['none', 'read']);

/** Whether the server can have the newer service: GitHub itself or its data residency, but no GHES. */
function isGitHub(serverUrl: string): boolean {
  const hostname = URL.parse(serverUrl)?.hostname ?? '';
  return /^github\.com$|\.ghe\.com$|\.localhost$/.test(hostname);
}

/** A URL that ends with a slash; undefined if it is not an HTTP URL. */
function readAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/**
 * Reads the runner's cache and its protocol from a step's environment, by the same rules as GitHub's own client.
 *
 * @returns undefined if the runner has no usable cache
 */
export function cacheOfferOf(environment: StepEnvironment): CacheOffer | undefined {
  const get = (name: string) => environment[name] ?? '';
  const isNewer =
    get('ACTIONS_CACHE_SERVICE_V2') !== '' &&
    isGitHub(get('GITHUB_SERVER_URL') || 'https://github.com');
  const address = readAddress(get(isNewer ? 'ACTIONS_RESULTS_URL' : 'ACTIONS_CACHE_URL'));
  const token = get('ACTIONS_RUNTIME_TOKEN');
  if (address === undefined || (isNewer && token === '')) return undefined;
  const mode = get('ACTIONS_CACHE_MODE').trim().toLowerCase();
  return {
    protocol: isNewer ? 'newer' : 'older',
    address,
    token,
    mayRead: !unreadable.has(mode),
    mayWrite: !unwritable.has(mode),
  };
}

/** A cache error. The message is one line without secrets, to follow a colon. */
export class CacheTrouble extends Error {
  override readonly name = 'CacheTrouble';
  /** Whether the whole task may succeed if it is repeated. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isPassing = isPassing;
  }
}

/** The error for a response that fits neither protocol, for example after a change by GitHub. */
export function strangeAnswer(name: string): CacheTrouble {
  const why = 'the cache may use a newer protocol than this version of the action';
  return new CacheTrouble(`${name} returned an unexpected response (${why})`, false);
}

/** Temporary errors. 429 is not one, because its limit outlasts a run; 409 is, because the next key differs. */
const passing: ReadonlySet<number> = new Set([408, 409, 500, 502, 503, 504]);

/** Those of the store: a URL may have expired, or the content may not exist yet. */
const passingAtStore: ReadonlySet<number> = new Set([...passing, 401, 403, 404]);
