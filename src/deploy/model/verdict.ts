import { countFailed, lacksCommit } from '../../checks/result.ts';
import { type Sha, shaOf } from '../../contract/commit.ts';
import type { Verification } from '../../domains/evaluate.ts';
import { previewUrl, waitsForDomain } from '../../domains/model/connected-domain-report.ts';
import { type SafeText, safe, shortSha } from '../../kernel/text/safe.ts';
import type { DeployReport, DeployState, Release, Rollback } from './report.ts';

/** How far the deployment of a commit came. */
export type Stage = 'not-requested' | Release['stage'];

type Released = Pick<DeployReport, 'release'>;

/** How far the deployment of a run or of its rollback came. */
export const stageOf = ({ release }: Released): Stage => release?.stage ?? 'not-requested';

/** True if what is live surely did not change: no deployment was requested, or the service reported a failure. */
export const isVoid = (run: Released): boolean =>
  ['not-requested', 'failed'].includes(stageOf(run));

/** True if a run found its commit live, and so did not deploy it again. */
export const isLiveAlready = ({ skippedReason }: Pick<DeployReport, 'skippedReason'>): boolean =>
  skippedReason === 'not-needed';

/** The conclusions from a report. All texts use them, so that they agree. */
interface Verdict {
  /** How far the deployment of the run's own commit came. */
  stage: Stage;
  /**
   * What is live at the end: this run's deployment; an earlier release, after a rollback or, after a failed deployment, by
   * the recorded deployments; what was live before, because nothing was deployed; or not known.
   */
  serves: 'ours' | 'earlier' | 'before' | 'unknown';
  /** The commit that is live; undefined if not known, or if it is the project's own HEAD. */
  live: Sha | undefined;
  /** The commit that is live by the recorded deployments alone. */
  byRecords: Sha | undefined;
  /** The URL that serves the deployment; empty if not known. */
  url: string;
  /** The URL where it was confirmed live: the preview's, else the origin of passing checks; else empty. */
  confirmedUrl: string;
  /** The verification of the domain that a successful deployment waits for. */
  lacks: Verification | undefined;
}

function servesOf(report: DeployReport): Verdict['serves'] {
  const { rollback, checks, outcome, isOvertaken, earlier } = report;
  if (isLiveAlready(report)) return 'ours';
  const stage = stageOf(report);
  if (stage === 'not-requested') return 'before';
  // A preview that was closed meanwhile is not served.
  if (isOvertaken === true || outcome === 'skipped') return 'unknown';
  if (rollback !== undefined && !isVoid(rollback)) {
    const isConfirmed = stageOf(rollback) === 'succeeded' && !lacksCommit(rollback.checks);
    return isConfirmed ? 'earlier' : 'unknown';
  }
  if (stage === 'succeeded') return lacksCommit(checks) ? 'unknown' : 'ours';
  return stage === 'failed' && earlier !== undefined ? 'earlier' : 'unknown';
}

function liveOf(report: DeployReport, serves: Verdict['serves']): Sha | undefined {
  const { commit, rollback } = report;
  if (serves === 'earlier') return rollback?.commit;
  return serves === 'ours' ? shaOf(commit) : undefined;
}

function addressesOf(report: DeployReport): Pick<Verdict, 'url' | 'confirmedUrl'> {
  const { outcome, preview, address = '', site = '' } = report;
  if (outcome !== 'succeeded' && !isLiveAlready(report)) return { url: '', confirmedUrl: '' };
  if (preview?.domain === undefined) return { url: address, confirmedUrl: site };
  return { url: previewUrl(report), confirmedUrl: previewUrl(report) };
}

/** Draws the conclusions from a report. */
export function verdict(report: DeployReport): Verdict {
  const serves = servesOf(report);
  const live = liveOf(report, serves);
  return {
    stage: stageOf(report),
    serves,
    live,
    byRecords: serves === 'earlier' && live === undefined ? report.earlier : undefined,
    ...addressesOf(report),
    lacks: waitsForDomain(report) ? report.preview?.domain?.verification : undefined,
  };
}

/** True if what was live before surely still is: no deployment was requested, or it failed and an earlier one is known. */
export function leavesLive(report: DeployReport): boolean {
  const { stage, serves } = verdict(report);
  return stage === 'not-requested' || (stage === 'failed' && serves !== 'unknown');
}

/** Marks the preview as live once the run has succeeded, or found it live. */
export function withLiveness(report: DeployReport): DeployReport {
  const { preview, outcome } = report;
  if (preview === undefined) return report;
  const isDeployed = outcome === 'succeeded' || isLiveAlready(report);
  const isLive = isDeployed && preview.domain?.verification === 'good';
  return { ...report, preview: { ...preview, isLive } };
}

/** The state of a deployment without a known result, as a predicate. */
function describeOpen({ deployment }: Release): SafeText {
  if (deployment === undefined)
    return safe`was requested and may still go live; check the service.`;
  const { status } = deployment;
  const state = status === undefined ? safe`was accepted` : safe`had the status "${status}"`;
  return safe`${state} and may still go live; check the service.`;
}

function describeRollback(rollback: Rollback): SafeText {
  const failed = safe`The deployment succeeded, but its checks failed.`;
  const { commit, release } = rollback;
  const to = safe`${failed} The rollback to commit ${shortSha(commit)}`;
  if (release === undefined) return safe`${to} had not been requested yet.`;
  const { stage, deployment } = release;
  if (stage === 'succeeded') return safe`${to} was deployed, but its checks had not finished.`;
  if (stage === 'failed') return safe`${to} failed.`;
  const which = deployment === undefined ? safe`` : safe` (deployment ${deployment.id})`;
  return safe`${to}${which} ${describeOpen(release)}`;
}

/**
 * What an interrupted or killed run leaves behind, as sentences; nothing if it had not started to push.
 *
 * @param known what was known, or kept, until then
 */
export function describeLeftovers(known: Partial<DeployState>): SafeText {
  const { release, phases = [], pushed, checks, rollback } = known;
  if (rollback !== undefined) return describeRollback(rollback);
  if (release !== undefined) {
    const { stage, deployment } = release;
    if (stage === 'failed') return safe`The deployment failed.`;
    if (stage === 'succeeded') {
      return countFailed(checks) > 0
        ? safe`The deployment succeeded, its checks failed, and nothing was rolled back.`
        : safe`The deployment succeeded.`;
    }
    const which = deployment === undefined ? safe`A deployment` : safe`Deployment ${deployment.id}`;
    return safe`${which} ${describeOpen(release)}`;
  }
  if (pushed === true) return safe`The commit was pushed to the project's repository.`;
  const wasPushing = pushed === undefined && phases.some(({ name }) => name === 'push');
  return wasPushing ? safe`The commit may have been pushed to the project's repository.` : safe``;
}
