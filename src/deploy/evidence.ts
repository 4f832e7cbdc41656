import { hasHeld, type SiteCheck, type SiteChecks, settlingPause } from '../checks/apply.ts';
import { describeMissing } from '../checks/await-checks.ts';
import { checkLines } from '../checks/result.ts';
import type { Environment } from '../contract/environment.ts';
import { pollPause } from '../follow/model/schedule.ts';
import type { Tracker } from '../follow/tracker.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { sentence } from '../kernel/text/sentence.ts';
import type { ReleaseContext } from '../release/context.ts';
import { ServiceError } from '../service/errors.ts';

/** What may confirm a deployment's success beside its status. */
export interface Evidence extends ReleaseContext {
  tracker: Tracker;
  /** True if changes waited for the production runtime when the deployment was posted. */
  wasPending: boolean;
  /** True if the checks did not hold before, so that they can prove the deployment. */
  checksProve: boolean;
  signal: AbortSignal;
}

async function lookAtProduction({ client, tracker, projectId, signal }: Evidence): Promise<void> {
  const environment = await client.getEnvironment(projectId, signal);
  if (productionState(environment) !== 'published') return;
  tracker.conclude({ outcome: 'succeeded', confirmedBy: 'production' });
}

/** Looks at the checks once. @returns true if each of them is good, or has held */
async function lookAtSite({ host, tracker, checks, signal }: Evidence): Promise<boolean> {
  if (checks === undefined) return false;
  await checks.look(signal);
  if (!checks.asked.every(hasHeld)) {
    return checks.asked.every(({ last }) => last?.isGood === true);
  }
  for (const { what, last } of checks.asked) {
    const says = last?.says ?? safe``;
    const { elapsed } = tracker.statusReporter;
    host.report({ type: 'lines', entries: checkLines({ what, says, elapsed }) });
  }
  tracker.conclude({ outcome: 'succeeded', confirmedBy: 'site' });
  return true;
}

const namesCommit = ({ asked }: SiteChecks): boolean =>
  asked.some(({ check }) => check?.namesCommit === true);

/** Why the checks prove nothing; undefined if there are none. */
function explainChecks({ checks }: Evidence): SafeText | undefined {
  const [first] = checks?.asked ?? [];
  if (checks === undefined || first === undefined) return undefined;
  const seenOf = ({ last, before }: SiteCheck) => last ?? before;
  const bad = checks.asked.find((one) => seenOf(one)?.isGood !== true);
  if (bad !== undefined) {
    const says = seenOf(bad)?.says ?? safe`no answer`;
    return safe`${bad.what} proves nothing, because what it had before the deployment (${says}) may pass by itself`;
  }
  const what = checks.asked.length === 1 ? first.what : safe`What the checks ask`;
  return namesCommit(checks)
    ? safe`${what} proves nothing, because it showed the commit before the deployment already`
    : safe`${what} proves nothing, because it was good before the deployment already`;
}

/** What would have the checks prove something; undefined if nothing would. */
function helpOfChecks({ checks, request: { commit } }: Evidence): SafeText | undefined {
  if (checks === undefined || checks.asked.length === 0) return safe`give verify-url`;
  const mayName = commit !== 'HEAD' && !namesCommit(checks);
  return mayName ? safe`put {sha} into verify-contains, and the commit into the page` : undefined;
}

/** Why nothing confirmed the end, and which inputs would help. */
function explainUnconfirmed(evidence: Evidence): SafeText {
  const tried = evidence.tracker.sources.absences;
  const asked = tried.length === 0 ? safe`` : safe`, asked at ${joinSafe(tried, ' and ')}`;
  const site = explainChecks(evidence);
  const why = site === undefined ? safe`` : safe` ${site}.`;
  const help = [otherPaths(evidence), helpOfChecks(evidence)].filter((way) => way !== undefined);
  return safe`The service accepted the deployment and offers nothing that confirms its end${asked}.${why} To have it confirmed, ${joinSafe(help, ', or ')}`;
}

/**
 * Looks for other evidence whenever the status cannot be read or understood: the production runtime turning
 * from pending to published, and the site itself. Where there can be none, it says so.
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
      await lookAtProduction(evidence).catch((error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        tracker.statusReporter.troubled('production', error.message);
      });
    }
    const isNeeded = tracker.hasNoStatus || tracker.statusReporter.isUnknownWord;
    const isSettling = checksProve && isNeeded && (await lookAtSite(evidence));
    const pause = pollPause(tracker.statusReporter.elapsed, host.random());
    await host.clock.sleep(isSettling ? settlingPause : pause, signal);
  }
}

/** A word that no table has, and the line that teaches what it means. */
export function describeUnknown(word: SafeText): SafeText {
  return safe`"${word}", a word that this action does not know, so it is taken as in progress. If the service means a good end by it, set the input success-states: ${word}; if a bad one, failure-states: ${word}.`;
}

/** Which path would have to be set, if the service shows an end elsewhere. */
export function otherPaths({ request: { wait } }: Pick<Evidence, 'request'>): SafeText {
  const elsewhere = (inputs: SafeText) =>
    safe`if the service shows it at another path, set ${inputs} to that`;
  if (wait === 'stream') {
    return safe`let wait be auto, which asks for its status too, or ${elsewhere(safe`events-path`)}`;
  }
  if (wait === 'poll') {
    return safe`let wait be auto, which asks for its events too, or ${elsewhere(safe`status-path`)}`;
  }
  return elsewhere(safe`status-path or events-path`);
}

/** Why the status is not known; undefined if it is. */
function describeSilence(evidence: Evidence): SafeText | undefined {
  const { tracker, request } = evidence;
  const { sources, statusReporter, isInformed } = tracker;
  const asked = joinSafe(sources.absences, ' and ');
  if (sources.hasNoSource) {
    return sentence(safe`Nothing shows how it goes on, asked at ${asked}: ${otherPaths(evidence)}`);
  }
  const troubles = (['poll', 'stream'] as const).flatMap(
    (source) => statusReporter.troubleOf(source) ?? [],
  );
  if (troubles.length > 0) {
    return sentence(safe`It could not be read at last: ${joinSafe(troubles, '; ')}`);
  }
  if (isInformed) return undefined;
  const absent = asked === '' ? safe`` : safe`, and there is nothing at ${asked}`;
  const help =
    request.wait === 'stream'
      ? safe` ${sentence(safe`To see more, ${otherPaths(evidence)}`)}`
      : safe``;
  return safe`Its event stream has said nothing${absent}.${help}`;
}

/** Why a deployment is still waited for: what was seen last, and what somebody can do. */
export function describeWait(evidence: Evidence): SafeText {
  const { tracker, checks, checksProve } = evidence;
  const { statusReporter } = tracker;
  const unknown = statusReporter.isUnknownWord
    ? safe`Its status is ${describeUnknown(statusReporter.status)}`
    : undefined;
  const status = unknown ?? describeSilence(evidence);
  const isLookedAt = checksProve && status !== undefined && checks !== undefined;
  return joinSafe(
    [
      status ?? safe`If it takes longer than that, raise timeout.`,
      ...(isLookedAt ? [safe`The site cannot confirm it either: ${describeMissing(checks)}`] : []),
    ],
    ' ',
  );
}

/** What is known of the production runtime at one moment. */
export type ProductionState = 'pending' | 'published' | 'unknown';

/**
 * Reads whether changes wait for the production runtime (section "States and transitions", rule 4). Only
 * the boolean decides: what the counters beside it mean is not shown.
 */
export function productionState(environment: Environment | undefined): ProductionState {
  const pending = environment?.production?.pending;
  if (typeof pending !== 'boolean') return 'unknown';
  return pending ? 'pending' : 'published';
}
