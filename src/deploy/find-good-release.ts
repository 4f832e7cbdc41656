import { openChecks, type SiteCheck, type SiteChecks } from '../checks/apply.ts';
import type { Commit } from '../contract/commit.ts';
import { reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { ReleaseContext } from '../release/context.ts';
import {
  type DeployHistory,
  type GoodRelease,
  HistoryUnreadable,
} from '../release/release-history.ts';
import { describeTakenOff } from './rolled-back-commits.ts';
import { lookOnce } from './verify.ts';

/** What was known before a deployment about its rollback. */
export type Beforehand =
  /** There is no release to roll back to. */
  | { whyNot: SafeText }
  | {
      release: GoodRelease;
      /** True if the checks passed for that release. */
      wasGood: boolean;
      /** For each check, whether there was a response. */
      answered: readonly boolean[];
    };

/** True if there was a response. */
export const hasAnswered = ({ last, lastBad }: SiteCheck): boolean =>
  last?.milliseconds !== undefined || lastBad?.milliseconds !== undefined;

/** The run for another commit. Close its checks at the end. */
export function runFor(
  run: ReleaseContext,
  commit: Commit,
): ReleaseContext & { checks: SiteChecks } {
  const {
    bringing: _brings,
    rollsBack: _again,
    onOlder: _older,
    checks: asked,
    ...request
  } = run.request;
  if (asked === undefined) throw new Error('a rollback without checks');
  const place = { ...asked.place, commit };
  const checks = openChecks({ ...asked, place }, run.host);
  return { ...run, request: { ...request, commit, checks: { ...asked, place } }, checks };
}

/** Runs the checks for an earlier release once. */
async function lookFor(run: ReleaseContext, release: GoodRelease) {
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

async function findRelease(run: ReleaseContext, history: DeployHistory): Promise<Beforehand> {
  const { host, request, projectId } = run;
  const release = await history.lastGood(host.signal, projectId);
  if (release === undefined) {
    return { whyNot: safe`no good release is recorded.` };
  }
  if (release.commit === request.commit) {
    return { whyNot: safe`the last good release is this commit.` };
  }
  const takenOff = await history.takenOff(host.signal, release.commit, projectId);
  if (takenOff !== undefined) {
    return {
      whyNot: safe`the last good release, ${unsafeText(release.commit)}, was itself rolled back: ${describeTakenOff(takenOff)}.`,
    };
  }
  return { release, ...(await lookFor(run, release)) };
}

/**
 * Finds the release to roll back to before a deployment: the last good one, and whether the checks pass for it. A
 * failure to read the records is a warning at once, because there is no rollback then.
 */
export async function findGoodRelease(run: ReleaseContext): Promise<Beforehand> {
  const { host, request } = run;
  if (request.history === undefined) throw new Error('a rollback without records');
  try {
    return await findRelease(run, request.history);
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof HistoryUnreadable)) throw error;
    const diagnostic = reword(
      error.diagnostic,
      (why) => safe`If the checks fail, nothing will be rolled back: ${why}`,
    );
    host.report({ type: 'warning', diagnostic });
    return { whyNot: error.diagnostic.text };
  }
}
