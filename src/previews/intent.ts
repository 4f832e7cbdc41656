import type { Ownership } from './model/ownership.ts';

/** What is to be done about a run's preview. */
export interface PreviewIntent {
  /** What the hostname was made of. */
  template: string;
  hostname: string;
  ownership: Ownership;
  /** How long to follow the domain's verification, in milliseconds. */
  timeout: number;
  onPending: 'warn' | 'fail';
  /** True if it fails although `on-domain-pending` does not ask for it: else nothing could be checked there. */
  mustBeVerified?: true;
}

/** Why a run has no preview domain: none is asked for, or its number is that of no pull request. */
export type NoPreview = 'no-template' | 'no-number';

/** How previews are ended. */
export interface EndIntent {
  /** The projects that a hostname may be assigned to; assigned elsewhere, it is left alone. */
  projects: readonly string[];
  /** Remove the domain instead of only clearing its assignment. */
  disconnect: boolean;
}

/** How the previews of closed pull requests are found and ended, and where that is said. */
export interface SweepIntent extends EndIntent {
  tells: { comment: boolean; deployment: boolean };
}
