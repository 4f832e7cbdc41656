import { pollPause } from '../follow/race.ts';
import { reportOn } from '../frame/ending.ts';
import type { Host, Run } from '../frame/step.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { formatDuration, sentence } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';

import {
  confirmationPause,
  hasPassed,
  isAt,
  openChecks,
  resultOf,
  type SiteCheck,
  type SiteChecks,
} from './apply.ts';
import type { ChecksRequest } from './intent.ts';
import { type CheckResult, checkLines, countFailed, describeResult, failedOf } from './result.ts';

/** What checks at a preview's domain need to know of it. */
export interface CheckedDomain {
  hostname: string;
  readonly isVerified: boolean;
  /** True while its verification is followed. */
  readonly isFollowed: boolean;
}

/** How checks are run. */
interface Awaiting {
  host: Host;
  checks: SiteChecks;
  /** How long they may take to pass, in milliseconds. */
  timeout: number;
  /** Absent if there is no preview, or it needs no verification. */
  domain?: CheckedDomain | undefined;
  /** Gets the results so far. */
  section: { checks?: readonly CheckResult[] };
}

/** How often a check that still fails is logged, in milliseconds. */
const heartbeatInterval = 30_000;

/** Logs each change of a result, and from time to time a check that still fails. */
function createLogger({ clock, report }: Host, started: number): (checks: SiteChecks) => void {
  const lastLogged = new Map<SiteCheck, { text: SafeText; at: number }>();
  return ({ active }) => {
    const now = clock.now();
    for (const one of active) {
      if (one.last === undefined) continue;
      const { text, isGood } = one.last;
      const before = lastLogged.get(one);
      const isSame = before?.text === text;
      if (isSame && (isGood || now - before.at < heartbeatInterval)) continue;
      lastLogged.set(one, { text, at: now });
      const logged = isSame ? safe`still failing: ${text}` : text;
      report({
        type: 'lines',
        entries: checkLines({ what: one.what, text: logged, elapsed: now - started }),
      });
    }
  };
}

/** The last result of a check, and what to do about it. */
function describeLast(one: SiteCheck): SafeText {
  const { what, last } = one;
  if (last === undefined) return safe`${what}: no response yet.`;
  return joinSafe([sentence(describeResult(resultOf(one, null))), last.advice], ' ');
}

/** The least time that a try gets, in milliseconds. */
const shortestTry = 1000;

/** The checks that do not pass yet: how many, and the first with its result. */
export function describeMissing({ active }: SiteChecks): SafeText {
  const bad = active.filter(({ last }) => last?.isGood !== true);
  const more =
    bad.length > 1 ? [safe`Of ${active.length} checks, ${bad.length} don't pass. The first:`] : [];
  return joinSafe([...more, ...bad.slice(0, 1).map(describeLast)], ' ');
}

/** How many checks failed, and the first of them with result and expectation. */
export function describeFailed(
  checks: SiteChecks,
  results: readonly CheckResult[],
  timeout: number,
): Diagnostic {
  const failed = checks.all.filter((_, index) => results[index]?.passed === false);
  const first = failed.slice(0, 1).map((one) => {
    const described = sentence(describeResult(resultOf(one, false)));
    const { last } = one;
    return last === undefined ? described : joinSafe([described, last.advice].filter(Boolean), ' ');
  });
  const count = sentence(safe`${failedOf(results)} failed (tried for ${formatDuration(timeout)})`);
  const lead = failed.length > 1 ? [safe`The first:`] : [];
  return diagnose('SD5004', joinSafe([count, ...lead, ...first], ' '));
}

const pendingDomain = safe`not run: its domain is not verified`;

/** In milliseconds since the epoch. */
interface Moments {
  started: number;
  /** When the domain was first found verified; undefined if it was not. */
  verifiedAt: number | undefined;
}

/** A check's time left, in milliseconds; undefined while it waits for its domain. */
function leftOf(
  one: SiteCheck,
  { host, timeout, domain }: Awaiting,
  { started, verifiedAt }: Moments,
): number | undefined {
  const waits = domain !== undefined && isAt(one, domain.hostname);
  const since = waits ? verifiedAt : started;
  return since === undefined ? undefined : since + timeout - host.clock.now();
}

/** A check's state: `missed` if its time is over, `dropped` if its domain will not be verified. */
type CheckState = 'passed' | 'open' | 'missed' | 'dropped';

function stateOf(one: SiteCheck, awaiting: Awaiting, moments: Moments): CheckState {
  if (hasPassed(one)) return 'passed';
  const left = leftOf(one, awaiting, moments);
  if (left !== undefined) return left <= 0 ? 'missed' : 'open';
  const { domain } = awaiting;
  return domain?.isFollowed === false && one.last?.isGood !== true ? 'dropped' : 'open';
}

/** The final result of a check. */
function endOf(one: SiteCheck, state: CheckState | undefined): CheckResult {
  if (state === undefined) return one.result;
  if (state === 'dropped') return resultOf(one, null, pendingDomain);
  return resultOf(one, state === 'open' ? null : state === 'passed');
}

/**
 * Runs the checks until each has passed twice in a row, a second apart, or the time is up, and logs each change.
 * Those at a domain that is still pending run, too, and count only if they pass.
 *
 * @returns the result of each; rejects with the signal's reason
 */
export async function awaitChecks(awaiting: Awaiting): Promise<readonly CheckResult[]> {
  const { host, checks, domain, section } = awaiting;
  const { clock, signal } = host;
  const started = clock.now();
  const log = createLogger(host, started);
  const moments: Moments = { started, verifiedAt: undefined };
  const left = (one: SiteCheck) => leftOf(one, awaiting, moments) ?? Number.POSITIVE_INFINITY;
  checks.restart();
  for (;;) {
    if (domain?.isVerified === true) moments.verifiedAt ??= clock.now();
    await checks.tryAll(signal, (one) => Math.max(shortestTry, left(one)));
    log(checks);
    const states = new Map(checks.active.map((one) => [one, stateOf(one, awaiting, moments)]));
    const all = [...states.values()];
    if (!all.includes('open') || all.includes('missed')) {
      const results = checks.all.map((one) => endOf(one, states.get(one)));
      section.checks = results;
      return results;
    }
    section.checks = checks.all.map((one) => resultOf(one, null));
    const isConfirming = checks.active.every(({ last }) => last?.isGood === true);
    const pause = isConfirming
      ? confirmationPause
      : pollPause(clock.now() - started, host.random());
    const open = checks.active.filter((one) => states.get(one) === 'open');
    await clock.sleep(Math.max(0, Math.min(pause, ...open.map(left))), signal);
  }
}

/** Only runs checks: nothing is deployed or synced, and the service gets no request. */
export async function watchSite(run: Run, request: ChecksRequest) {
  const { host } = run;
  const { timeout } = request;
  const section: Awaiting['section'] = {};
  return await reportOn(run, section, async () => {
    await using checks = openChecks(request, host);
    const results = await awaitChecks({ host, checks, timeout, section });
    if (countFailed(results) === 0) return { outcome: 'synced' };
    return { outcome: 'failed', error: describeFailed(checks, results, timeout) };
  });
}
