import type { Sha } from '../contract/commit.ts';
import { DiagnosedError, type Diagnostic } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';

/** A release that its record calls good: the deployment succeeded, and its checks, if any, passed. */
export interface GoodRelease {
  commit: Sha;
  /** The project that it was deployed to, in lower case. */
  projectId: string;
  /** True if its checks passed; false if there were none, or not all of them were run. */
  isChecked: boolean;
  /** The id of its GitHub Deployment. */
  recordId: number;
}

/** What replaced a commit: the rollback of its own run, or an older commit that a user chose. */
export interface TakenOff {
  /** The commit that replaced it. */
  restored: Sha;
  /** The id of the run, if it was recorded. */
  runId?: string;
  /** When that run began: ISO 8601, by GitHub's clock. */
  at: string;
}

/** A release of another run of the same series. */
export interface OtherRelease {
  commit: Sha;
  recordId: number;
  /** Its run may still be going. */
  isUnderWay: boolean;
  /** It succeeded. */
  isGood: boolean;
  /** It was recorded after this run, or this run is not recorded and it may still be going. */
  isLater: boolean;
}

/**
 * The releases of a run's own series (its environment, and its project there) by the GitHub deployments created by this
 * action. Only those signed with the same key count.
 *
 * Every method throws {@link HistoryUnreadable} if GitHub can't be read, or the signal's reason.
 */
export interface DeployHistory {
  /**
   * The newest good release of this series; never the run's own before it has ended.
   *
   * @param projectId only releases of this project; absent: of any that this series had
   * @returns undefined if none is recorded as good
   */
  lastGood(signal: AbortSignal, projectId?: string): Promise<GoodRelease | undefined>;
  /**
   * True if a commit is an ancestor of another. The same commit is not, and neither is one that has diverged (after a
   * force push), which is logged.
   *
   * @returns undefined if GitHub does not know one of them
   */
  isOlder(commit: Sha, than: Sha, signal: AbortSignal): Promise<boolean | undefined>;
  /** True if a commit is the head of its branch on GitHub now; false if the branch is not known. */
  isBranchHead(commit: Sha, signal: AbortSignal): Promise<boolean>;
  /**
   * What has replaced a commit here since its last release; never the run itself.
   *
   * @param projectId only releases of this project; absent: of any that this series had
   * @returns undefined if nothing has
   */
  takenOff(signal: AbortSignal, commit: Sha, projectId?: string): Promise<TakenOff | undefined>;
  /**
   * The newest releases of other runs of this series, newest first: those that may still be going, those recorded
   * after this run, and the newest good one. Runs that deployed nothing are left out.
   */
  others(signal: AbortSignal): Promise<readonly OtherRelease[]>;
  /**
   * Creates the run's own record, once, and waits for it, so that other runs can read it. A failure is a warning of the
   * recorder, and the run continues.
   */
  announce(): Promise<void>;
  /** Creates no record of the run: GitHub denies access, which was already reported. */
  forgo(): void;
}

/** GitHub deployments can't be read: GitHub denies access, or does not respond. */
export class HistoryUnreadable extends DiagnosedError {
  override readonly name = 'HistoryUnreadable';
  /** True if they can't be created either, for the same reason. */
  readonly isLasting: boolean;

  constructor(diagnostic: Diagnostic, options: ErrorOptions & { isLasting?: boolean } = {}) {
    super(diagnostic, options);
    this.isLasting = options.isLasting === true;
  }
}

/** Which run rolled a commit back, and when, as a clause. */
export function describeTakenOff({ restored, runId, at }: TakenOff): SafeText {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d/.exec(at) ?? [];
  const when = day === undefined ? safe`` : safe` (${unsafeText(`${day} ${time} UTC`)})`;
  const run = runId === undefined ? safe`an earlier run` : safe`run ${unsafeText(runId)}`;
  return safe`${run}${when} rolled back to ${unsafeText(restored)}`;
}
