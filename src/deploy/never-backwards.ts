import { EarlyEnd } from '../frame/step.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { SetupContext } from '../release/context.ts';
import { type DeployHistory, HistoryUnreadable } from '../release/release-history.ts';

type Asking = Pick<SetupContext, 'host' | 'request'>;

/** Histories that could not be read, which is reported once. */
const reported = new WeakSet<DeployHistory>();

/** A release that is newer than the run's commit, as a clause; undefined if there is none, or it is not known. */
async function findNewer(
  { host, request }: Asking,
  history: DeployHistory,
  isLast: boolean,
): Promise<SafeText | undefined> {
  const { commit, target } = request;
  if (commit === 'HEAD') return undefined;
  const { signal } = host;
  const projectId = target.kind === 'project' ? target.id : undefined;
  const good = await history.lastGood(signal, projectId);
  if (good === undefined && !isLast) {
    const text = safe`No earlier deployment is recorded here, so on-older has nothing to compare with`;
    host.report({ type: 'note', text });
  }
  if (good !== undefined) {
    const isOlder = await history.isOlder(commit, good.commit, signal);
    if (isOlder) return safe`${unsafeText(good.commit)}, the last successful deployment here`;
    if (isOlder === undefined && !isLast) {
      const text = safe`Deploying ${unsafeText(commit)} without comparing it with ${unsafeText(good.commit)}, the last successful deployment here: GitHub does not know both, or they share no history`;
      host.report({ type: 'warning', diagnostic: diagnose('SD5302', text) });
    }
  }
  if (!isLast) return undefined;
  for (const other of await history.others(signal)) {
    if (!other.isUnderWay || !(await history.isOlder(commit, other.commit, signal))) continue;
    return safe`${unsafeText(other.commit)}, which another run is deploying here`;
  }
  return undefined;
}

/**
 * Why a commit must not be deployed because it is older than another release of this place; undefined if it may. A
 * failure to read that is reported once, and the run continues.
 *
 * @param isLast true right before the deployment is posted: deployments of other runs in progress then count, too
 */
export async function whyOlder(run: Asking, isLast: boolean): Promise<EarlyEnd | undefined> {
  const { host, request } = run;
  const { onOlder, history, commit } = request;
  if (onOlder === undefined || history === undefined) return undefined;
  try {
    const newer = await findNewer(run, history, isLast);
    if (newer === undefined) return undefined;
    const text = safe`Nothing was deployed: ${unsafeText(commit)} is older than ${newer}. To deploy it anyway, start a run by hand with this commit-sha`;
    const error = diagnose('SD5301', text);
    if (onOlder === 'fail') return new EarlyEnd('failed', error);
    return new EarlyEnd('skipped', error, 'older-commit');
  } catch (error) {
    if (!(error instanceof HistoryUnreadable)) throw error;
    if (reported.has(history)) return undefined;
    reported.add(history);
    const diagnostic = reword(
      error.diagnostic,
      (why) => safe`${why} on-older can't be decided, so the commit is deployed.`,
    );
    host.report({ type: 'warning', diagnostic });
    if (error.isLasting) history.forgo();
    return undefined;
  }
}

/**
 * Checks again right before the deployment is posted, once other runs can read this run's own record.
 *
 * @throws EarlyEnd if the commit is older by now
 */
export async function guardOrder(run: Asking): Promise<void> {
  await run.request.history?.announce();
  const why = await whyOlder(run, true);
  if (why !== undefined) throw why;
}
