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

/** True if it was answered, well or not. */
export const hasAnswered = ({ last, lastBad }: SiteCheck): boolean =>
  last?.milliseconds !== undefined || lastBad?.milliseconds !== undefined;

/** The run as it would be if another commit had been asked for. Close its checks at the end. */
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
  if (asked === undefined) throw new Error('a way back without checks');
  const place = { ...asked.place, commit };
  const checks = openChecks({ ...asked, place }, run.host);
  return { ...run, request: { ...request, commit, checks: { ...asked, place } }, checks };
}

/** Looks at the site as an earlier release must have it. */
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
    return { whyNot: safe`no record of ours says of an earlier deployment that it was good.` };
  }
  if (release.commit === request.commit) {
    return { whyNot: safe`the last good deployment was of this very commit.` };
  }
  const takenOff = await history.takenOff(host.signal, release.commit, projectId);
  if (takenOff !== undefined) {
    return {
      whyNot: safe`the last good deployment, of ${unsafeText(release.commit)}, was undone: ${describeTakenOff(takenOff)}.`,
    };
  }
  return { release, ...(await lookFor(run, release)) };
}

/**
 * Finds out before a deployment what it could be undone by: the release that our record says was good, and whether
 * the site is. Records that cannot be read are told at once, because there is no way back then.
 */
export async function findGoodRelease(run: ReleaseContext): Promise<Beforehand> {
  const { host, request } = run;
  if (request.history === undefined) throw new Error('a way back without records');
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
