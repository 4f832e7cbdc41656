import { asObject, firstString, type JsonObject, parseJson } from '../../kernel/json.ts';
import { createRedact } from '../../kernel/text/redact.ts';
import { createSanitize } from '../../kernel/text/sanitize.ts';
import type { CacheOffer } from './offer.ts';
import { type CacheAnswer, type CacheRequest, openTransport } from './transport.ts';
import { CacheTrouble, passesAtService, passesAtStore } from './trouble.ts';

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
