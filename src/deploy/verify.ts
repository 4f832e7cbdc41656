import {
  anyNamesCommit,
  confirmationPause,
  hasPassed,
  isAt,
  type SiteCheck,
  type SiteChecks,
} from '../checks/apply.ts';
import { awaitChecks, describeFailed, describeMissing } from '../checks/await-checks.ts';
import { type CheckResult, checkLines, countFailed } from '../checks/result.ts';
import { shaOf } from '../contract/commit.ts';
import { pollPause } from '../follow/race.ts';
import { sentence } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import type { RunOutcome } from '../step/run-outcome.ts';
import type { Host } from '../step/step.ts';
import { runtimeState } from '../variables/result.ts';
import type { Evidence, OpenReport, ReleaseContext } from './context.ts';

/**
 * Runs the checks before anything changes: only checks that fail now can confirm the deployment later. One with a
 * temporary fault can do so only if it contains the commit.
 */
export async function tryIfChecksProve({ host, checks }: ReleaseContext): Promise<boolean> {
  if (checks === undefined) return false;
  await tryOnce(host, checks);
  return checks.active.some(
    ({ check, last }) => last?.isAbsent || (!last?.isGood && check?.namesCommit === true),
  );
}

/** How long the checks may take before the deployment, in milliseconds. */
const longestTry = 3000;

/** Runs the checks once before the deployment, within a short time. */
export async function tryOnce({ signal }: Host, checks: SiteChecks): Promise<void> {
  const limit = AbortSignal.timeout(longestTry);
  try {
    await checks.tryAll(AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
  }
}

/**
 * Checks other evidence while the status can't be read or is unknown: the production runtime's change from pending to
 * published, and the site's checks. If there can be none, it ends the deployment as unconfirmed.
 */
export async function gatherEvidence(evidence: Evidence): Promise<never> {
  const { host, tracker, wasPending, checks, checksProve, signal } = evidence;
  const canProve = wasPending || checksProve;
  checks?.restart();
  for (;;) {
    if (tracker.sources.hasNoSource && !canProve) {
      const message = explainUnconfirmed(evidence);
      tracker.conclude({ outcome: 'unconfirmed', message });
    }
    if (tracker.hasNoStatus && wasPending) {
      await checkProduction(evidence).catch((error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        tracker.statusReporter.troubled('production', error.message);
      });
    }
    const isNeeded = tracker.hasNoStatus || tracker.statusReporter.isUnknownStatus;
    const isConfirming = checksProve && isNeeded && (await checkSite(evidence));
    const pause = pollPause(tracker.statusReporter.elapsed, host.random());
    await host.clock.sleep(isConfirming ? confirmationPause : pause, signal);
  }
}

/** Why nothing confirmed the result, and which inputs would help. */
function explainUnconfirmed(evidence: Evidence): SafeText {
  const tried = evidence.tracker.sources.absences;
  const checked = tried.length === 0 ? safe`` : safe` Tried: ${joinSafe(tried, ' and ')}.`;
  const site = explainChecks(evidence);
  const why = site === undefined ? safe`` : safe` ${site}.`;
  const byChecks = helpOfChecks(evidence);
  const help =
    site === undefined || byChecks === undefined
      ? [otherPaths(evidence), byChecks].filter((advice) => advice !== undefined)
      : [byChecks];
  return safe`Nothing confirms the accepted deployment's result.${checked}${why} To confirm it, ${joinSafe(help, ', or ')}`;
}

/** Why the checks can't confirm it; undefined if there are none. */
function explainChecks({ checks }: Evidence): SafeText | undefined {
  const [first] = checks?.active ?? [];
  if (checks === undefined || first === undefined) return undefined;
  const resultOfTry = ({ last, before }: SiteCheck) => last ?? before;
  const bad = checks.active.find((one) => resultOfTry(one)?.isGood !== true);
  if (bad !== undefined) {
    return safe`${bad.what} failed before, perhaps temporarily`;
  }
  const what = checks.active.length === 1 ? first.what : safe`The checks`;
  return anyNamesCommit(checks)
    ? safe`${what} already showed the commit before the deployment`
    : safe`${what} already passed before the deployment`;
}

/** How the checks could confirm it; undefined if not at all. */
function helpOfChecks({ checks, request: { commit } }: Evidence): SafeText | undefined {
  if (checks === undefined || checks.active.length === 0) return safe`set verify-url`;
  const mayName = shaOf(commit) !== undefined && !anyNamesCommit(checks);
  return mayName ? safe`put {sha} in verify-contains, and the commit in the page` : undefined;
}

/** How the status could be read: with a permission, or where the service has other paths. */
function otherPaths({
  request: { wait },
  tracker,
}: Pick<Evidence, 'request' | 'tracker'>): SafeText {
  if (tracker.sources.isForbidden) return safe`let the API key read deployments`;
  if (wait === 'stream') return safe`set wait: auto, or deployment-events in service`;
  if (wait === 'poll') return safe`set wait: auto, or deployment-status in service`;
  return safe`set deployment-status or deployment-events in service`;
}

/** Ends the deployment as succeeded once its changes are published. */
async function checkProduction({ client, tracker, projectId, signal }: Evidence): Promise<void> {
  const environment = await client.readEnvironment(projectId, signal);
  if (runtimeState(environment).pending !== false) return;
  tracker.conclude({ outcome: 'succeeded', confirmedBy: 'production' });
}

/** Runs the checks once. @returns true if each of them passes */
async function checkSite({ host, tracker, checks, signal }: Evidence): Promise<boolean> {
  if (checks === undefined) return false;
  await checks.tryAll(signal);
  if (!checks.active.every(hasPassed)) {
    return checks.active.every(({ last }) => last?.isGood === true);
  }
  for (const { what, last } of checks.active) {
    const text = last?.text ?? safe``;
    const { elapsed } = tracker.statusReporter;
    host.report({ type: 'lines', entries: checkLines(what, text, elapsed) });
  }
  tracker.conclude({ outcome: 'succeeded', confirmedBy: 'site' });
  return true;
}

/** The results of the checks, and the failure that they cause; the run continues without one. */
interface Verification {
  results: readonly CheckResult[];
  failure?: RunOutcome | undefined;
}

/** Runs the checks until they pass or their time is over. */
export async function verify(run: ReleaseContext): Promise<Verification> {
  const { host, request, checks, report, section } = run;
  if (checks === undefined || request.checks === undefined) return { results: [] };
  const { timeout } = request.checks;
  report.waiting = { for: 'checks', checks };
  const awaiting = { host, checks, timeout, domain: report.domain, section };
  const results = await run.phase('verification', () => awaitChecks(awaiting));
  return { results, failure: failureOfChecks(run, checks, results) };
}

/** The failure that finished checks cause; undefined if none failed. */
export function failureOfChecks(
  run: ReleaseContext,
  checks: SiteChecks,
  results: readonly CheckResult[],
): RunOutcome | undefined {
  const { host, request, report, section } = run;
  const { timeout = 0, site } = request.checks ?? {};
  if (countFailed(results) > 0) {
    return { outcome: 'failed', error: describeFailed(checks, results, timeout) };
  }
  const passed = checks.all.filter((_, index) => results[index]?.passed === true);
  const origin = site?.origin;
  if (passed.some(({ check }) => check?.url.origin === origin) && origin !== undefined) {
    section.site = host.clean(origin);
  }
  const { domain } = report;
  if (domain !== undefined && passed.some((one) => isAt(one, domain.hostname))) domain.passed();
  return undefined;
}

/** What a run waits for, and what to do, as sentences. */
export function describeWaiting({ waiting, domain }: OpenReport): SafeText {
  if (waiting === undefined) return safe``;
  let why = safe``;
  if (waiting.for === 'status') why = describeStatus(waiting.evidence);
  if (waiting.for === 'checks') why = describeMissing(waiting.checks);
  const shown = domain?.isChecked || domain?.isAwaited ? domain.pending() : undefined;
  return joinSafe([why, shown ?? safe``].filter(Boolean), ' ');
}

/** Why a deployment is still followed, and what to do, as sentences. */
function describeStatus(evidence: Evidence): SafeText {
  const { tracker, checks, checksProve } = evidence;
  const { statusReporter } = tracker;
  if (statusReporter.isUnknownStatus) {
    const { status } = statusReporter;
    return safe`If it is final, add success=${status} or failure=${status} to the input service; if not, raise timeout.`;
  }
  const silence = describeSilence(evidence);
  if (silence === undefined) return safe`If it needs longer, raise timeout.`;
  return checksProve && checks !== undefined
    ? safe`Its status is unknown, and the checks don't pass: ${describeMissing(checks)}`
    : silence;
}

/** Why the status is not known; undefined if it is known. */
function describeSilence(evidence: Evidence): SafeText | undefined {
  const { tracker, request } = evidence;
  const { sources, statusReporter, isInformed } = tracker;
  const absences = joinSafe(sources.absences, ' and ');
  if (sources.hasNoSource) {
    return sentence(safe`No status from ${absences}: ${otherPaths(evidence)}`);
  }
  const trouble = statusReporter.troubleOf('poll') ?? statusReporter.troubleOf('stream');
  if (trouble !== undefined) return sentence(trouble);
  if (isInformed) return undefined;
  const absent = absences === '' ? safe`` : safe`, and its status is not available: ${absences}`;
  const help =
    request.wait === 'stream'
      ? safe` ${sentence(safe`To see one, ${otherPaths(evidence)}`)}`
      : safe``;
  return safe`Its event stream sent no status${absent}.${help}`;
}

/** True if only the checks could confirm the deployment that a run waits for. */
export function restsOnChecks({ waiting, rollback }: OpenReport): boolean {
  // A timeout of the rollback is no unconfirmed deployment.
  if (waiting?.for !== 'status' || rollback !== undefined) return false;
  const { checksProve, wasPending, tracker } = waiting.evidence;
  return checksProve && !wasPending && tracker.sources.hasNoSource;
}
