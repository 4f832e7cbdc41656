import type { Sanitize } from '../../kernel/text/safe.ts';
import type { Force } from '../model/decide.ts';
import type { RemoteAddress } from '../model/git-url.ts';
import type { GitStep } from '../model/push-result.ts';
import type { Variables } from './process.ts';

/** What is to be brought where. */
export interface BringRequest {
  /** 40 lowercase hex digits. */
  readonly commit: string;
  /** A name that `isBranchName` allows. */
  readonly branch: string;
  readonly force: Force;
  /** The project's repository. Credentials in its address win over those beside it. */
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
   * Tells whether the project may be taken for one that holds nothing but its template, for all that its repository
   * does not say. Absent: it may not.
   */
  readonly mayAdopt?: () => Promise<boolean>;
  /** A folder for temporary files: `RUNNER_TEMP`. */
  readonly temp: string;
}

/** What the work needs from where it is done. */
export interface Tools {
  /** Ends the work, and git with it. Its reason is thrown. */
  readonly signal: AbortSignal;
  readonly clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** Makes others' text printable and free of secrets; free text by `forFreeText` of it. */
  readonly clean: Sanitize;
  /** Is told what happens, as it begins. */
  report(step: GitStep): void;
  /** Our own environment. Git is given a small part of it. */
  readonly environment: Variables;
}
