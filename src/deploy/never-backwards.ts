import { EarlyEnd } from '../frame/host.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { SetupContext } from '../release/context.ts';
import { type DeployHistory, HistoryUnreadable } from '../release/release-history.ts';

/** What of a run is asked. */
type Asking = Pick<SetupContext, 'host' | 'request'>;

/** Whose records were found unreadable already, which is told once. */
const told = new WeakSet<DeployHistory>();

/** A release that is newer than the run's commit, in words; undefined if there is none, or GitHub does not tell. */
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
    const text = safe`No record says what was deployed here before, so that nothing is older than it`;
    host.report({ type: 'note', text });
  }
  if (good !== undefined) {
    const isOlder = await history.isOlder(commit, good.commit, signal);
    if (isOlder) return safe`${unsafeText(good.commit)}, which was deployed here with success`;
    if (isOlder === undefined && !isLast) {
      const text = safe`Whether ${unsafeText(commit)} is older than ${unsafeText(good.commit)}, the last commit that was deployed here with success, is not known: GitHub does not know both, or they have no history in common. It is deployed`;
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
 * Why a run's commit is not to be deployed because it is older than what this place had, or is getting; undefined if
 * it is not. Where that cannot be read, it is told once, and the run goes on.
 *
 * @param isLast true right before the deployment is posted: what other runs have under way counts then, too
 */
export async function whyOlder(run: Asking, isLast: boolean): Promise<EarlyEnd | undefined> {
  const { host, request } = run;
  const { onOlder, history, commit } = request;
  if (onOlder === undefined || history === undefined) return undefined;
  try {
    const newer = await findNewer(run, history, isLast);
    if (newer === undefined) return undefined;
    const text = safe`Nothing was deployed: ${unsafeText(commit)} is older than ${newer}. To deploy it nevertheless, give it as commit-sha in a run that is started by hand`;
    const error = diagnose('SD5301', text);
    if (onOlder === 'fail') return new EarlyEnd('failed', error);
    return new EarlyEnd('skipped', error, 'older-commit');
  } catch (error) {
    if (!(error instanceof HistoryUnreadable)) throw error;
    if (told.has(history)) return undefined;
    told.add(history);
    const diagnostic = reword(
      error.diagnostic,
      (why) => safe`${why} So on-older cannot be decided, and the commit is deployed.`,
    );
    host.report({ type: 'warning', diagnostic });
    if (error.isLasting) history.forgo();
    return undefined;
  }
}

/**
 * Looks again right before the deployment is posted, once the run's own record is there for other runs to see.
 *
 * @throws EarlyEnd if the commit is older by now
 */
export async function guardOrder(run: Asking): Promise<void> {
  await run.request.history?.announce();
  const why = await whyOlder(run, true);
  if (why !== undefined) throw why;
}
