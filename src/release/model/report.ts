import type { SwapSettings } from '../../blue-green/inputs.ts';
import type { ChecksRequest } from '../../checks/intent.ts';
import type { CheckResult } from '../../checks/result.ts';
import type { Commit, Sha } from '../../contract/commit.ts';
import type { PreviewReport } from '../../domains/model/connected-domain-report.ts';
import type { ConfirmedBy } from '../../follow/model/evaluate.ts';
import type { PlannedChange } from '../../kernel/change.ts';
import type { Diagnostic } from '../../kernel/diagnostic.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import type { SafeText } from '../../kernel/text/safe.ts';
import type { Removal } from '../../previews/model/ownership.ts';
import type { LivePreview } from '../../recording/model/marker.ts';
import type { Subject } from '../../report/subject.ts';
import type { EnvironmentResult } from '../../variables/result.ts';

/** A part of a run, in milliseconds since the run's start. */
export interface Phase {
  name: 'environment' | 'push' | 'deployment' | 'verification' | 'roll-back' | 'domain' | 'move';
  start: number;
  end: number;
}

/** The way back from a deployment whose checks failed: that of an earlier commit, as the report has the first one. */
export interface Rollback
  extends Pick<
    DeployReport,
    | 'isRequested'
    | 'deployment'
    | 'deploymentEnd'
    | 'confirmedBy'
    | 'checks'
    | 'uncertainties'
    | 'log'
  > {
  /** The commit that was live and good before, by our own record. */
  commit: Sha;
}

/** Everything that a run of the deploy command has to say. */
export interface DeployReport {
  outcome: Outcome;
  subject?: Subject;
  skippedReason?: string;
  /** Absent as long as none is leased, and where nothing is deployed or synced. */
  projectId?: string;
  /** Absent where nothing is deployed or synced. */
  commit?: Commit;
  environment?: EnvironmentResult;
  /** True if the run pushed the commit, false if it was there; absent if that was not looked at, or not found out. */
  pushed?: boolean;
  /** The branch that keeps the project's template, where this run took its place. */
  keptTemplate?: SafeText;
  /** True once a deployment was asked for, also if no answer came. */
  isRequested?: boolean;
  deployment?: { id: SafeText; status: SafeText };
  /** The last of its statuses that no table has; it is still its status if nothing else came since. */
  unknownStatus?: SafeText;
  /** How the deployment itself ended, whatever became of the run; absent if its end was not seen. */
  deploymentEnd?: 'succeeded' | 'failed';
  /** The commit that was live and good before a deployment that failed, by our own records; absent: nobody knows. */
  earlier?: Sha;
  /** The last status before its end. */
  lastStep?: SafeText;
  /** What became of the checks of the site; absent if there are none, or none was run. */
  checks?: readonly CheckResult[];
  /** The way back, once it was begun. */
  rollback?: Rollback;
  /** True if the step was ended by no cancellation, and before it could tell how: nobody here knows by what. */
  isUnfinished?: true;
  /** True if another run of the same place has deployed meanwhile, or is about to: nobody here knows what is live. */
  isOvertaken?: true;
  /** Where the checks are, once they held after the deployment: `https://www.example.com`. */
  site?: SafeText;
  /** What was maybe made twice, and what is known of it, in words. */
  uncertainties?: readonly SafeText[];
  confirmedBy?: ConfirmedBy;
  /** Where the project serves what was deployed, if it is known and no preview: `https://www.example.com`. */
  address?: SafeText;
  /** The preview's hostname, live or not; absent if the run has none. */
  previewHostname?: SafeText;
  preview?: PreviewReport;
  /** The preview of this pull request that went live before, and is still served. */
  previousPreview?: LivePreview;
  /** What became of two projects of which one serves. */
  swap?: SwapReport;
  /** The last lines of the build's own log, at most 20 and with their indentation; of a failed deployment only. */
  log?: readonly SafeText[];
  /** What a plan would change beside the environment. */
  otherChanges?: readonly PlannedChange[];
  /** What a clean-up or a sweep did, or what a plan would do, in words. */
  actions?: readonly SafeText[];
  /** What became of the preview of a closed pull request. */
  removal?: Removal;
  phases: readonly Phase[];
  /** Requests that the service was sent. */
  requests: number;
  unconnected?: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: Diagnostic;
}

/** What became of a domain that was to move. */
export interface SwappedDomain {
  hostname: SafeText;
  /** `stays`: it was not touched; `gone`: somebody else moved it, or nobody knows where it is. */
  state: 'stays' | 'moved' | 'moved-back' | 'gone';
  /** For how long at most no project had it, in milliseconds; absent if the service moved it in one go. */
  gap?: number;
  /** True if the service has not verified it since it was moved. */
  isUnverified?: boolean;
}

/** What became of two projects of which one serves. */
export interface SwapReport {
  /** The project that served the domains when the run began; absent if neither did. */
  from?: string;
  /** The one that was idle, and deployed to. */
  to: string;
  /** The one that serves them now; absent if neither does, or not all are there. */
  live?: string;
  /** An interrupted move that this run brought to its end first: where the domains were gathered. */
  reconciled?: string;
  domains: readonly SwappedDomain[];
}

/** A swap as it is asked for. */
export interface SwapRequest extends SwapSettings {
  /** What the site must answer, as it was declared; absent if nothing is asked. */
  checks?: ChecksRequest;
}

/** How the domains of a run stood when it began to deploy. */
export interface Swap extends SwapRequest {
  /** The project that serves them; undefined if neither does. */
  from: string | undefined;
  /** The idle one, which is deployed to. */
  to: string;
  /** Each connected domain, with its project; undefined: none. */
  slots: ReadonlyMap<string, string | undefined>;
  /** Where the domains were gathered first, if an earlier move had been interrupted. */
  reconciled?: string;
}
