import type { CheckResult } from '../../checks/result.ts';
import type { Commit, Sha } from '../../contract/commit.ts';
import type { PreviewReport } from '../../domains/model/connected-domain-report.ts';
import type { ConfirmedBy } from '../../follow/model/evaluate.ts';
import type { PlannedChange } from '../../kernel/change.ts';
import type { SkipReason } from '../../kernel/skip-reason.ts';
import type { SafeText } from '../../kernel/text/safe.ts';
import type { LiveBefore } from '../../releases/decisions.ts';
import type { RunReport, Subject } from '../../report/closing.ts';
import type { EnvironmentResult } from '../../variables/result.ts';

/** A part of a run, in milliseconds since the run's start. */
export interface Phase {
  name: 'environment' | 'push' | 'deployment' | 'verification' | 'roll-back' | 'domain';
  start: number;
  end: number;
}

/** A requested deployment, as far as it is known. */
export interface Release {
  /** `requested`: it may exist, without a clear response. `under-way`: it was accepted. Else its result. */
  stage: 'requested' | 'under-way' | 'failed' | 'succeeded';
  /** Once it is accepted. Its status is absent if the step was killed before it was saved. */
  deployment?: { id: SafeText; status?: SafeText } | undefined;
  /** The last of its unknown statuses; still its status if no other followed. */
  unknownStatus?: SafeText;
  /** The last status before its end. */
  lastStep?: SafeText | undefined;
  confirmedBy?: ConfirmedBy | undefined;
  /** Why it may have been created twice, as a sentence. */
  uncertainty?: SafeText | undefined;
  /** The last lines of the build's own log, at most 20 and with their indentation; of a failed deployment only. */
  log?: readonly SafeText[];
}

/** A release, and the checks after it. */
export interface CheckedRelease {
  /** Absent unless a deployment was requested, and not refused. */
  release?: Release | undefined;
  /** The results of the checks; absent if none was run. */
  checks?: readonly CheckResult[] | undefined;
  /** The origin of the checks, once they passed after the deployment: `https://www.example.com`. */
  site?: SafeText;
}

/** The rollback after failed checks: the release of an earlier commit. */
export interface Rollback extends CheckedRelease {
  /** The commit of the last good release. */
  commit: Sha;
}

/** The result of removing a preview: removed now, removed or absent before, kept, or unknown. */
export type Removal = 'done' | 'before' | 'left' | 'unknown';

/** What is known of a deploy run before its end. */
export interface DeployState extends CheckedRelease {
  subject?: Subject;
  /** Absent until one is leased, and if nothing is deployed or synced. */
  projectId?: string | undefined;
  /** Absent if nothing is deployed or synced. */
  commit?: Commit | undefined;
  environment?: EnvironmentResult;
  /** True if the run pushed the commit, false if the repository had it; absent if that is not known. */
  pushed?: boolean;
  /** The branch with the project's template, if this run replaced that. */
  keptTemplate?: SafeText;
  /** The rollback, once it started. */
  rollback?: Rollback | undefined;
  /** The good commit that was live before a failed deployment, by the recorded deployments; absent if not known. */
  earlier?: Sha;
  /** True if another run of the same series has deployed meanwhile, or is about to: what is live is not known. */
  isOvertaken?: true;
  /** The project's address, if known and no preview: `https://www.example.com`. */
  address?: SafeText;
  /** Absent if the run has none. `removal`: the result for the preview of a closed pull request. */
  preview?: (PreviewReport & { removal?: Removal }) | undefined;
  /** What a plan would change, except the environment. */
  otherChanges?: readonly PlannedChange[];
  /** What a clean-up or a sweep did, or what a plan would do, as sentences. */
  actions?: readonly SafeText[] | undefined;
  phases: readonly Phase[];
}

/** The result of a deploy run. */
export interface DeployReport extends DeployState, RunReport {
  /** What was live before, of a run of production; absent if not known. */
  liveBefore?: LiveBefore | undefined;
  skippedReason?: SkipReason | undefined;
  /** True if the step ended without a result and without a cancellation, for an unknown reason. */
  isUnfinished?: boolean;
}
