import type { SiteChecks } from '../checks/apply.ts';
import { awaitChecks } from '../checks/await-checks.ts';
import type { Ending } from '../frame/ending.ts';
import { EarlyEnd } from '../frame/host.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import { listNames } from '../kernel/text/list-names.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { pushCommit } from '../push/push-commit.ts';
import type { ReleaseContext } from '../release/context.ts';
import { type DeployHistory, HistoryUnreadable } from '../release/release-history.ts';
import { productionState } from './evidence.ts';
import { type Prepared, releaseOrRollBack } from './release-or-roll-back.ts';
import { describeTakenOff } from './rolled-back-commits.ts';

/** How long the checks may take to hold before it is deployed, in milliseconds: twice in a row, a second apart. */
const longestLook = 10_000;

/** Why it does not show that the project's last good release is this commit; undefined if it does. */
async function whyAnother(
  { host, request: { commit }, projectId }: ReleaseContext,
  history: DeployHistory,
): Promise<SafeText | undefined> {
  const { signal } = host;
  const [good, others] = await Promise.all([
    history.lastGood(signal, projectId),
    history.others(signal),
  ]);
  if (good === undefined) return safe`no record says that it was deployed with success`;
  if (good.commit !== commit) {
    return safe`the last commit that was deployed with success is ${unsafeText(good.commit)}`;
  }
  const other = others.find((one) => one.isUnderWay && one.commit !== commit);
  return other && safe`another run is deploying ${unsafeText(other.commit)}`;
}

/** Why the checks do not show the commit now; undefined if they do. */
async function whyUnseen(run: ReleaseContext, checks: SiteChecks): Promise<SafeText | undefined> {
  const { host, found } = run;
  const timeout = Math.min(longestLook, run.request.checks?.timeout ?? longestLook);
  const results = await awaitChecks({ host, checks, timeout, found: () => undefined });
  const isSeen = results.every(({ held }, index) => held === true || !checks.all[index]?.check);
  if (!isSeen) return safe`its checks do not hold`;
  found({ checks: results });
  return undefined;
}

const namesCommit = (checks: SiteChecks): boolean =>
  checks.asked.some(({ check }) => check?.namesCommit === true);

/** Why a commit is deployed although that was asked only if it is needed; undefined if it need not be. */
async function whyNeeded(
  run: ReleaseContext,
  history: DeployHistory,
  { environment, wrote }: Prepared,
): Promise<SafeText | undefined> {
  const { checks } = run;
  if (checks === undefined || !namesCommit(checks)) {
    return safe`no check names the commit: put {sha} into verify-contains, or into a check of the site file`;
  }
  // Whatever the service says of them: code and variables go live together.
  if (wrote.length > 0) return safe`variables were written`;
  const state = productionState(environment);
  if (state === 'pending') return safe`variables wait to be published`;
  if (state === 'unknown') return safe`the service does not say whether variables wait`;
  return (await whyAnother(run, history)) ?? (await whyUnseen(run, checks));
}

/** Warns of variables that go live with the next deployment, which this run does not make. */
function warnOfWaiting({ host }: ReleaseContext, { environment, wrote }: Prepared): void {
  if (wrote.length > 0) {
    const names = listNames(wrote, (name) => name);
    const text = safe`Variables wait for the next deployment: ${names}`;
    host.report({ type: 'warning', diagnostic: diagnose('SD5305', text) });
  } else if (productionState(environment) === 'pending') {
    const text = safe`Variables of an earlier run wait for the next deployment. The service does not report which`;
    host.report({ type: 'warning', diagnostic: diagnose('SD5305', text) });
  }
}

/** Ends a run whose commit was taken off. */
async function guardTakenOff(
  { host, request: { commit }, projectId }: Pick<ReleaseContext, 'host' | 'request' | 'projectId'>,
  history: DeployHistory,
): Promise<void> {
  if (commit === 'HEAD') throw new Error('a commit that no record knows');
  const takenOff = await history.takenOff(host.signal, commit, projectId);
  if (takenOff === undefined) return;
  const text = safe`${unsafeText(commit)} was not deployed: ${describeTakenOff(takenOff)}. Push a new commit, or set deploy: true to deploy this one`;
  throw new EarlyEnd('skipped', diagnose('SD5304', text), 'rolled-back');
}

/**
 * Deploys the commit, unless it is live: our last good record is of this commit, its checks hold now and one of them
 * names it, and no variable waits to be published. In doubt it is deployed; but never where it was taken off, and so not
 * where that cannot be known.
 */
export async function deployIfNeeded(run: ReleaseContext, prepared: Prepared): Promise<Ending> {
  const { host, request, found } = run;
  const { commit, bringing, history } = request;
  if (history === undefined) throw new Error('deploy: if-needed without records');
  const guard = async () => {
    try {
      await guardTakenOff(run, history);
    } catch (error) {
      if (error instanceof EarlyEnd) warnOfWaiting(run, prepared);
      throw error;
    }
  };
  try {
    await guard();
    const why = await whyNeeded(run, history, prepared);
    if (why === undefined) {
      const text = safe`${unsafeText(commit)} is live: it was the last to be deployed with success, its checks hold, and no variable waits to be published. So it was not deployed again.`;
      found({ actions: [text] });
      return { outcome: 'skipped', skippedReason: 'not-needed' };
    }
    host.report({ type: 'note', text: safe`It is deployed, because ${why}` });
    void history.announce();
    const pushed = bringing && (await run.phase('push', () => pushCommit(run, bringing)));
    let isGuarded = false;
    // Another run may have taken it off meanwhile. What this run goes back to is another commit.
    const lastLook: ReleaseContext['lastLook'] = async (beside) => {
      await run.lastLook?.(beside);
      if (!isGuarded) await guard();
      isGuarded = true;
    };
    return await releaseOrRollBack({ ...run, lastLook }, { ...prepared, pushed: pushed === true });
  } catch (error) {
    if (!(error instanceof HistoryUnreadable)) throw error;
    warnOfWaiting(run, prepared);
    const diagnostic = reword(
      error.diagnostic,
      (why) =>
        safe`${why} deploy: if-needed cannot know whether the commit was rolled back, so it was not deployed.`,
    );
    return { outcome: 'failed', error: diagnostic };
  }
}
