import type { Ownership } from './model/ownership.ts';

/** The preview that a run deploys to. */
export interface PreviewIntent {
  /** The input `preview-domain`. */
  template: string;
  hostname: string;
  ownership: Ownership;
  /** The time limit for the domain's verification, in milliseconds. */
  timeout: number;
  onPending: 'warn' | 'fail';
  /** True if the run fails without verification whatever `on-domain-pending` is: its checks need the domain. */
  mustBeVerified?: true;
}

/** Why a run has no preview domain: none is configured, or it needs the number of a pull request. */
export type NoPreview = 'no-template' | 'no-number';

/** How previews are ended. */
export interface EndIntent {
  /** A hostname that is assigned to another project is not changed. */
  projects: readonly string[];
  /** True: the domain is disconnected; false: only its assignment is cleared. */
  disconnect: boolean;
}

/** How the previews of closed pull requests are ended, and what is updated on GitHub. */
export interface SweepIntent extends EndIntent {
  tells: { comment: boolean; deployment: boolean };
}
