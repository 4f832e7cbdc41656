import { pollPause } from '../follow/race.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { formatDuration, sentence } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { reportOn } from '../step/run-outcome.ts';
import type { Host, Run } from '../step/step.ts';
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

interface Awaiting {
  host: Host;
  checks: SiteChecks;
  /** How long they may take to pass, in milliseconds. */
  timeout: number;
  /** Undefined if there is no preview, or it needs no verification. */
  domain?: CheckedDomain | undefined;
  /** Gets the results so far. */
  section: { checks?: readonly CheckResult[] | undefined };
}

/** The least time that a try gets, in milliseconds. */
const shortestTry = 1000;

/**
 * Runs the checks until each has passed twice in a row, a second apart, or the time is up, and logs each change.
 * Those at a domain that is still pending run, too, and count only if they pass.
 *
 * @returns the result of each; rejects with the signal's reason
 */
export async function awaitChecks(awaiting: Awaiting): Promise<readonly CheckResult[]> {
  const { host, checks, timeout, domain, section } = awaiting;
  const { clock, signal } = host;
  const { all, active } = checks;
  const started = clock.now();
  const logChanges = createLogger(host, started);
  let verifiedAt: number | undefined;

  /** In milliseconds; undefined while the check waits for its domain. */
  const timeLeft = (siteCheck: SiteCheck): number | undefined => {
    const waits = domain !== undefined && isAt(siteCheck, domain.hostname);
    const since = waits ? verifiedAt : started;
    return since === undefined ? undefined : since + timeout - clock.now();
  };
  /** `missed` if its time is over, `dropped` if its domain will not be verified. */
  const stateOf = (siteCheck: SiteCheck): 'passed' | 'open' | 'missed' | 'dropped' => {
    if (hasPassed(siteCheck)) return 'passed';
    const left = timeLeft(siteCheck);
    if (left !== undefined) return left <= 0 ? 'missed' : 'open';
    return domain?.isFollowed === false && siteCheck.last?.isGood !== true ? 'dropped' : 'open';
  };

  checks.restart();
  for (;;) {
    if (domain?.isVerified === true) verifiedAt ??= clock.now();
    await checks.tryAll(signal, (siteCheck) =>
      Math.max(shortestTry, timeLeft(siteCheck) ?? Number.POSITIVE_INFINITY),
    );
    logChanges(active);
    const states = new Map(active.map((siteCheck) => [siteCheck, stateOf(siteCheck)]));
    const open = active.filter((siteCheck) => states.get(siteCheck) === 'open');
    if (open.length === 0 || [...states.values()].includes('missed')) {
      const results = all.map((siteCheck) => {
        const state = states.get(siteCheck);
        if (state === undefined) return siteCheck.result;
        return state === 'dropped'
          ? resultOf(siteCheck, null, safe`not run: its domain is not verified`)
          : resultOf(siteCheck, state === 'open' ? null : state === 'passed');
      });
      section.checks = results;
      return results;
    }
    section.checks = all.map((siteCheck) => resultOf(siteCheck, null));
    const pause = active.every(({ last }) => last?.isGood === true)
      ? confirmationPause
      : pollPause(clock.now() - started, host.random());
    const left = open.map((siteCheck) => timeLeft(siteCheck) ?? Number.POSITIVE_INFINITY);
    await clock.sleep(Math.max(0, Math.min(pause, ...left)), signal);
  }
}

/** How often a check that still fails is logged, in milliseconds. */
const heartbeatInterval = 30_000;

/** Logs each change of a result, and from time to time a check that still fails. */
function createLogger({ clock, report }: Host, started: number) {
  const lastLogged = new Map<SiteCheck, { text: SafeText; at: number }>();
  return (active: readonly SiteCheck[]) => {
    const now = clock.now();
    for (const siteCheck of active) {
      const { what, last } = siteCheck;
      if (last === undefined) continue;
      const { text, isGood } = last;
      const before = lastLogged.get(siteCheck);
      const isSame = before?.text === text;
      if (isSame && (isGood || now - before.at < heartbeatInterval)) continue;
      lastLogged.set(siteCheck, { text, at: now });
      const logged = isSame ? safe`still failing: ${text}` : text;
      const elapsed = now - started;
      report({ type: 'lines', entries: checkLines(what, logged, elapsed) });
    }
  };
}

/** The checks that do not pass yet: how many, and the first with its result and what to do about it. */
export function describeMissing({ active }: SiteChecks): SafeText {
  const bad = active.filter(({ last }) => last?.isGood !== true);
  const [first] = bad;
  if (first === undefined) return safe``;
  const text =
    first.last === undefined
      ? safe`${first.what}: no response yet.`
      : joinSafe([sentence(describeResult(resultOf(first, null))), first.last.advice], ' ');
  if (bad.length === 1) return text;
  return safe`Of ${active.length} checks, ${bad.length} don't pass. The first: ${text}`;
}

/** How many checks failed, and the first of them with result and expectation. */
export function describeFailed(
  checks: SiteChecks,
  results: readonly CheckResult[],
  timeout: number,
): Diagnostic {
  const failed = checks.all.filter((_, index) => results[index]?.passed === false);
  const [first] = failed;
  const texts = [
    sentence(safe`${failedOf(results)} failed (tried for ${formatDuration(timeout)})`),
  ];
  if (failed.length > 1) texts.push(safe`The first:`);
  if (first !== undefined) {
    texts.push(sentence(describeResult(resultOf(first, false))), first.last?.advice ?? safe``);
  }
  return diagnose('SD5004', joinSafe(texts.filter(Boolean), ' '));
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
