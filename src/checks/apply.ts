import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';
import pLimit from 'p-limit';
import type { DiagnosticsChannel, Dispatcher } from 'undici';
import { isLoopback } from '../contract/limits.ts';
import { decodeBody, decodeText, orAbort, readBytes, UndecodableBody } from '../http/body.ts';
import { classifyNetworkError } from '../http/faults.ts';
import { openPool, type Pool } from '../http/pool.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Host } from '../step/step.ts';
import { userAgent } from '../step/version.ts';
import { evaluateAnswer, type NoPage, type PageAnswer, type TryResult } from './evaluate.ts';
import { type Check, type ChecksRequest, fillCheck, wantsRedirect } from './intent.ts';
import { type CheckResult, describeExpected } from './result.ts';

/** How many checks run at the same time, and the most connections to one site. */
const atOnce = 4;

/** The longest that one try may take, in milliseconds. */
const longestTry = 30_000;

/** How often a page that is only slow is requested: the fastest response counts. */
const triesIfSlow = 3;

/** How long a check must pass, in milliseconds: during a rollout a site may serve both versions. */
const confirming = 1000;

/** The pause after a pass: a timer may fire a little early. */
export const confirmationPause = confirming + 20;

/** A check of a run, and its tries so far. */
export interface SiteCheck {
  /** Undefined if it cannot be run. */
  readonly check: Check | undefined;
  readonly what: SafeText;
  readonly expected: SafeText;
  /** Until it is tried. */
  readonly result: CheckResult;
  /** The last try; undefined before the first one, also after a restart. */
  last: TryResult | undefined;
  /** The last try before the restart. */
  before: TryResult | undefined;
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
  tryAll(signal: AbortSignal, longest?: (siteCheck: SiteCheck) => number): Promise<void>;
}

/**
 * Opens checks for a commit and an origin. Their requests carry no API key.
 *
 * @param request its site has the values of the placeholders: the same checks can run for another commit
 */
export function openChecks({ declared, site }: ChecksRequest, host: Host): SiteChecks {
  const { clean, clock } = host;
  const probe = createProbe(userAgent);
  const limit = pLimit(atOnce);
  const all = declared.map((one): SiteCheck => {
    const filled = fillCheck(one, site);
    const isFilled = !('problem' in filled);
    const address = 'url' in one.at ? one.at.url : one.at.path;
    const what = safe`${one.method} ${clean(isFilled ? filled.url.href : address)}`;
    const expected = describeExpected(isFilled ? filled : one, clean);
    const actual = isFilled ? safe`not run yet` : safe`not run: ${unsafeText(filled.problem)}`;
    return {
      check: isFilled ? filled : undefined,
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
  });
  const active = all.filter(({ check }) => check !== undefined);
  const tryCheck = async (siteCheck: SiteCheck, longest: number, signal: AbortSignal) => {
    const { check } = siteCheck;
    if (check === undefined) return;
    signal.throwIfAborted();
    const inTime = await tryWithin(longest, signal, host, (limited) =>
      requestPage(probe, check, host, limited),
    );
    if (inTime === undefined && longest < longestTry && siteCheck.last !== undefined) return;
    const failure = `no complete response within ${formatDuration(longest)}`;
    const result = inTime ?? evaluateAnswer(check, { failure }, clean, 0);
    siteCheck.last = result;
    if (!result.isGood) {
      siteCheck.lastBad = result;
      siteCheck.passes = 0;
      return;
    }
    siteCheck.goodUntil = clock.now();
    if (siteCheck.passes === 0) siteCheck.goodSince = siteCheck.goodUntil;
    siteCheck.passes += 1;
  };
  return {
    all,
    active,
    restart: () => {
      for (const siteCheck of all) {
        siteCheck.before = siteCheck.last;
        siteCheck.last = undefined;
        siteCheck.passes = 0;
        siteCheck.lastBad = undefined;
      }
    },
    tryAll: async (signal, longest = () => longestTry) => {
      const tries = active.map((siteCheck) =>
        limit(() => tryCheck(siteCheck, Math.min(longest(siteCheck), longestTry), signal)),
      );
      // Waits for all, so that none is running when its pool is closed.
      const ended = await Promise.allSettled(tries);
      const failed = ended.find((end) => end.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
    [Symbol.asyncDispose]: () => probe.close(),
  };
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

/** Requests a page once, or a few times if it is only slow. */
async function requestPage(
  probe: Probe,
  check: Check,
  { clean }: Host,
  signal: AbortSignal,
): Promise<TryResult> {
  const { url, method } = check;
  const question = { url, method, follows: !wantsRedirect(check) };
  let best: TryResult | undefined;
  for (let left = triesIfSlow; left > 0 && (best === undefined || best.isOnlySlow); left -= 1) {
    const answer = await probe.request(question, signal).catch((error: unknown) => {
      // Its time is over, but an earlier response was slow: that is the result.
      if (best !== undefined) return undefined;
      throw error;
    });
    if (answer === undefined) break;
    // A certificate expires by the real date, not by the run's clock.
    const next = evaluateAnswer(check, answer, clean, Date.now());
    const isFaster = (next.milliseconds ?? 0) < (best?.milliseconds ?? Number.POSITIVE_INFINITY);
    if (best === undefined || !next.isOnlySlow || isFaster) best = next;
  }
  if (best === undefined) throw new Error('no try');
  return best;
}

/** True if one of them contains the commit, so that no other deployment's page passes. */
export const anyNamesCommit = ({ active }: SiteChecks): boolean =>
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

/** @param passed `CheckResult.passed`: null until it is decided */
export function resultOf(
  { check, what, expected, last, lastBad, result }: SiteCheck,
  passed: boolean | null,
  actual?: SafeText,
): CheckResult {
  const url = check?.url.href;
  const milliseconds = last?.milliseconds;
  const measured = {
    what,
    // A masked request is no link.
    url: url !== undefined && what.endsWith(` ${url}`) ? url : undefined,
    expected,
    passed,
    milliseconds: milliseconds === undefined ? undefined : Math.round(milliseconds),
  };
  if (actual !== undefined) return { ...measured, actual };
  const lacks = (one: TryResult | undefined) => one?.showsCommit === false;
  const lacksCommit =
    check?.commit !== undefined &&
    passed !== true &&
    // Without a response, only a check whose time is over counts.
    (milliseconds === undefined ? passed === false : lacks(last) || lacks(lastBad));
  const decided = { ...measured, lacksCommit: lacksCommit ? (true as const) : undefined };
  if (passed === false && last?.isGood === true) {
    const earlier = lastBad === undefined ? safe`` : safe` (before that: ${lastBad.text})`;
    return { ...decided, actual: safe`${last.text}, but not twice in a row${earlier}` };
  }
  const text = last?.text ?? result.actual;
  return {
    ...decided,
    actual: text,
    explains: last?.explains === text ? undefined : last?.explains,
  };
}

const maxPage = 5 * 1024 * 1024;
const maxRedirections = 5;

/** The response of a page, or why there was none. */
export type ProbeResult = PageAnswer | NoPage;

/** Requests public pages, without the API key. */
interface Probe {
  /**
   * Reads a page once. Throws only the signal's reason.
   *
   * @param follows true: redirects are followed, at the same host only
   */
  request(
    page: { url: URL; method: 'GET' | 'HEAD'; follows: boolean },
    signal: AbortSignal,
  ): Promise<ProbeResult>;
  close(): Promise<void>;
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

  const send = (url: URL, method: 'GET' | 'HEAD', signal: AbortSignal) => {
    const pool = pools.get(url.origin) ?? openPool(url, { connections: atOnce });
    pools.set(url.origin, pool);
    const response = pool.dispatcher.request({
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

  return {
    request: async ({ url, method, follows }, signal) => {
      const started = performance.now();
      try {
        let at = url;
        for (let redirects = 0; ; redirects += 1) {
          const answer = await send(at, method, signal);
          const next = follows && redirects < maxRedirections ? redirectOf(at, answer) : undefined;
          const body = await readPage(answer);
          if (next !== undefined) {
            at = next;
            continue;
          }
          // The channel names an IPv6 address without its brackets.
          const authority = `${at.hostname.replace(/^\[|\]$/g, '')}:${at.port || '443'}`;
          const { origin, pathname, search } = at;
          const address = `${origin === url.origin ? '' : origin}${pathname}${search}`;
          return {
            status: answer.statusCode,
            end: redirects === 0 ? undefined : { address, redirects },
            headers: answer.headers,
            ...body,
            milliseconds: performance.now() - started,
            certificateEnds: at.protocol === 'https:' ? certificates.get(authority) : undefined,
          };
        }
      } catch (error) {
        signal.throwIfAborted();
        const { detail, advice } = classifyNetworkError(error);
        return { failure: detail, advice };
      }
    },
    close: async () => {
      unsubscribe('undici:client:connected', onConnected);
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

/** The text of a page; without it, why it can't be decoded. */
async function readPage(answer: Dispatcher.ResponseData) {
  try {
    const { bytes, truncated } = await readBytes(decodeBody(answer), maxPage);
    return { text: decodeText(bytes, String(answer.headers['content-type'] ?? '')), truncated };
  } catch (error) {
    if (!(error instanceof UndecodableBody)) throw error;
    return { text: '', truncated: false, undecodable: error.message };
  }
}

/** Where a page redirects to on its own host; undefined if it does not, or leaves the host. */
function redirectOf(url: URL, { statusCode, headers }: Dispatcher.ResponseData): URL | undefined {
  const { location } = headers;
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  if (!isRedirect || typeof location !== 'string') return undefined;
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

/**
 * When the server's certificate expires, in milliseconds since the epoch; undefined if the connection has none, or
 * resumes a session.
 */
function certificateEnd(socket: unknown): number | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const end = Date.parse(socket.getPeerCertificate().valid_to ?? '');
  return Number.isNaN(end) ? undefined : end;
}
