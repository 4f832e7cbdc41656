import type { Sanitize } from '../../kernel/text/safe.ts';
import type { Force } from '../model/decide.ts';
import type { RemoteAddress } from '../model/git-url.ts';
import type { GitStep } from '../model/push-result.ts';
import type { Variables } from './process.ts';

/** A commit to push, and where to. */
export interface PushRequest {
  /** 40 lowercase hex digits. */
  readonly commit: string;
  /** Valid by `isBranchName`. */
  readonly branch: string;
  readonly force: Force;
  /** The project's repository. Credentials in its address take precedence over `username` and `token`. */
  readonly project: {
    readonly address: RemoteAddress;
    readonly username: string;
    /** Empty: none is sent. */
    readonly token: string;
  };
  /** The workflow's repository. */
  readonly github: {
    /** `GITHUB_SERVER_URL`. */
    readonly serverUrl: string;
    /** `GITHUB_REPOSITORY`: `owner/name`. */
    readonly repository: string;
    /** Empty: none is sent. */
    readonly token: string;
  };
  /** `GITHUB_WORKSPACE`; empty: there is none. */
  readonly workspace: string;
  /**
   * Whether a project may be adopted, by everything that its repository doesn't show. Absent: it may not.
   */
  readonly mayAdopt?: () => Promise<boolean>;
  /** A folder for temporary files: `RUNNER_TEMP`. */
  readonly temp: string;
}

export interface Tools {
  /** Ends the work and kills git. Its reason is thrown. */
  readonly signal: AbortSignal;
  readonly clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** Sanitizes text from outside; `forFreeText` of it sanitizes free text. */
  readonly clean: Sanitize;
  /** Called when a step starts. */
  report(step: GitStep): void;
  /** Our own environment, of which git inherits a small part. */
  readonly environment: Variables;
}
