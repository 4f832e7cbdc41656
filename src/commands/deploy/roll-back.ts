import type { Commit } from '../../contract/commit.ts';
import { type Coded, coded, reword, withoutCode } from '../../core/catalogue/coded.ts';
import type { CheckResult } from '../../core/report/check-result.ts';
import { liveCommit } from '../../core/report/live-commit.ts';
import type { WayBack } from '../../core/report/report.ts';
import { type SafeText, safe, trusted } from '../../core/text/safe.ts';
import { sentence } from '../../core/text/sentence.ts';
import { ServiceError } from '../../service/errors.ts';
import { openChecks, type SiteCheck, type SiteChecks } from '../checks/site-checks.ts';
import type { Ending } from '../ending.ts';
import { explainError } from '../explain-error.ts';
import { EarlyEnd } from '../host.ts';
import { confirmLease } from '../preview/preview.ts';
import type { DeployFindings, Deploying } from './context.ts';
import { type DeployHistory, type GoodRelease, HistoryUnreadable } from './history.ts';
import { lookOnce } from './verify.ts';

/** What was known before a deployment of how it could be undone. */
export type Beforehand =
  /** Nothing could be gone back to. */
  | { whyNot: SafeText }
  | {
      release: GoodRelease;
      /** True if the checks were good, as that release has them. */
      wasGood: boolean;
      /** For each of the checks, whether it was answered at all. */
      answered: readonly boolean[];
    };

/** What a deployment can be undone by, and what its checks came to. */
export interface Undoing {
  before: Beforehand;
  /** How many variables the run wrote. */
  written: number;
  results: readonly CheckResult[];
}

const hasAnswered = ({ last, lastBad }: SiteCheck): boolean =>
  last?.milliseconds !== undefined || lastBad?.milliseconds !== undefined;

/** The run as it would be if another commit had been asked for. Close its checks at the end. */
function runFor(run: Deploying, commit: Commit): Deploying & { checks: SiteChecks } {
  const {
    bringing: _brings,
    rollsBack: _again,
    onOlder: _older,
    checks: asked,
    ...request
  } = run.request;
  if (asked === undefined) throw new Error('a way back without checks');
  const place = { ...asked.place, commit };
  const checks = openChecks({ ...asked, place }, request.userAgent, run.host);
  return { ...run, request: { ...request, commit, checks: { ...asked, place } }, checks };
}

/** Looks at the site as an earlier release must have it. */
async function lookFor(run: Deploying, release: GoodRelease) {
  const { checks, host } = runFor(run, release.commit);
  try {
    await lookOnce(host, checks);
    return {
      wasGood: checks.asked.every(({ last }) => last?.isGood === true),
      answered: checks.all.map(hasAnswered),
    };
  } finally {
    await checks.close();
  }
}

async function findRelease(run: Deploying, history: DeployHistory): Promise<Beforehand> {
  const { host, request, projectId } = run;
  const release = await history.lastGood(host.signal, projectId);
  if (release === undefined) {
    return { whyNot: safe`no record of ours says of an earlier deployment that it was good.` };
  }
  if (release.commit === request.commit) {
    return { whyNot: safe`the last good deployment was of this very commit.` };
  }
  return { release, ...(await lookFor(run, release)) };
}

/**
 * Finds out before a deployment what it could be undone by: the release that our record says was good, and whether
 * the site is. Records that cannot be read are told at once, because there is no way back then.
 */
export async function lookBefore(run: Deploying): Promise<Beforehand> {
  const { host, request } = run;
  if (request.history === undefined) throw new Error('a way back without records');
  try {
    return await findRelease(run, request.history);
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof HistoryUnreadable)) throw error;
    const text = reword(
      error.message,
      (why) => safe`If the checks fail, nothing will be rolled back: ${why}`,
    );
    host.report({ type: 'warning', text });
    return { whyNot: withoutCode(error.message) };
  }
}

/** Why the failed checks prove nothing against the release; undefined if they do. */
function whyUnproven(
  { checks }: Deploying,
  {
    before,
    results,
  }: Pick<Undoing, 'results'> & { before: Extract<Beforehand, { release: object }> },
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
async function whyNotOurs(run: Deploying): Promise<SafeText | undefined> {
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
    return safe`${trusted(target.preview.hostname)} lost its project meanwhile.`;
  }
}

/**
 * Why another run's release stands in the way; undefined if there is none. Of two runs that are under way that of the
 * later record stays, so that never each leaves it to the other.
 */
async function whyOvertaken(
  { host, request: { history }, projectId, found }: Deploying,
  { recordId }: GoodRelease,
): Promise<SafeText | undefined> {
  await history?.announce();
  const others = (await history?.others(host.signal)) ?? [];
  const later = others.find(({ isLater }) => isLater);
  const good = later === undefined && (await history?.lastGood(host.signal, projectId));
  const other = later ?? (good && good.recordId !== recordId ? good : undefined);
  if (other === undefined) return undefined;
  found({ isOvertaken: true });
  const commit = trusted(other.commit);
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

/** Why nothing is rolled back; undefined if something is. */
async function whyNot(run: Deploying, { before, results }: Undoing): Promise<SafeText | undefined> {
  if ('whyNot' in before) return before.whyNot;
  try {
    return (
      whyUnproven(run, { before, results }) ??
      (await whyNotOurs(run)) ??
      (await whyOvertaken(run, before.release))
    );
  } catch (error) {
    run.host.signal.throwIfAborted();
    const why =
      error instanceof HistoryUnreadable ? error.message : explainError(error, run.host.clean);
    return safe`whether that would be right could not be found out. ${withoutCode(why)}`;
  }
}

/** What a failed deployment left, whose way back was begun. */
interface Failed {
  commit: Commit;
  /** What failed, in words. */
  why: Coded;
  /** How many variables were written. */
  written: number;
}

/** What of a run stays, whichever commit is live. */
function whatStays({ written }: Failed): SafeText {
  if (written === 0) return safe``;
  return written === 1
    ? safe` Variables are not rolled back: the one that this run wrote stays as it is now.`
    : safe` Variables are not rolled back: the ${written} that this run wrote stay as they are now.`;
}

const describeDone = (failed: Failed, { commit }: WayBack): Coded =>
  coded(
    'SD5005',
    safe`${withoutCode(failed.why)} So it was rolled back: commit ${trusted(commit)} is live again, and its checks hold.${whatStays(failed)}`,
  );

/** What a way back that failed has left. @param why how it failed */
function describeUndone(failed: Failed, wayBack: WayBack, why: SafeText): Coded {
  const { commit } = failed;
  const live = liveCommit({ ...nothing, commit, deploymentEnd: 'succeeded', wayBack });
  const to = trusted(wayBack.commit);
  const state =
    live === undefined
      ? safe`What is live is not known: that deployment may still go live.`
      : safe`Live is ${live === wayBack.commit ? safe`that commit` : safe`commit ${trusted(live)}`}.`;
  const stays = whatStays(failed);
  return coded(
    'SD5006',
    safe`Rolling back to commit ${to} failed. ${sentence(why)} ${state}${stays} It was to be rolled back for this: ${withoutCode(failed.why)}`,
  );
}

const nothing = { outcome: 'failed', phases: [], requests: 0, durationMs: 0 } as const;

/**
 * Undoes a deployment whose checks failed, once, if that is right: deploys the commit of the last good release, by the
 * same code as any deployment, and runs the same checks for that commit.
 *
 * @param failure how the checks ended
 * @param deployAgain deploys and checks for the run that it is given
 * @returns how the run ends, with what is live in words; rejects with the signal's reason
 */
export async function rollBack(
  run: Deploying,
  failure: Required<Pick<Ending, 'error'>> & Ending,
  undoing: Undoing,
  deployAgain: (run: Deploying) => Promise<Ending>,
): Promise<Ending> {
  const { host, request, found } = run;
  const { before, written } = undoing;
  const reason = await whyNot(run, undoing);
  if (reason !== undefined || !('release' in before)) {
    const said = safe`Nothing was rolled back: ${reason ?? safe``}`;
    return { ...failure, error: reword(failure.error, (text) => safe`${text} ${said}`) };
  }
  const { commit } = before.release;
  let wayBack: WayBack = { commit };
  const tell = (part: Partial<DeployFindings>) => {
    wayBack = { ...wayBack, ...part, commit };
    found({ wayBack });
  };
  tell({});
  host.report({ type: 'rolling-back', commit });
  const failed = { commit: request.commit, why: failure.error, written };
  const back = runFor(run, commit);
  const returning: Deploying = {
    ...back,
    found: tell,
    keyFor: (operation, target) => run.keyFor(`roll back: ${operation}`, target),
    // Where only the checks could show its end, a time-out leaves it undone, and not unconfirmed.
    waitsFor: (describe) => run.waitsFor(describe),
    phase: (_, work) => work(),
  };
  const fail = (why: SafeText): Ending => ({
    outcome: 'failed',
    error: describeUndone(failed, wayBack, why),
  });
  try {
    const ending = await run.phase('roll-back', () => deployAgain(returning));
    if (ending.outcome === 'succeeded') {
      return { outcome: 'rolled-back', error: describeDone(failed, wayBack) };
    }
    return fail(ending.error === undefined ? safe`` : withoutCode(ending.error));
  } catch (error) {
    host.signal.throwIfAborted();
    if (error instanceof ServiceError && !error.mayHaveArrived) tell({ isRequested: false });
    return fail(withoutCode(explainError(error, host.clean)));
  } finally {
    await back.checks.close();
  }
}
