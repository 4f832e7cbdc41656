import type { StepEnvironment } from '../../github/runner.ts';
import { orAbort, readBounded } from '../../http/body.ts';
import { classifyNetworkError } from '../../http/faults.ts';
import { openPool, type Pool } from '../../http/pool.ts';
import { asObject, firstString, type JsonObject, parseJson } from '../../kernel/json.ts';
import { createRedact } from '../../kernel/text/redact.ts';
import { createSanitize } from '../../kernel/text/sanitize.ts';

/** The most that is read of an answer of the service, in bytes: it holds an address and a key. */
const largestAnswer = 64 * 1024;

/** The most that is told of what the service says, in characters. */
const longestWords = 200;

/** A part of the service's own path that is as long as this may be what lets a run in. */
const shortestPathSecret = 16;

/** One request to the cache's service. */
export interface ServiceCall extends Omit<CacheRequest, 'most' | 'url'> {
  /** With the query; from the service's address or, with a slash, from its root. */
  path: string;
}

/** What the service answered with success. */
export interface ServiceAnswer {
  status: number;
  /** Undefined if the body is no JSON object. */
  json: JsonObject | undefined;
}

/** Asks the cache's service, and the store behind it. Each throws a CacheTrouble, or the signal's reason. */
export interface Exchange extends AsyncDisposable {
  /** Asks the service, with the token. */
  call(call: ServiceCall, signal: AbortSignal): Promise<ServiceAnswer>;
  /** What to throw where the service says no by an answer of success. */
  refusal(name: string, answer: JsonObject): CacheTrouble;
  /** Checks an address that the service gave. It carries its own permission, and is never told. */
  signedAddress(text: string): URL;
  /** Reads the text at a signed address, without the token. */
  download(address: URL, most: number, signal: AbortSignal): Promise<string>;
  /** Puts a text at a signed address of Azure's blob storage, without the token. */
  upload(address: URL, text: string, signal: AbortSignal): Promise<void>;
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** What the service says of an error: the newer one writes `msg` (Twirp), the older `message`, and act `error`. */
const wordsOf = (json: JsonObject | undefined): string =>
  firstString(json, ['msg', 'message', 'error']) ?? '';

/** The store's code for an error, such as `AuthenticationFailed`. Its words may hold the signed address. */
function storeCode(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z]{1,60}$/.test(header) ? header : '';
}

function refused(name: string, status: number, words: string, isPassing: boolean): CacheTrouble {
  const said = words === '' ? '' : `: ${words}`;
  return new CacheTrouble(`${name} was answered with ${status}${said}`, isPassing);
}

/** Makes one line of what somebody else wrote, without the secrets (more may come) and without addresses. */
function createSanitizer(secrets: readonly string[]): (words: string) => string {
  return (words) => {
    const line = createSanitize(createRedact(secrets))(words);
    const told = line.replace(/\w{1,20}:\/\/\S+/g, '(address)').slice(0, longestWords);
    return told.replace(/[.…\s]+$/, '');
  };
}

/** Opens what sends the requests of one task; dispose of it when the task ends. */
export function openExchange({ address: service, token }: CacheOffer, userAgent: string): Exchange {
  const secrets = [
    token,
    ...service.pathname.split('/').filter(({ length }) => length >= shortestPathSecret),
  ];
  const sanitize = createSanitizer(secrets);
  const transport = openTransport(userAgent, sanitize);
  const authorization: Record<string, string> =
    token === '' ? {} : { authorization: `Bearer ${token}` };

  const transfer = async (request: CacheRequest, signal: AbortSignal): Promise<CacheAnswer> => {
    const answer = await transport.send(request, signal);
    const { status, headers } = answer;
    if (isSuccess(status)) return answer;
    throw refused(
      request.name,
      status,
      storeCode(headers['x-ms-error-code']),
      passesAtStore(status),
    );
  };

  return {
    call: async ({ path, headers, ...rest }, signal) => {
      const request: CacheRequest = {
        ...rest,
        url: new URL(path, service),
        headers: { accept: 'application/json', ...headers, ...authorization },
        most: largestAnswer,
      };
      const { status, text, isCut } = await transport.send(request, signal);
      const json = isCut ? undefined : asObject(parseJson(text));
      if (isSuccess(status)) return { status, json };
      throw refused(rest.name, status, sanitize(wordsOf(json)), passesAtService(status));
    },
    refusal: (name, answer) => {
      const words = sanitize(wordsOf(answer));
      return new CacheTrouble(`${name} was refused${words === '' ? '' : `: ${words}`}`, false);
    },
    signedAddress: (text) => {
      const url = URL.parse(text);
      const isOwnHost = url?.protocol === service.protocol && url.hostname === service.hostname;
      if (url === null || !(url.protocol === 'https:' || isOwnHost)) {
        const rule = "it must be https, or on the cache's own host";
        throw new CacheTrouble(`it gave an address that is not used: ${rule}`, false);
      }
      secrets.push(url.search.slice(1), ...url.searchParams.values());
      return url;
    },
    download: async (url, most, signal) => {
      const request = { name: 'the download', url, method: 'GET', headers: {}, most } as const;
      const { text, isCut } = await transfer(request, signal);
      if (!isCut) return text;
      throw new CacheTrouble(`the entry is larger than ${most / 1024 / 1024} MiB`, false);
    },
    upload: async (url, body, signal) => {
      const headers = {
        'content-type': 'application/octet-stream',
        // Azure makes a blob of one of three types; this is the one that is written in one piece.
        'x-ms-blob-type': 'BlockBlob',
      };
      const request = { name: 'the upload', url, method: 'PUT', headers, body } as const;
      await transfer({ ...request, most: largestAnswer }, signal);
    },
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

/** One request, wherever it goes. */
export interface CacheRequest {
  /** Names it to whoever reads that it failed. */
  name: string;
  url: URL;
  method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** The most that is read of the answer, in bytes. */
  most: number;
}

/** An answer of any status, redirects too: none is followed. */
export interface CacheAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As far as it was wanted. */
  text: string;
  isCut: boolean;
}

/** Sends requests, each once, over connections that it keeps until it is disposed of. */
export interface CacheTransport extends AsyncDisposable {
  /** @throws CacheTrouble if there is no answer, or the signal's reason */
  send(request: CacheRequest, signal: AbortSignal): Promise<CacheAnswer>;
}

/**
 * Opens a transport.
 *
 * @param sanitize makes a text of the network's printable and free of secrets
 */
export function openTransport(
  userAgent: string,
  sanitize: (text: string) => string,
): CacheTransport {
  const pools = new Map<string, Pool>();
  const poolFor = (url: URL): Pool => {
    const pool = pools.get(url.origin) ?? openPool(url);
    pools.set(url.origin, pool);
    return pool;
  };
  return {
    send: async ({ name, url, method, headers, body = null, most }, signal) => {
      signal.throwIfAborted();
      const asking = poolFor(url).dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...headers, 'user-agent': userAgent },
        body,
        signal,
      });
      try {
        const answer = await orAbort(asking, signal);
        const { text, truncated } = await readBounded(answer.body, most);
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

/** The runner's cache, as its variables describe it. */
export interface CacheOffer {
  /** `newer`: GitHub's own, since 2025; `older`: that of GitHub Enterprise Server, act, Gitea and Forgejo. */
  protocol: 'newer' | 'older';
  /** Where its service is; the path ends with a slash. */
  address: URL;
  /** Empty if the runner gives none: some older services know their runs by the address alone. */
  token: string;
  mayRead: boolean;
  mayWrite: boolean;
}

/** The values of `ACTIONS_CACHE_MODE` that forbid something; any other, or none, forbids nothing. */
const unreadable: ReadonlySet<string> = new Set(['none', 'write-only']);
const unwritable: ReadonlySet<string> = new Set(['none', 'read']);

/** Whether the newer service can be there: GitHub itself, with its data residency, and nobody's own server. */
function isGitHub(serverUrl: string): boolean {
  const hostname = URL.parse(serverUrl)?.hostname ?? '';
  return /^github\.com$|\.ghe\.com$|\.localhost$/.test(hostname);
}

/** An address that ends with a slash; undefined if it is none that could be asked. */
function readAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/**
 * Reads from a step's environment where the runner's cache is and which protocol it speaks. The rules are those of
 * GitHub's own client, so that what serves that client serves us.
 *
 * @returns undefined if the runner offers none that can be asked
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

/** Why the cache did not do what it was asked: a clean line without secrets, to follow a colon. */
export class CacheTrouble extends Error {
  override readonly name = 'CacheTrouble';
  /** Whether the whole task may well succeed if it is begun anew. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isPassing = isPassing;
  }
}

/** An answer that fits neither protocol: this is how a change of GitHub's shows first. */
export function strangeAnswer(name: string): CacheTrouble {
  const why = 'the cache may speak a protocol that this version of the action does not know';
  return new CacheTrouble(`${name} was answered in an unknown form (${why})`, false);
}

/** A fault that may be gone soon. 429 is none, for its limit outlasts a run; 409 is: the next key is another. */
const passing: ReadonlySet<number> = new Set([408, 409, 500, 502, 503, 504]);

/** Whether a status of the cache's service may be another one soon. */
export function passesAtService(status: number): boolean {
  return passing.has(status);
}

/** The same of the store behind it: an address may have expired, or lead to what is not there yet. */
export function passesAtStore(status: number): boolean {
  return passing.has(status) || status === 401 || status === 403 || status === 404;
}
