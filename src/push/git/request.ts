import type { Force } from '../model/decide.ts';
import type { RemoteAddress } from '../model/remote-address.ts';

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
