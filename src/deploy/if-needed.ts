import { anyNamesCommit, type SiteChecks } from '../checks/apply.ts';
import { awaitChecks } from '../checks/await-checks.ts';
import { type Sha, shaOf } from '../contract/commit.ts';
import type { Ending } from '../frame/ending.ts';
import { EarlyEnd } from '../frame/step.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import { listNames } from '../kernel/names.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { pushCommit } from '../push/push-commit.ts';
import type { ReleaseContext } from '../release/context.ts';
import {
  type DeployHistory,
  describeTakenOff,
  HistoryUnreadable,
} from '../release/release-history.ts';
import { type PreparedRelease, releaseOrRollBack } from './release-or-roll-back.ts';
import { productionState } from './verify.ts';

/** How long the checks may take to pass before the deployment, in milliseconds: twice in a row, a second apart. */
const longestCheck = 10_000;

/** Why the project's last good release is not known to be this commit; undefined if it is. */
async function whyAnother(
  { host, request: { commit }, projectId }: ReleaseContext,
  history: DeployHistory,
): Promise<SafeText | undefined> {
  const { signal } = host;
  const good = await history.lastGood(signal, projectId);
  if (good === undefined) return safe`no successful deployment is recorded`;
  if (good.commit !== commit) {
    return safe`the last successful deployment is of ${unsafeText(good.commit)}`;
  }
  const others = await history.others(signal);
  const other = others.find((one) => one.isUnderWay && one.commit !== commit);
  return other && safe`another run is deploying ${unsafeText(other.commit)}`;
}

/** Why the checks do not show the commit now; undefined if they do. */
async function whyNotPassed(
  run: ReleaseContext,
  checks: SiteChecks,
): Promise<SafeText | undefined> {
  const { host, found } = run;
  const timeout = Math.min(longestCheck, run.request.checks?.timeout ?? longestCheck);
  const results = await awaitChecks({ host, checks, timeout, found: () => undefined });
  const allPassed = results.every(
    ({ passed }, index) => passed === true || !checks.all[index]?.check,
  );
  if (!allPassed) return safe`its checks fail`;
  found({ checks: results });
  return undefined;
}

/** Why the deployment is needed; undefined if it is not. */
async function whyNeeded(
  run: ReleaseContext,
  history: DeployHistory,
  { environment, wrote }: PreparedRelease,
): Promise<SafeText | undefined> {
  const { checks } = run;
  if (checks === undefined || !anyNamesCommit(checks)) {
    return safe`no check contains the commit; put {sha} in verify-contains or in a check of the site file`;
  }
  // Whatever the service reports: code and variables go live together.
  if (wrote.length > 0) return safe`variables were written`;
  const state = productionState(environment);
  if (state === 'pending') return safe`changed variables wait for a deployment`;
  if (state === 'unknown')
    return safe`the service does not report whether changed variables wait for a deployment`;
  return (await whyAnother(run, history)) ?? (await whyNotPassed(run, checks));
}

/** Warns of variables that take effect with the next deployment, which this run does not request. */
function warnOfWaiting({ host }: ReleaseContext, { environment, wrote }: PreparedRelease): void {
  if (wrote.length > 0) {
    const names = listNames(wrote, (name) => name);
    const text = safe`Changed variables take effect with the next deployment: ${names}`;
    host.report({ type: 'warning', diagnostic: diagnose('SD5305', text) });
  } else if (productionState(environment) === 'pending') {
    const text = safe`Variables that an earlier run changed take effect with the next deployment. The service does not report which`;
    host.report({ type: 'warning', diagnostic: diagnose('SD5305', text) });
  }
}

/** Ends a run whose commit was rolled back. */
async function guardTakenOff(
  { host, projectId }: Pick<ReleaseContext, 'host' | 'projectId'>,
  commit: Sha,
  history: DeployHistory,
): Promise<void> {
  const takenOff = await history.takenOff(host.signal, commit, projectId);
  if (takenOff === undefined) return;
  const text = safe`${unsafeText(commit)} was not deployed: ${describeTakenOff(takenOff)}. Push a new commit, or set deploy: true to deploy this one`;
  throw new EarlyEnd('skipped', diagnose('SD5304', text), 'rolled-back');
}

/**
 * Deploys the commit, unless it is live: it is the last good release, its checks pass now and one of them contains it,
 * and no variable waits for a deployment. In doubt it is deployed; but not if it was rolled back, or that can't be read.
 */
export async function deployIfNeeded(
  run: ReleaseContext,
  prepared: PreparedRelease,
): Promise<Ending> {
  const { host, request, found } = run;
  const { pusher, history } = request;
  const commit = shaOf(request.commit);
  if (history === undefined) throw new Error('deploy: if-needed without records');
  if (commit === undefined) throw new Error('a commit that no record knows');
  const guard = async () => {
    try {
      await guardTakenOff(run, commit, history);
    } catch (error) {
      if (error instanceof EarlyEnd) warnOfWaiting(run, prepared);
      throw error;
    }
  };
  try {
    await guard();
    const why = await whyNeeded(run, history, prepared);
    if (why === undefined) {
      const text = safe`${unsafeText(commit)} is live already and was not deployed again: it is the last successful deployment, its checks pass, and no changed variable waits.`;
      found({ actions: [text] });
      return { outcome: 'skipped', skippedReason: 'not-needed' };
    }
    host.report({ type: 'note', text: safe`Deploying: ${why}` });
    void history.announce();
    const pushed = pusher && (await run.phase('push', () => pushCommit(run, pusher)));
    let isGuarded = false;
    // Another run may have rolled it back meanwhile. A rollback of this run deploys another commit.
    const recheck = async () => {
      if (!isGuarded) await guard();
      isGuarded = true;
    };
    return await releaseOrRollBack({ ...run, recheck }, { ...prepared, pushed: pushed === true });
  } catch (error) {
    if (!(error instanceof HistoryUnreadable)) throw error;
    warnOfWaiting(run, prepared);
    const diagnostic = reword(
      error.diagnostic,
      (why) =>
        safe`${why} deploy: if-needed can't determine whether the commit was rolled back, so it was not deployed.`,
    );
    return { outcome: 'failed', error: diagnostic };
  }
}
