import type { Sha } from '../contract/commit.ts';
import { DiagnosedError, type Diagnostic } from '../kernel/diagnostic.ts';

/** A release that our own record calls good: it was deployed, and its checks held, if it had any. */
export interface GoodRelease {
  commit: Sha;
  /** The project that it was deployed to, in lower case. */
  projectId: string;
  /** True if checks of the site held after it; false if there were none, or not all of them were run. */
  isChecked: boolean;
  /** The id of the GitHub Deployment that says so. */
  recordId: number;
}

/** What took a commit off its place: the roll-back of its own run, or an older commit that somebody gave by hand. */
export interface TakenOff {
  /** The commit that took its place. */
  restored: Sha;
  /** The id of the run, if its record says it. */
  runId?: string;
  /** When that run began: ISO 8601, by GitHub's clock. */
  at: string;
}

/** What another run of the same place has begun. */
export interface OtherRelease {
  commit: Sha;
  recordId: number;
  /** Its own run has not ended it yet, and may still be going. */
  isUnderWay: boolean;
  /** It ended well. */
  isGood: boolean;
  /** It was recorded after this run's own record, or that is not there. */
  isLater: boolean;
}

/** A preview whose files were looked for, as our records show it. */
export type Verified =
  | { kind: 'verified'; commit: Sha; pullRequest: number | undefined }
  /** None was good; the pull request of the commit, if GitHub knows one, and what our records say of its preview. */
  | {
      kind: 'missing';
      pullRequest: { number: number; head: Sha } | undefined;
      seen: 'nothing' | 'not-good' | 'unchecked' | 'other-files';
    };

/**
 * The deployments of a run's own place (its environment, and what of it the run deploys to), as our GitHub Deployments
 * remember them: none counts that was not signed with our key. Absent from a request in which no input asks for it, so
 * that nothing is asked then.
 *
 * Every question throws {@link HistoryUnreadable} where it cannot be answered, or the signal's reason.
 */
export interface DeployHistory {
  /**
   * The newest release of this place that was good; of those that are there when it is asked, so never the run's own
   * before that has ended.
   *
   * @param projectId only releases of this project; absent: of any that this place had
   * @returns undefined if no record says of one that it was good
   */
  lastGood(signal: AbortSignal, projectId?: string): Promise<GoodRelease | undefined>;
  /**
   * True if a commit is an ancestor of another. The same commit is not, and one beside it (after a force push) is not:
   * that is noted in the log.
   *
   * @returns undefined if GitHub does not know one of them
   */
  isOlder(commit: Sha, than: Sha, signal: AbortSignal): Promise<boolean | undefined>;
  /**
   * What has taken a commit off this place since it was last released here.
   *
   * @param projectId only releases of this project; absent: of any that this place had
   * @returns undefined if nothing has
   */
  takenOff(signal: AbortSignal, commit: Sha, projectId?: string): Promise<TakenOff | undefined>;
  /**
   * The newest releases of this place that other runs have begun, the newest first: those that are under way, and of
   * the others those that were recorded after this run's own record, if that is there. A run that has ended and
   * deployed nothing is none.
   */
  others(signal: AbortSignal): Promise<readonly OtherRelease[]>;
  /**
   * Makes the run's own record, once, and waits until it is there, so that other runs see it. What fails is a warning
   * of the recorder, and the run goes on.
   */
  announce(): Promise<void>;
  /** Makes no record of the run: GitHub refuses it as it refuses to be asked, and that was told. */
  forgo(): void;
  /** Looks for a preview that had the files of a commit, and whose checks held. */
  findVerified(commit: Sha, signal: AbortSignal): Promise<Verified>;
}

/** Our records cannot be read: GitHub refuses it, or does not answer. The message says what is missing. */
export class HistoryUnreadable extends DiagnosedError {
  override readonly name = 'HistoryUnreadable';
  /** True if records cannot be made either, for the same cause. */
  readonly isLasting: boolean;

  constructor(diagnostic: Diagnostic, options: ErrorOptions & { isLasting?: boolean } = {}) {
    super(diagnostic, options);
    this.isLasting = options.isLasting === true;
  }
}
