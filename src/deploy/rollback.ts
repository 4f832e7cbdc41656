import { openChecks, type SiteCheck, type SiteChecks } from '../checks/apply.ts';
import { type CheckResult, describeResult, lacksCommit } from '../checks/result.ts';
import { type RunCommit, type Sha, shaOf } from '../contract/commit.ts';
import { type Diagnostic, diagnose, reword } from '../kernel/diagnostic.ts';
import { sentence } from '../kernel/text/format.ts';
import {
  joinSafe,
  type SafeText,
  type Sanitize,
  safe,
  shortSha,
  unsafeText,
} from '../kernel/text/safe.ts';
import { type GoodRelease, lastGood, otherReleases, rolledBack } from '../releases/decisions.ts';
import { describeRolledBack, HistoryUnreadable, search } from '../releases/history.ts';
import { ServiceError } from '../service/errors.ts';
import { explainError, type RunOutcome } from '../step/run-outcome.ts';
import { Stop } from '../step/step.ts';
import type { ReleaseContext } from './context.ts';
import type { Rollback } from './model/report.ts';
import { stageOf, verdict } from './model/verdict.ts';
import { confirmLease } from './previews/preview.ts';
import { release } from './release.ts';
import { tryIfChecksProve, tryOnce } from './verify.ts';

/** The release to roll back to, as it was found before the deployment. */
export type Fallback =
  /** There is no release to roll back to. */
  | { whyNone: SafeText }
  | {
      release: GoodRelease;
      /** True if the checks passed for that release. */
      wasGood: boolean;
      /** For each check, whether there was a response. */
      answered: readonly boolean[];
    };

/**
 * Finds the release to roll back to before a deployment: the last good one, and whether the checks pass for it. A
 * failure to read the records is a warning at once, because there is no rollback then.
 */
export async function findGoodRelease(run: ReleaseContext): Promise<Fallback> {
  const { host, request, projectId } = run;
  const { history } = request;
  if (history === undefined) throw new Error('a rollback without records');
  const asked = { signal: host.signal, projectId };
  try {
    const release = await history.decide(lastGood, asked);
    if (release === undefined) return { whyNone: safe`no good release is recorded.` };
    const { commit } = release.record;
    if (commit === request.commit) return { whyNone: safe`the last good release is this commit.` };
    const found = await history.decide((known) => rolledBack(known, commit), {
      ...asked,
      ...search,
    });
    if (found !== undefined) {
      return {
        whyNone: safe`the last good release, ${commit}, was itself rolled back: ${describeRolledBack(found)}.`,
      };
    }
    await using checks = runFor(run, commit).checks;
    await tryOnce(host, checks);
    return {
      release,
      wasGood: checks.active.every(({ last }) => last?.isGood === true),
      answered: checks.all.map(hasAnswered),
    };
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof HistoryUnreadable)) throw error;
    const diagnostic = reword(
      error.diagnostic,
      (why) => safe`If the checks fail, nothing will be rolled back: ${why}`,
    );
    host.report({ type: 'warning', diagnostic });
    return { whyNone: error.diagnostic.text };
  }
}

/** The run for an earlier commit. Close its checks at the end. */
function runFor(run: ReleaseContext, commit: Sha): ReleaseContext & { checks: SiteChecks } {
  const {
    pusher: _pusher,
    rollsBack: _again,
    onOlder: _older,
    checks: requested,
    ...request
  } = run.request;
  if (requested === undefined) throw new Error('a rollback without checks');
  const site = { ...requested.site, commit };
  const checks = openChecks({ ...requested, site }, run.host);
  return { ...run, request: { ...request, commit, checks: { ...requested, site } }, checks };
}

/** True if there was a response. */
const hasAnswered = ({ last, lastBad }: SiteCheck): boolean =>
  last?.milliseconds !== undefined || lastBad?.milliseconds !== undefined;

/** A deployment whose checks failed. */
interface FailedRelease {
  fallback: Fallback;
  /** How many variables the run wrote. */
  written: number;
  results: readonly CheckResult[];
}

/**
 * Rolls a deployment back whose checks failed, once, if {@link whyNotRolledBack} allows it: deploys the commit of the last good
 * release, and runs the same checks for that commit.
 *
 * @param failure the failure of the checks
 * @returns the outcome, which names what is live; rejects with the signal's reason
 */
export async function rollBack(
  run: ReleaseContext,
  failure: Required<Pick<RunOutcome, 'error'>> & RunOutcome,
  failed: FailedRelease,
): Promise<RunOutcome> {
  const { host, request, report } = run;
  const { fallback } = failed;
  const reason = await whyNotRolledBack(run, failed);
  if (reason !== undefined || !('release' in fallback)) {
    const note = safe`Nothing was rolled back: ${reason ?? safe``}`;
    return { ...failure, error: reword(failure.error, (text) => safe`${text} ${note}`) };
  }
  const { commit } = fallback.release.record;
  const rollback: Rollback = { commit };
  report.rollback = rollback;
  run.recorder?.save(report);
  host.report({ type: 'rolling-back', commit });
  const back = runFor(run, commit);
  await using _ = back.checks;
  const returning: ReleaseContext = {
    ...back,
    section: rollback,
    keyFor: (operation, target) => run.keyFor(`roll back: ${operation}`, target),
    phase: (_, work) => work(),
  };
  const fail = (why: RollbackFailure): RunOutcome => ({
    outcome: 'failed',
    error: describeFailedRollback(request.commit, failed, rollback, why),
  });
  try {
    const { outcome, error } = await run.phase('roll-back', async () =>
      release(returning, { checksProve: await tryIfChecksProve(returning), pushed: false }),
    );
    if (outcome !== 'succeeded') return fail({ text: error?.text ?? safe``, isBare: false });
    const sha = shaOf(request.commit);
    const newer = sha === undefined ? safe`The newer commit` : shortSha(sha);
    const text = safe`Commit ${shortSha(commit)} is live again, and its checks pass. ${newer}: ${failure.error.text}${whatStays(failed)}`;
    return { outcome: 'rolled-back', error: diagnose('SD5005', text) };
  } catch (error) {
    host.signal.throwIfAborted();
    return fail(failureOf(error, host.clean));
  }
}

/** Why nothing is rolled back; undefined if something is. Rejects with the signal's reason. */
export async function whyNotRolledBack(
  run: ReleaseContext,
  { fallback, results }: FailedRelease,
): Promise<SafeText | undefined> {
  if ('whyNone' in fallback) return fallback.whyNone;
  try {
    return (
      whyUnproven(run, fallback, results) ??
      (await whyNotOwn(run)) ??
      (await whyOvertaken(run, fallback.release))
    );
  } catch (error) {
    run.host.signal.throwIfAborted();
    const { text } = explainError(error, run.host.clean);
    return safe`its conditions could not be checked. ${text}`;
  }
}

/** Why the failed checks are not proof of a bad release; undefined if they are. */
function whyUnproven(
  { checks }: ReleaseContext,
  fallback: Extract<Fallback, { release: object }>,
  results: readonly CheckResult[],
): SafeText | undefined {
  const isReached = checks?.all.some(
    (one, index) =>
      results[index]?.passed === false && (hasAnswered(one) || fallback.answered[index] === true),
  );
  if (isReached !== true) {
    return safe`the site did not respond before or after the deployment; this runner may not reach it.`;
  }
  return fallback.wasGood || fallback.release.end.isChecked
    ? undefined
    : safe`the checks also failed before the deployment, and no release with passing checks is recorded.`;
}

/** Why the project no longer belongs to this run; undefined if it does. */
async function whyNotOwn(run: ReleaseContext): Promise<SafeText | undefined> {
  const { place } = run;
  if ((await place.preview?.isOpen?.()) === false) {
    return safe`the pull request was closed meanwhile.`;
  }
  try {
    if (place.lease) await confirmLease(run, place.lease.preview, place.projectId);
    return undefined;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return safe`${unsafeText(place.preview?.hostname ?? '')} is no longer assigned to this project.`;
  }
}

/**
 * Why another run's release prevents the rollback; undefined if none does. Of two runs in progress the later record
 * wins, so that exactly one of them rolls back.
 */
async function whyOvertaken(
  { host: { signal, clock }, request: { history }, recorder, projectId, report }: ReleaseContext,
  before: GoodRelease,
): Promise<SafeText | undefined> {
  await recorder?.awaitCreated(clock);
  const others = (await history?.decide(otherReleases, { signal, fresh: true })) ?? [];
  const later = others.find(({ isLater }) => isLater);
  if (later !== undefined) {
    report.isOvertaken = true;
    const { isUnderWay, isGood, record } = later;
    const what = isUnderWay
      ? safe`is deploying`
      : isGood
        ? safe`has deployed`
        : safe`may have deployed`;
    return safe`a newer run ${what} commit ${record.commit}.`;
  }
  const good = (await history?.decide(lastGood, { signal, projectId }))?.record;
  if (good === undefined || good.id === before.record.id) return undefined;
  report.isOvertaken = true;
  return safe`another run has deployed commit ${good.commit} since this one began, and that may be live.`;
}

/** What a rollback does not change, as a sentence. */
function whatStays({ written }: FailedRelease): SafeText {
  return written === 0 ? safe`` : safe` Variables keep their new values.`;
}

/** Why a rollback failed. */
interface RollbackFailure {
  text: SafeText;
  /** True if the text has no advice of its own. */
  isBare: boolean;
}

/** A failed request without its advice, which is for a commit that was never deployed here. */
function failureOf(error: unknown, clean: Sanitize): RollbackFailure {
  if (!(error instanceof ServiceError))
    return { text: explainError(error, clean).text, isBare: false };
  const { fault, request, status, code, detail } = error.details;
  const words = [code, detail].filter((part) => part !== undefined);
  if (fault !== 'answer' || status === undefined || words.length === 0)
    return { text: error.message, isBare: true };
  const quoted = safe`"${joinSafe(words, ': ')}"`;
  return { text: safe`${request} returned ${status}: ${quoted}`, isBare: true };
}

const nothing = { outcome: 'failed', phases: [], requests: 0, durationMs: 0 } as const;

/** What a failed rollback has left. */
function describeFailedRollback(
  commit: RunCommit,
  failed: FailedRelease,
  rollback: Rollback,
  { text, isBare }: RollbackFailure,
): Diagnostic {
  const { results: checks } = failed;
  const release = { stage: 'succeeded' } as const;
  const { live } = verdict({ ...nothing, commit: commit ?? undefined, checks, release, rollback });
  const to = shortSha(rollback.commit);
  const isMissing = lacksCommit(stageOf(rollback) === 'succeeded' ? rollback.checks : checks);
  const why = isMissing
    ? safe`the site did not show the commit that was deployed last`
    : safe`that deployment may still go live`;
  const state =
    live === undefined
      ? safe`What is live is unknown: ${why}.`
      : safe`Commit ${shortSha(live)} is live.`;
  const isKept = live !== undefined && live === commit;
  const advice = isBare && live ? safe` If the page is wrong, revert ${shortSha(live)}.` : safe``;
  const [missed, next] = isKept ? [describeFirst(checks), advice] : [safe``, whatStays(failed)];
  return diagnose(
    'SD5006',
    safe`${state}${missed} Rolling back to commit ${to} failed. ${sentence(text)}${next}`,
  );
}

/** The first failed check, as a sentence. */
function describeFirst(checks: readonly CheckResult[]): SafeText {
  const first = checks.find(({ passed }) => passed === false);
  return first === undefined ? safe`` : safe` ${sentence(describeResult(first))}`;
}
