import type { SafeText } from '../../kernel/text/safe.ts';
import type { Verification } from './domain-state.ts';

/** A DNS record that somebody must make for a domain. */
export interface DnsInstruction {
  type: SafeText;
  name: SafeText;
  value: SafeText;
  purpose: SafeText;
  required: boolean;
}

/** A domain as it was last seen. */
export interface DomainReport {
  hostname: SafeText;
  verification: Verification;
  /** Its state in the service's own word; empty if it shows none. */
  state: SafeText;
  /** All its statuses in words. */
  statuses: SafeText;
  /** Those of its words that no table has, if they are what makes its verification unclear. */
  unknown?: readonly SafeText[];
  /** Records to make; empty once it is verified. */
  records: readonly DnsInstruction[];
  errors: readonly SafeText[];
  /** Why its verification could not be followed to its end. */
  trouble?: SafeText;
}

/** The preview of a run. */
export interface PreviewReport extends DomainReport {
  /** True if the deployment succeeded and its domain is verified, or a check held at its address. */
  isLive: boolean;
}
