import type { CheckResult } from '../checks/result.ts';
import { explainError } from '../frame/ending.ts';
import { EarlyEnd } from '../frame/host.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { confirmLease } from '../previews/preview.ts';
import type { ReleaseContext } from '../release/context.ts';
import type { GoodRelease } from '../release/release-history.ts';
import { type Beforehand, hasAnswered } from './find-good-release.ts';

/** What a deployment can be undone by, and what its checks came to. */
export interface RollbackContext {
  before: Beforehand;
  /** How many variables the run wrote. */
  written: number;
  results: readonly CheckResult[];
}

/** Why the failed checks prove nothing against the release; undefined if they do. */
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
    return safe`nothing answered, neither before the deployment nor after it, so that it may be this runner that cannot reach the site.`;
  }
  return before.wasGood || before.release.isChecked
    ? undefined
    : safe`the site was not good before the deployment either, and no record of ours says that its checks were ever good.`;
}

/** Why the project is not this run's any more; undefined if it is. */
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
    return safe`${unsafeText(target.preview.hostname)} lost its project meanwhile.`;
  }
}

/**
 * Why another run's release stands in the way; undefined if there is none. Of two runs that are under way that of the
 * later record stays, so that never each leaves it to the other.
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
    return safe`another run has deployed commit ${commit} with success since this one began, so that it may be live.`;
  }
  const { isUnderWay, isGood } = later;
  const what = isUnderWay
    ? safe`is deploying`
    : isGood
      ? safe`has deployed`
      : safe`may have deployed`;
  return safe`a newer run ${what} commit ${commit}, and is left alone.`;
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
    return safe`whether that would be right could not be found out. ${text}`;
  }
}
