import type { SafeText } from '../kernel/text/safe.ts';

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
  gathered?: string;
  domains: readonly SwappedDomain[];
}
