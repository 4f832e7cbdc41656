import { anyNamesCommit, type SiteChecks } from '../checks/apply.ts';
import { awaitChecks } from '../checks/await-checks.ts';
import { shaOf } from '../contract/commit.ts';
import type { Environment } from '../contract/environment.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import { listNames } from '../kernel/names.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { lastGood, otherReleases, rolledBack } from '../releases/decisions.ts';
import {
  describeRolledBack,
  type History,
  HistoryUnreadable,
  search,
} from '../releases/history.ts';
import type { RunOutcome } from '../step/run-outcome.ts';
import { Stop } from '../step/step.ts';
import { runtimeState } from '../variables/result.ts';
import type { ReleaseContext } from './context.ts';

/** What the run did before. */
interface Prepared {
  environment: Environment;
  /** The variables that it has changed. */
  wrote: readonly SafeText[];
}

/**
 * Ends the run if the commit is live: it is the last good release, its checks pass now and one of them contains it, and
 * no variable waits for a deployment. In doubt it is deployed; but not if it was rolled back, or that can't be read.
 *
 * @returns undefined if it is to be deployed
 */
export async function endIfLive(
  run: ReleaseContext,
  prepared: Prepared,
): Promise<RunOutcome | undefined> {
  const { host, report } = run;
  const { history, commit } = knownTo(run);
  try {
    await stopIfRolledBack(run, prepared, true);
    const why = await whyNeeded(run, history, prepared);
    if (why !== undefined) {
      host.report({ type: 'note', text: safe`Deploying: ${why}` });
      void run.recorder?.ensureCreated();
      return undefined;
    }
  } catch (error) {
    return endUnreadable(run, prepared, error);
  }
  const text = safe`${commit} is live already and was not deployed again: it is the last successful deployment, its checks pass, and no changed variable waits.`;
  report.actions = [text];
  return { outcome: 'skipped', skippedReason: 'not-needed' };
}

/** Why the deployment is needed; undefined if it is not. */
async function whyNeeded(
  run: ReleaseContext,
  history: History,
  { environment, wrote }: Prepared,
): Promise<SafeText | undefined> {
  const { checks } = run;
  if (checks === undefined || !anyNamesCommit(checks)) {
    return safe`no check contains the commit; put {sha} in verify-contains or in a check of the site file`;
  }
  // Whatever the service reports: code and variables go live together.
  if (wrote.length > 0) return safe`variables were written`;
  const { pending } = runtimeState(environment);
  if (pending === true) return safe`changed variables wait for a deployment`;
  if (pending === undefined)
    return safe`the service does not report whether changed variables wait for a deployment`;
  return (await whyAnother(run, history)) ?? (await whyNotPassed(run, checks));
}

/** Why the project's last good release is not known to be this commit; undefined if it is. */
async function whyAnother(
  { host, request: { commit }, projectId }: ReleaseContext,
  history: History,
): Promise<SafeText | undefined> {
  const { signal } = host;
  // By the list that was read right before, for what has replaced it.
  const good = (await history.decide(lastGood, { signal, projectId }))?.record;
  if (good === undefined) return safe`no successful deployment is recorded`;
  if (good.commit !== commit) {
    return safe`the last successful deployment is of ${good.commit}`;
  }
  const others = await history.decide(otherReleases, { signal });
  const other = others.find(({ isUnderWay, record }) => isUnderWay && record.commit !== commit);
  return other && safe`another run is deploying ${other.record.commit}`;
}

/** How long the checks may take to pass before the deployment, in milliseconds: twice in a row, a second apart. */
const longestCheck = 10_000;

/** Why the checks do not show the commit now; undefined if they do. */
async function whyNotPassed(
  run: ReleaseContext,
  checks: SiteChecks,
): Promise<SafeText | undefined> {
  const { host, section } = run;
  const timeout = Math.min(longestCheck, run.request.checks?.timeout ?? longestCheck);
  const found: Pick<ReleaseContext['section'], 'checks'> = {};
  const results = await awaitChecks({ host, checks, timeout, section: found });
  const allPassed = results.every(
    ({ passed }, index) => passed === true || !checks.all[index]?.check,
  );
  if (!allPassed) return safe`its checks fail`;
  section.checks = results;
  return undefined;
}

/**
 * Checks right before the deployment that no other run has rolled the commit back.
 *
 * @returns the end of a run that can't read that
 * @throws Stop if it was rolled back
 */
export async function endIfRolledBack(
  run: ReleaseContext,
  prepared: Prepared,
): Promise<RunOutcome | undefined> {
  try {
    // With on-older, the list was read right before.
    await stopIfRolledBack(run, prepared, run.request.onOlder === undefined);
    return undefined;
  } catch (error) {
    return endUnreadable(run, prepared, error);
  }
}

/** @throws Stop if the commit was rolled back */
async function stopIfRolledBack(
  run: ReleaseContext,
  prepared: Prepared,
  fresh: boolean,
): Promise<void> {
  const { history, commit } = knownTo(run);
  const asked = { signal: run.host.signal, projectId: run.projectId, fresh, ...search };
  const found = await history.decide((known) => rolledBack(known, commit), asked);
  if (found === undefined) return;
  warnOfWaiting(run, prepared);
  const text = safe`${commit} was not deployed: ${describeRolledBack(found)}. Push a new commit, or set deploy: true to deploy this one`;
  throw new Stop('skipped', diagnose('SD5304', text), 'rolled-back');
}

/** The history and the commit of a run with `deploy: if-needed`, which needs both. */
function knownTo({ request: { history, commit } }: ReleaseContext) {
  const sha = shaOf(commit);
  if (history === undefined || sha === undefined) throw new Error('if-needed without records');
  return { history, commit: sha };
}

/** The end of a run that can't read the records: it deploys nothing. @throws any other error */
function endUnreadable(run: ReleaseContext, prepared: Prepared, error: unknown): RunOutcome {
  if (!(error instanceof HistoryUnreadable)) throw error;
  warnOfWaiting(run, prepared);
  const diagnostic = reword(
    error.diagnostic,
    (why) =>
      safe`${why} deploy: if-needed can't determine whether the commit was rolled back, so it was not deployed.`,
  );
  return { outcome: 'failed', error: diagnostic };
}

/** Warns of variables that take effect with the next deployment, which this run does not request. */
function warnOfWaiting({ host }: ReleaseContext, { environment, wrote }: Prepared): void {
  if (wrote.length > 0) {
    const names = listNames(wrote, (name) => name);
    const text = safe`Changed variables take effect with the next deployment: ${names}`;
    host.report({ type: 'warning', diagnostic: diagnose('SD5305', text) });
  } else if (runtimeState(environment).pending === true) {
    const text = safe`Variables that an earlier run changed take effect with the next deployment. The service does not report which`;
    host.report({ type: 'warning', diagnostic: diagnose('SD5305', text) });
  }
}
