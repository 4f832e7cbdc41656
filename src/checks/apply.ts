import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pLimit from 'p-limit';
import type { DiagnosticsChannel, Dispatcher } from 'undici';
import { isLoopback } from '../contract/base-url.ts';
import type { Host } from '../frame/step.ts';
import { userAgent } from '../frame/version.ts';
import { orAbort, readBytes } from '../http/body.ts';
import { certificateEnd } from '../http/certificate.ts';
import { decodeBody, decodeText, UndecodableBody } from '../http/decode.ts';
import { classifyNetworkError } from '../http/faults.ts';
import { openPool, type Pool } from '../http/pool.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { judge, type TryResult } from './evaluate.ts';
import {
  type Check,
  type CheckedSite,
  type ChecksRequest,
  type DeclaredCheck,
  fillCheck,
  wantsRedirect,
} from './intent.ts';
import { type CheckResult, describeExpected } from './result.ts';

const maxPage = 5 * 1024 * 1024;
const maxRedirections = 5;

/** The most connections to one site. */
const connections = 4;

/** A request for a public page. */
interface Question {
  url: URL;
  method: 'GET' | 'HEAD';
  /** True: redirects are followed, at the same host only. */
  follows: boolean;
}

/** The response of a page. */
export type ProbeResult =
  | {
      status: number;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      text: string;
      /** True if there was more than 5 MiB. */
      truncated: boolean;
      /** Why the body can't be decoded, and is not in the text; absent if it could be. */
      undecodable?: string;
      /** Where redirects ended; absent if none was followed. */
      end?: { address: string; redirects: number } | undefined;
      /** From the request to the end of what was read, redirects included. */
      milliseconds: number;
      /** When the certificate of its host expires, in milliseconds since the epoch; undefined without one. */
      certificateEnds: number | undefined;
    }
  /** No response, and why. */
  | { failure: string };

/** Requests public pages, without the API key. */
interface Probe {
  /** Reads a page once. Throws only the signal's reason. */
  request(question: Question, signal: AbortSignal): Promise<ProbeResult>;
  close(): Promise<void>;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

const authorityOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname.replace(/^\[|\]$/g, '')}:${port || (protocol === 'https:' ? '443' : '80')}`;

/** Where a page redirects to on its own host; undefined if it does not, or leaves the host. */
function nextAt(url: URL, { statusCode, headers }: Dispatcher.ResponseData): URL | undefined {
  const { location } = headers;
  if (!redirectStatuses.has(statusCode) || typeof location !== 'string') return undefined;
  const next = URL.parse(location, url.href);
  if (next === null || next.username !== '' || next.password !== '') return undefined;
  const isSecured =
    url.protocol === 'http:' &&
    next.protocol === 'https:' &&
    next.hostname === url.hostname &&
    next.port === '' &&
    url.port === '';
  return next.origin === url.origin || isSecured ? next : undefined;
}

/** The text of a page; without it, why it can't be decoded. */
async function readPage(answer: Dispatcher.ResponseData) {
  try {
    const { bytes, truncated } = await readBytes(decodeBody(answer), maxPage);
    return { text: decodeText(bytes, String(answer.headers['content-type'])), truncated };
  } catch (error) {
    if (!(error instanceof UndecodableBody)) throw error;
    return { text: '', truncated: false, undecodable: error.message };
  }
}

/** Creates a probe with its own connections. */
export function createProbe(userAgent: string): Probe {
  const pools = new Map<string, Pool>();
  const certificates = new Map<string, number>();
  const onConnected = (message: unknown) => {
    const { connectParams, socket } = message as DiagnosticsChannel.ClientConnectedMessage;
    const end = certificateEnd(socket);
    const { hostname, port } = connectParams;
    // A resumed TLS session shows no certificate: keep that of the first connection.
    if (end !== undefined) certificates.set(`${hostname}:${port || '443'}`, end);
  };
  subscribe('undici:client:connected', onConnected);

  const poolFor = (url: URL): Pool => {
    const pool = pools.get(url.origin) ?? openPool(url, { connections });
    pools.set(url.origin, pool);
    return pool;
  };

  const send = (url: URL, method: Question['method'], signal: AbortSignal) => {
    const response = poolFor(url).dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: {
        accept: '*/*',
        // Without it a site may compress (RFC 9110, 12.5.3); what it compresses nevertheless is decoded.
        'accept-encoding': 'identity',
        'cache-control': 'no-cache',
        'user-agent': userAgent,
      },
      signal,
    });
    return orAbort(response, signal);
  };

  const read = async ({ url, method, follows }: Question, signal: AbortSignal) => {
    let at = url;
    for (let left = maxRedirections; ; left -= 1) {
      const answer = await send(at, method, signal);
      const next = follows && left > 0 ? nextAt(at, answer) : undefined;
      const body = await readPage(answer);
      if (next === undefined) return { answer, body, at, redirects: maxRedirections - left };
      at = next;
    }
  };

  return {
    request: async (question, signal) => {
      const started = performance.now();
      try {
        const { answer, body, at, redirects } = await read(question, signal);
        const { origin, pathname, search } = at;
        const address = `${origin === question.url.origin ? '' : origin}${pathname}${search}`;
        return {
          status: answer.statusCode,
          end: redirects === 0 ? undefined : { address, redirects },
          headers: answer.headers,
          ...body,
          milliseconds: performance.now() - started,
          certificateEnds: at.protocol === 'https:' ? certificates.get(authorityOf(at)) : undefined,
        };
      } catch (error) {
        signal.throwIfAborted();
        return { failure: classifyNetworkError(error).detail };
      }
    },
    close: async () => {
      unsubscribe('undici:client:connected', onConnected);
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

/** How many checks run at the same time. */
const atOnce = 4;

/** The longest that one try may take, in milliseconds. */
const longestTry = 30_000;

/** How long a check must pass, in milliseconds: during a rollout a site may serve both versions. */
const confirming = 1000;

/** The pause after a pass: a timer may fire a little early. */
export const confirmationPause = confirming + 20;

/** A check of a run, and its tries so far. */
export interface SiteCheck {
  /** Absent if it cannot be run. */
  readonly check?: Check;
  readonly what: SafeText;
  readonly expected: SafeText;
  readonly result: CheckResult;
  /** The last try; undefined before the first one, also after a restart. */
  last: TryResult | undefined;
  /** The last try before the restart. */
  before: TryResult | undefined;
  /** The last try that failed. */
  lastBad: TryResult | undefined;
  /** The passes in a row: when the first and the last were, and their number. */
  goodSince: number;
  goodUntil: number;
  passes: number;
}

/** The checks of a run and their connections. Close them at the end. */
export interface SiteChecks extends AsyncDisposable {
  readonly all: readonly SiteCheck[];
  /** Those that can be run. */
  readonly active: readonly SiteCheck[];
  /** Discards earlier passes. */
  restart(): void;
  /**
   * Tries each of them once, in parallel. Rejects with the signal's reason.
   *
   * @param longest how long a try may take, in milliseconds, if less than 30 s; after that the earlier result stays
   */
  tryAll(signal: AbortSignal, longest?: (one: SiteCheck) => number): Promise<void>;
}

/** True if one of them contains the commit, so that no other deployment's page passes. */
export const anyNamesCommit = ({ active }: Pick<SiteChecks, 'active'>): boolean =>
  active.some(({ check }) => check?.namesCommit === true);

/** True if it passed twice in a row, a second apart. */
export const hasPassed = ({ passes, goodSince, goodUntil }: SiteCheck): boolean =>
  passes >= 2 && goodUntil - goodSince >= confirming;

/** True if it requests the hostname itself: by https at the default port, or on loopback. */
export function isAt({ check }: SiteCheck, hostname: string): boolean {
  if (check?.url.hostname !== hostname) return false;
  const { protocol, port } = check.url;
  return (protocol === 'https:' && port === '') || isLoopback(check.url);
}

function begin(declared: DeclaredCheck, site: CheckedSite, { clean }: Host): SiteCheck {
  const filled = fillCheck(declared, site);
  const { at } = declared;
  const shown = 'problem' in filled ? ('url' in at ? at.url : at.path) : filled.url.href;
  const what = safe`${unsafeText(declared.method)} ${clean(shown)}`;
  const expected = describeExpected('problem' in filled ? declared : filled, clean);
  const actual =
    'problem' in filled ? safe`not run: ${unsafeText(filled.problem)}` : safe`not run yet`;
  return {
    ...('url' in filled && { check: filled }),
    what,
    expected,
    result: { what, expected, actual, passed: null },
    last: undefined,
    before: undefined,
    lastBad: undefined,
    goodSince: 0,
    goodUntil: 0,
    passes: 0,
  };
}

/**
 * Opens checks for a commit and an origin. Their requests carry no API key.
 *
 * @param request its site has the values of the placeholders: the same checks can run for another commit
 */
export function openChecks({ declared, site }: ChecksRequest, host: Host): SiteChecks {
  const probe = createProbe(userAgent);
  const limit = pLimit(atOnce);
  const all = declared.map((one) => begin(one, site, host));
  const active = all.filter(({ check }) => check !== undefined);
  const take = (one: SiteCheck, result: TryResult) => {
    one.last = result;
    if (!result.isGood) {
      one.lastBad = result;
      one.passes = 0;
      return;
    }
    one.goodUntil = host.clock.now();
    if (one.passes === 0) one.goodSince = one.goodUntil;
    one.passes += 1;
  };
  const tryOne = async (one: SiteCheck, check: Check, signal: AbortSignal, longest: number) => {
    signal.throwIfAborted();
    const result = await tryWithin(longest, signal, host, (limited) =>
      request(probe, check, host, limited),
    );
    if (result !== undefined) return take(one, result);
    if (longest < longestTry && one.last !== undefined) return;
    const failure = `no complete response within ${formatDuration(longest)}`;
    take(one, judge(check, { failure }, host.clean, 0));
  };
  return {
    all,
    active,
    restart: () => {
      for (const one of all) {
        one.before = one.last;
        one.last = undefined;
        one.passes = 0;
        one.lastBad = undefined;
      }
    },
    tryAll: async (signal, longest = () => longestTry) => {
      const within = (one: SiteCheck) => Math.min(longest(one), longestTry);
      const trying = active.map((one) =>
        limit(async () => one.check && (await tryOne(one, one.check, signal, within(one)))),
      );
      // Waits for all, so that none is running when its pool is closed.
      const ended = await Promise.allSettled(trying);
      const failed = ended.find((end) => end.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
    [Symbol.asyncDispose]: () => probe.close(),
  };
}

/** True if a check names the commit, and the page did not show it. */
function lacksCommit({ check, last, lastBad }: SiteCheck, passed: boolean | null): boolean {
  if (check?.commit === undefined || passed === true) return false;
  const showsIt = (result: TryResult | undefined) => result?.showsCommit !== false;
  // Without a response, only a check whose time is over counts.
  if (last?.milliseconds === undefined) return passed === false;
  return !showsIt(last) || !showsIt(lastBad);
}

/** @param passed `CheckResult.passed`: null until it is decided */
export function resultOf(one: SiteCheck, passed: boolean | null, actual?: SafeText): CheckResult {
  const { what, expected, last, lastBad, result } = one;
  const isFlapping = passed === false && last?.isGood === true;
  const flaps = safe`${last?.text ?? safe``}, but not twice in a row`;
  const before = lastBad === undefined ? flaps : safe`${flaps} (before that: ${lastBad.text})`;
  const text = isFlapping ? before : (last?.text ?? result.actual);
  const explains = actual === undefined && !isFlapping ? last?.explains : undefined;
  const milliseconds = last?.milliseconds;
  const url = one.check?.url.href;
  return {
    what,
    ...(url !== undefined && what.endsWith(` ${url}`) && { url }),
    expected,
    actual: actual ?? text,
    ...(explains !== undefined && explains !== text && { explains }),
    passed,
    ...(milliseconds !== undefined && { milliseconds: Math.round(milliseconds) }),
    ...(actual === undefined && lacksCommit(one, passed) && { lacksCommit: true as const }),
  };
}

/** How often a page that is only slow is requested: the fastest response counts. */
const tries = 3;

/** Requests a page once, or a few times if it is only slow. */
async function request(
  probe: Probe,
  check: Check,
  host: Host,
  signal: AbortSignal,
): Promise<TryResult> {
  const { url, method } = check;
  const question = { url, method, follows: !wantsRedirect(check) };
  let best: TryResult | undefined;
  for (let left = tries; left > 0 && (best === undefined || best.isOnlySlow); left -= 1) {
    const answer = await probe.request(question, signal).catch((error: unknown) => {
      // Its time is over, but an earlier response was slow: that is the result.
      if (best !== undefined) return undefined;
      throw error;
    });
    if (answer === undefined) break;
    // A certificate expires by the real date, not by the run's clock.
    const next = judge(check, answer, host.clean, Date.now());
    const isFaster = (next.milliseconds ?? 0) < (best?.milliseconds ?? Number.POSITIVE_INFINITY);
    if (best === undefined || !next.isOnlySlow || isFaster) best = next;
  }
  if (best === undefined) throw new Error('no try');
  return best;
}

/** One try within a time limit; undefined if it was exceeded. Rejects with the signal's reason. */
async function tryWithin(
  longest: number,
  signal: AbortSignal,
  { clock }: Host,
  work: (signal: AbortSignal) => Promise<TryResult>,
): Promise<TryResult | undefined> {
  const giveUp = new AbortController();
  const done = new AbortController();
  clock.sleep(longest, AbortSignal.any([signal, done.signal])).then(
    () => giveUp.abort(),
    () => undefined,
  );
  try {
    const result = await work(AbortSignal.any([signal, giveUp.signal]));
    signal.throwIfAborted();
    return result;
  } catch (error) {
    signal.throwIfAborted();
    if (!giveUp.signal.aborted) throw error;
    return undefined;
  } finally {
    done.abort();
  }
}
