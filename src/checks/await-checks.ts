import { pollPause } from '../follow/model/schedule.ts';
import { reportOn } from '../frame/ending.ts';
import type { Host } from '../frame/host.ts';
import type { Run } from '../frame/step.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { formatDuration } from '../kernel/text/duration.ts';
import { joinSafe, type SafeText, safe, shorten } from '../kernel/text/safe.ts';
import { sentence } from '../kernel/text/sentence.ts';
import { countOf } from '../report/closing.ts';
import {
  hasHeld,
  isAt,
  openChecks,
  resultOf,
  type SiteCheck,
  type SiteChecks,
  settlingPause,
} from './apply.ts';
import type { ChecksRequest } from './intent.ts';
import { type CheckResult, checkLines, countFailed } from './result.ts';

/** A preview's domain, as far as checks at its address depend on it. */
export interface CheckedDomain {
  hostname: string;
  readonly isVerified: boolean;
  /** True while it is followed, so that it may still be verified. */
  readonly isFollowed: boolean;
}

/** How checks are run. */
export interface Awaiting {
  host: Host;
  checks: SiteChecks;
  /** How long they may take to hold, in milliseconds. */
  timeout: number;
  /** Absent if there is no preview, or it needs no verification. */
  domain?: CheckedDomain | undefined;
  /** Takes what is known of them, as it becomes known. */
  found: (results: readonly CheckResult[]) => void;
}

/** How often a check that says nothing new is mentioned, in milliseconds. */
const heartbeatInterval = 30_000;

/** Tells of each change of an answer, and now and then of one that is still bad. */
function createTeller({ clock, report }: Host, started: number): (checks: SiteChecks) => void {
  const said = new Map<SiteCheck, { says: SafeText; at: number }>();
  return ({ asked }) => {
    const now = clock.now();
    for (const one of asked) {
      if (one.last === undefined) continue;
      const { says, isGood } = one.last;
      const before = said.get(one);
      const isSame = before?.says === says;
      if (isSame && (isGood || now - before.at < heartbeatInterval)) continue;
      said.set(one, { says, at: now });
      const told = isSame ? safe`still ${says}` : says;
      report({
        type: 'lines',
        entries: checkLines({ what: one.what, says: told, elapsed: now - started }),
      });
    }
  };
}

/** What a check answered last, and what somebody can do about it. */
function describeLast({ what, last }: SiteCheck): SafeText {
  if (last === undefined) return safe`${what} has not answered yet.`;
  return joinSafe([sentence(safe`${what}, last seen: ${last.says}`), last.advice], ' ');
}

/** What a look may take however little time is left, in milliseconds. */
const shortestLook = 1000;

/** The most checks that an error names. */
const mostNamed = 3;

/** What is missing while checks are waited for: those that are not good, the first of them in words. */
export function describeMissing({ asked }: SiteChecks): SafeText {
  const bad = asked.filter(({ last }) => last?.isGood !== true);
  const more = bad.length > mostNamed ? [safe`And ${bad.length - mostNamed} more.`] : [];
  return joinSafe([...bad.slice(0, mostNamed).map(describeLast), ...more], ' ');
}

/** Why checks did not hold, in one line that names them, what was wanted and what was seen. */
export function describeFailed(
  checks: SiteChecks,
  results: readonly CheckResult[],
  timeout: number,
): Diagnostic {
  const failed = checks.all.flatMap((one, index) => {
    const result = results[index];
    return result?.held === false ? [{ one, result }] : [];
  });
  const named = failed.slice(0, mostNamed).map(({ one, result }) => {
    const { what, wanted, seen } = result;
    const wants = sentence(safe`${what}: wanted ${shorten(wanted, 200)}, seen: ${seen}`);
    return joinSafe([wants, ...(one.last?.advice ? [one.last.advice] : [])], ' ');
  });
  const more = failed.length > mostNamed ? [safe`And ${failed.length - mostNamed} more.`] : [];
  const count = safe`${failed.length} of ${countOf(results.length, safe`check`)} did not hold within ${formatDuration(timeout)}`;
  return diagnose('SD5004', joinSafe([sentence(count), ...named, ...more], ' '));
}

/** What is said of a check at a domain that was never verified. */
const pendingDomain = safe`not run: its domain is not verified`;

/** The moments by which the time of checks counts, in milliseconds since the epoch. */
interface Moments {
  started: number;
  /** When the domain was first seen verified; undefined if it was not. */
  verifiedAt: number | undefined;
}

/** How much of its time a check has left, in milliseconds; undefined if that has not begun. */
function leftOf(
  one: SiteCheck,
  { host, timeout, domain }: Awaiting,
  { started, verifiedAt }: Moments,
): number | undefined {
  const waits = domain !== undefined && isAt(one, domain.hostname);
  const since = waits ? verifiedAt : started;
  return since === undefined ? undefined : since + timeout - host.clock.now();
}

/** How it stands with a check: its time is over, or what it waits for will not come. */
type Standing = 'held' | 'open' | 'missed' | 'dropped';

function standingOf(one: SiteCheck, awaiting: Awaiting, moments: Moments): Standing {
  if (hasHeld(one)) return 'held';
  const left = leftOf(one, awaiting, moments);
  if (left !== undefined) return left <= 0 ? 'missed' : 'open';
  const { domain } = awaiting;
  return domain?.isFollowed === false && one.last?.isGood !== true ? 'dropped' : 'open';
}

/** What became of a check at the end. */
function endOf(one: SiteCheck, standing: Standing | undefined): CheckResult {
  if (standing === undefined) return one.result;
  if (standing === 'dropped') return resultOf(one, null, pendingDomain);
  return resultOf(one, standing === 'open' ? null : standing === 'held');
}

/**
 * Looks at the checks until each was good twice in a row, a second apart, or their time is up, telling each change.
 * Those at a domain that is still pending are looked at, too, and decide nothing unless they hold.
 *
 * @returns what became of each; rejects with the signal's reason
 */
export async function awaitChecks(awaiting: Awaiting): Promise<readonly CheckResult[]> {
  const { host, checks, domain, found } = awaiting;
  const { clock, signal } = host;
  const started = clock.now();
  const tell = createTeller(host, started);
  const moments: Moments = { started, verifiedAt: undefined };
  const left = (one: SiteCheck) => leftOf(one, awaiting, moments) ?? Number.POSITIVE_INFINITY;
  checks.restart();
  for (;;) {
    if (domain?.isVerified === true) moments.verifiedAt ??= clock.now();
    await checks.look(signal, (one) => Math.max(shortestLook, left(one)));
    tell(checks);
    const standings = new Map(checks.asked.map((one) => [one, standingOf(one, awaiting, moments)]));
    const all = [...standings.values()];
    if (!all.includes('open') || all.includes('missed')) {
      const results = checks.all.map((one) => endOf(one, standings.get(one)));
      found(results);
      return results;
    }
    found(checks.all.map((one) => resultOf(one, null)));
    const isSettling = checks.asked.every(({ last }) => last?.isGood === true);
    const pause = isSettling ? settlingPause : pollPause(clock.now() - started, host.random());
    const open = checks.asked.filter((one) => standings.get(one) === 'open');
    await clock.sleep(Math.max(0, Math.min(pause, ...open.map(left))), signal);
  }
}

/** Runs checks alone: nothing is deployed or synced, and the service is not asked. */
export async function watchSite(run: Run, request: ChecksRequest) {
  const { host } = run;
  const { timeout } = request;
  return await reportOn<{ checks?: readonly CheckResult[] }>(run, {}, async (found) => {
    const checks = openChecks(request, host);
    try {
      const results = await awaitChecks({
        host,
        checks,
        timeout,
        found: (known) => found({ checks: known }),
      });
      if (countFailed(results) === 0) return { outcome: 'synced' };
      return { outcome: 'failed', error: describeFailed(checks, results, timeout) };
    } finally {
      await checks.close();
    }
  });
}
