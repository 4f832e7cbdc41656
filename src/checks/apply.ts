import pLimit from 'p-limit';
import { isLoopback } from '../contract/base-url.ts';
import type { Host } from '../frame/host.ts';
import { userAgent } from '../frame/version.ts';
import { formatDuration } from '../kernel/text/duration.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { judge, type Look } from './evaluate.ts';
import {
  type Check,
  type CheckPlace,
  type ChecksRequest,
  type DeclaredCheck,
  fillCheck,
  wantsRedirect,
} from './intent.ts';
import { createProbe, type Probe } from './probe.ts';
import { type CheckResult, describeWanted } from './result.ts';

/** How many checks are looked at side by side. */
const atOnce = 4;

/** The longest that one look may take, in milliseconds. */
const longestLook = 30_000;

/** How long a check must hold, in milliseconds: a site that is being replaced answers both ways. */
const settling = 1000;

/** The pause after a good look: a timer may wake a little early. */
export const settlingPause = settling + 20;

/** A check of a run, and what was seen of it. */
export interface SiteCheck {
  /** Absent if this run cannot ask it. */
  readonly check?: Check;
  readonly what: SafeText;
  readonly wanted: SafeText;
  readonly result: CheckResult;
  /** The last look; undefined before the first, and as long as it has to hold anew. */
  last: Look | undefined;
  /** The last look before it had to hold anew. */
  before: Look | undefined;
  /** The last look that was not good. */
  lastBad: Look | undefined;
  /** From when to when every look was good, and how many there were. */
  goodSince: number;
  goodUntil: number;
  goodLooks: number;
}

/** The checks, ready to be looked at. Close them at the end. */
export interface SiteChecks {
  readonly all: readonly SiteCheck[];
  /** Those that can be asked. */
  readonly asked: readonly SiteCheck[];
  /** From now on they are to hold anew, whatever was seen before. */
  restart(): void;
  /**
   * Looks at all of them once, side by side. Rejects with the signal's reason.
   *
   * @param longest how long a look may take, in milliseconds, if that is less than 30 s: what was seen before stays then
   */
  look(signal: AbortSignal, longest?: (one: SiteCheck) => number): Promise<void>;
  close(): Promise<void>;
}

/** True if it was good twice in a row, a second apart. */
export const hasHeld = ({ goodLooks, goodSince, goodUntil }: SiteCheck): boolean =>
  goodLooks >= 2 && goodUntil - goodSince >= settling;

/** True if what it shows is shown at a hostname's own address: https, or loopback. */
export function isAt({ check }: SiteCheck, hostname: string): boolean {
  if (check?.url.hostname !== hostname) return false;
  const { protocol, port } = check.url;
  return (protocol === 'https:' && port === '') || isLoopback(check.url);
}

/** A check before its first look. */
function begin(declared: DeclaredCheck, place: CheckPlace, { clean }: Host): SiteCheck {
  const filled = fillCheck(declared, place);
  const { at } = declared;
  const shown = 'problem' in filled ? ('url' in at ? at.url : at.path) : filled.url.href;
  const what = safe`${unsafeText(declared.method)} ${clean(shown)}`;
  const wanted = describeWanted('problem' in filled ? declared : filled, clean);
  const seen =
    'problem' in filled ? safe`not run: ${unsafeText(filled.problem)}` : safe`not looked at yet`;
  return {
    ...('url' in filled && { check: filled }),
    what,
    wanted,
    result: { what, wanted, seen, held: null },
    last: undefined,
    before: undefined,
    lastBad: undefined,
    goodSince: 0,
    goodUntil: 0,
    goodLooks: 0,
  };
}

/**
 * Opens checks for a commit and an origin. They are asked without the key, over few connections.
 *
 * @param request the place says what the placeholders stand for: the same checks can be run for another commit
 */
export function openChecks({ declared, place }: ChecksRequest, host: Host): SiteChecks {
  const probe = createProbe(userAgent);
  const limit = pLimit(atOnce);
  const all = declared.map((one) => begin(one, place, host));
  const asked = all.filter(({ check }) => check !== undefined);
  const take = (one: SiteCheck, look: Look) => {
    one.last = look;
    if (!look.isGood) {
      one.lastBad = look;
      one.goodLooks = 0;
      return;
    }
    one.goodUntil = host.clock.now();
    if (one.goodLooks === 0) one.goodSince = one.goodUntil;
    one.goodLooks += 1;
  };
  const lookAt = async (one: SiteCheck, check: Check, signal: AbortSignal, longest: number) => {
    signal.throwIfAborted();
    const look = await lookWithin(longest, signal, host, (limited) =>
      ask(probe, check, host, limited),
    );
    if (look !== undefined) return take(one, look);
    if (longest < longestLook && one.last !== undefined) return;
    const failure = `its answer did not end in ${formatDuration(longest)}`;
    take(one, judge(check, { failure }, host.clean, 0));
  };
  return {
    all,
    asked,
    restart: () => {
      for (const one of all) {
        one.before = one.last;
        one.last = undefined;
        one.goodLooks = 0;
        one.lastBad = undefined;
      }
    },
    look: async (signal, longest = () => longestLook) => {
      const within = (one: SiteCheck) => Math.min(longest(one), longestLook);
      const looks = asked.map((one) =>
        limit(async () => one.check && (await lookAt(one, one.check, signal, within(one)))),
      );
      // All of them, so that none is still under way when its pool is closed.
      const ended = await Promise.allSettled(looks);
      const failed = ended.find((end) => end.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
    close: () => probe.close(),
  };
}

/** True if a check names the commit, and what it saw was not that. */
function lacksCommit({ check, last, lastBad }: SiteCheck, held: boolean | null): boolean {
  if (check?.commit === undefined || held === true) return false;
  const isSeen = (look: Look | undefined) => look?.showsCommit !== false;
  // Without an answer, only a check that has had its time says something.
  if (last?.milliseconds === undefined) return held === false;
  return !isSeen(last) || !isSeen(lastBad);
}

/** What it looks like now. @param held what is known of its end */
export function resultOf(one: SiteCheck, held: boolean | null, seen?: SafeText): CheckResult {
  const { what, wanted, last, lastBad, result } = one;
  const isFlapping = held === false && last?.isGood === true;
  const flaps = safe`${last?.says ?? safe``}, but not twice in a row`;
  const before = lastBad === undefined ? flaps : safe`${flaps}: before that, ${lastBad.says}`;
  const says = isFlapping ? before : (last?.says ?? result.seen);
  const milliseconds = last?.milliseconds;
  return {
    what,
    wanted,
    seen: seen ?? says,
    held,
    ...(milliseconds !== undefined && { milliseconds: Math.round(milliseconds) }),
    ...(seen === undefined && lacksCommit(one, held) && { lacksCommit: true as const }),
  };
}

/** How often a page that is only slow is asked: the best of these counts. */
const tries = 3;

/** Asks a page once, or a few times if it is only slow. */
export async function ask(
  probe: Probe,
  check: Check,
  host: Host,
  signal: AbortSignal,
): Promise<Look> {
  const { url, method } = check;
  const question = { url, method, follows: !wantsRedirect(check) };
  let look: Look | undefined;
  for (let left = tries; left > 0 && (look === undefined || look.isOnlySlow); left -= 1) {
    const answer = await probe.ask(question, signal).catch((error: unknown) => {
      // Its time is over: that it was slow is known.
      if (look !== undefined) return undefined;
      throw error;
    });
    if (answer === undefined) break;
    // A certificate ends by the calendar, whatever clock drives the run.
    const next = judge(check, answer, host.clean, Date.now());
    const isFaster = (next.milliseconds ?? 0) < (look?.milliseconds ?? Number.POSITIVE_INFINITY);
    if (look === undefined || !next.isOnlySlow || isFaster) look = next;
  }
  if (look === undefined) throw new Error('no try');
  return look;
}

/** One look within a time; undefined if that was over first. Rejects with the signal's reason. */
export async function lookWithin(
  longest: number,
  signal: AbortSignal,
  { clock }: Host,
  look: (signal: AbortSignal) => Promise<Look>,
): Promise<Look | undefined> {
  const giveUp = new AbortController();
  const done = new AbortController();
  clock.sleep(longest, AbortSignal.any([signal, done.signal])).then(
    () => giveUp.abort(),
    () => undefined,
  );
  try {
    const seen = await look(AbortSignal.any([signal, giveUp.signal]));
    signal.throwIfAborted();
    return seen;
  } catch (error) {
    signal.throwIfAborted();
    if (!giveUp.signal.aborted) throw error;
    return undefined;
  } finally {
    done.abort();
  }
}
