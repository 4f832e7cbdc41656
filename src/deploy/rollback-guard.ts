import type { CheckResult } from '../checks/result.ts';
import { explainError } from '../frame/ending.ts';
import { EarlyEnd } from '../frame/step.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { confirmLease } from '../previews/preview.ts';
import type { ReleaseContext } from '../release/context.ts';
import type { GoodRelease } from '../release/release-history.ts';
import { type Beforehand, hasAnswered } from './find-good-release.ts';

/** What a rollback needs, and the results of the checks. */
export interface RollbackContext {
  before: Beforehand;
  /** How many variables the run wrote. */
  written: number;
  results: readonly CheckResult[];
}

/** Why the failed checks are not proof of a bad release; undefined if they are. */
function whyUnproven(
  { checks }: ReleaseContext,
  {
    before,
    results,
  }: Pick<RollbackContext, 'results'> & { before: Extract<Beforehand, { release: object }> },
): SafeText | undefined {
  const isReached = checks?.all.some(
    (one, index) =>
      results[index]?.held === false && (hasAnswered(one) || before.answered[index] === true),
  );
  if (isReached !== true) {
    return safe`the site did not respond before or after the deployment; this runner may not reach it.`;
  }
  return before.wasGood || before.release.isChecked
    ? undefined
    : safe`the checks also failed before the deployment, and no release with passing checks is recorded.`;
}

/** Why the project no longer belongs to this run; undefined if it does. */
async function whyNotOurs(run: ReleaseContext): Promise<SafeText | undefined> {
  const { target } = run.request;
  if ((await target.preview?.isOpen?.()) === false) {
    return safe`the pull request was closed meanwhile.`;
  }
  if (target.kind !== 'lease') return undefined;
  try {
    await confirmLease(run, target.preview, run.projectId);
    return undefined;
  } catch (error) {
    if (!(error instanceof EarlyEnd)) throw error;
    return safe`${unsafeText(target.preview.hostname)} is no longer assigned to this project.`;
  }
}

/**
 * Why another run's release prevents the rollback; undefined if none does. Of two runs in progress the later record
 * wins, so that exactly one of them rolls back.
 */
async function whyOvertaken(
  { host, request: { history }, projectId, found }: ReleaseContext,
  { recordId }: GoodRelease,
): Promise<SafeText | undefined> {
  await history?.announce();
  const others = (await history?.others(host.signal)) ?? [];
  const later = others.find(({ isLater }) => isLater);
  const good = later === undefined && (await history?.lastGood(host.signal, projectId));
  const other = later ?? (good && good.recordId !== recordId ? good : undefined);
  if (other === undefined) return undefined;
  found({ isOvertaken: true });
  const commit = unsafeText(other.commit);
  if (later === undefined) {
    return safe`another run has deployed commit ${commit} since this one began, and that may be live.`;
  }
  const { isUnderWay, isGood } = later;
  const what = isUnderWay
    ? safe`is deploying`
    : isGood
      ? safe`has deployed`
      : safe`may have deployed`;
  return safe`a newer run ${what} commit ${commit}.`;
}

/** Why nothing is rolled back; undefined if something is. Rejects with the signal's reason. */
export async function whyNot(
  run: ReleaseContext,
  { before, results }: RollbackContext,
): Promise<SafeText | undefined> {
  if ('whyNot' in before) return before.whyNot;
  try {
    return (
      whyUnproven(run, { before, results }) ??
      (await whyNotOurs(run)) ??
      (await whyOvertaken(run, before.release))
    );
  } catch (error) {
    run.host.signal.throwIfAborted();
    const { text } = explainError(error, run.host.clean);
    return safe`its conditions could not be checked. ${text}`;
  }
}
