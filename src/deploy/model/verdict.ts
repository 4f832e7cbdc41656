import { swapCommit, swapUrl } from '../../blue-green/render.ts';
import { lacksCommit } from '../../checks/result.ts';
import type { Sha } from '../../contract/commit.ts';
import type { Verification } from '../../domains/evaluate.ts';
import { previewUrl, waitsForDomain } from '../../domains/model/connected-domain-report.ts';
import { diagnose } from '../../kernel/diagnostic.ts';
import type { DeployReport } from '../../release/model/report.ts';

/** How far a release came at the service. */
export type Stage = 'not-asked' | 'asked' | 'under-way' | 'failed' | 'succeeded';

/** What a release is known by. */
type Release = Pick<DeployReport, 'isRequested' | 'deployment' | 'deploymentEnd'>;

/** How far a release came: asked for, accepted, or ended. */
export function stageOf({ isRequested, deployment, deploymentEnd }: Release): Stage {
  if (deploymentEnd !== undefined) return deploymentEnd;
  if (deployment !== undefined) return 'under-way';
  return isRequested === true ? 'asked' : 'not-asked';
}

/** True if a release surely changed nothing of what was live: it was not asked for, or the service said it failed. */
export const isVoid = (release: Release): boolean =>
  stageOf(release) === 'not-asked' || stageOf(release) === 'failed';

/** True if a run found its commit live, and so did not deploy it again. */
export const isLiveAlready = ({ skippedReason }: Pick<DeployReport, 'skippedReason'>): boolean =>
  skippedReason === 'not-needed';

/** What a run came to. It is made of the report alone, by everybody who words one: so no two of them disagree. */
export interface Verdict {
  /** How far the deployment of the run's own commit came. */
  stage: Stage;
  /**
   * What the place of the run serves at its end: what the run deployed; an earlier release, gone back to or, where the
   * deployment failed, by our records; what it served before, because nothing of it was touched; or nobody here knows.
   */
  serves: 'ours' | 'earlier' | 'before' | 'unknown';
  /** The commit that was seen live; absent if none was, or it is the project's own HEAD. */
  live?: Sha;
  /** The commit that our records alone say is live. */
  byRecords?: Sha;
  /** The address that serves what was deployed, or found live; empty if that is not known. */
  url: string;
  /** The address where it was seen live: its preview's, else that of the page whose check held; empty if it was not. */
  seenUrl: string;
  /** What the domain lacks on which a deployment that stands waits. */
  lacks?: Verification;
}

/** What is served once there are two projects, and domains that move. */
function servesAfterSwap({ checks }: DeployReport, swap: NonNullable<DeployReport['swap']>) {
  if (swap.live === swap.to) return lacksCommit(checks) ? 'unknown' : 'ours';
  return swap.live === swap.from ? 'before' : 'unknown';
}

function servesOf(report: DeployReport): Verdict['serves'] {
  const { swap, rollback, checks, outcome, isOvertaken, earlier } = report;
  if (swap !== undefined) return servesAfterSwap(report, swap);
  if (isLiveAlready(report)) return 'ours';
  const stage = stageOf(report);
  if (stage === 'not-asked') return 'before';
  // A preview that was closed meanwhile is served nowhere.
  if (isOvertaken === true || outcome === 'skipped') return 'unknown';
  if (rollback !== undefined && !isVoid(rollback)) {
    const isSeen = stageOf(rollback) === 'succeeded' && !lacksCommit(rollback.checks);
    return isSeen ? 'earlier' : 'unknown';
  }
  if (stage === 'succeeded') return lacksCommit(checks) ? 'unknown' : 'ours';
  return stage === 'failed' && earlier !== undefined ? 'earlier' : 'unknown';
}

/** The commit that was seen live. */
function liveOf(report: DeployReport, serves: Verdict['serves']): Sha | undefined {
  const { commit = 'HEAD', rollback } = report;
  if (serves === 'earlier') return rollback?.commit;
  if (serves !== 'ours') return undefined;
  if (report.swap !== undefined) return swapCommit(report);
  return commit === 'HEAD' ? undefined : commit;
}

/** The addresses of what a run brought live. */
function addressesOf(report: DeployReport): Pick<Verdict, 'url' | 'seenUrl'> {
  const { outcome, swap, preview, address = '', site = '' } = report;
  if (outcome !== 'succeeded' && !isLiveAlready(report)) return { url: '', seenUrl: '' };
  if (swap !== undefined) return { url: swapUrl(report), seenUrl: swapUrl(report) };
  if (preview === undefined) return { url: address, seenUrl: site };
  return { url: previewUrl(report), seenUrl: previewUrl(report) };
}

/** What a report says of its run. */
export function verdict(report: DeployReport): Verdict {
  const serves = servesOf(report);
  const live = liveOf(report, serves);
  const byRecords = serves === 'earlier' && live === undefined ? report.earlier : undefined;
  const lacks = waitsForDomain(report) ? report.preview?.verification : undefined;
  return {
    stage: stageOf(report),
    serves,
    ...(live !== undefined && { live }),
    ...(byRecords !== undefined && { byRecords }),
    ...addressesOf(report),
    ...(lacks !== undefined && { lacks }),
  };
}

/** A preview is live once the run has ended well, or found it so: nothing of it is announced before. */
export function withLiveness(report: DeployReport): DeployReport {
  const { preview, outcome } = report;
  if (preview === undefined) return report;
  const stands = outcome === 'succeeded' || isLiveAlready(report);
  const isLive = stands && preview.verification === 'good';
  return { ...report, preview: { ...preview, isLive } };
}

/** A deployment that only its checks could confirm: that they did not hold in time says nothing against it. */
export function asUnconfirmed(report: DeployReport): DeployReport {
  const { outcome, error } = report;
  if (outcome !== 'timed-out' || error === undefined) return report;
  return { ...report, outcome: 'unconfirmed', error: diagnose('SD5002', error.text) };
}
