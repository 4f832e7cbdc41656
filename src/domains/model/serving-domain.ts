import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { assignedTo, type TaughtWords, verificationOf } from './domain-state.ts';

/** What a project's domains are looked at for. */
export interface Serving {
  projectId: string;
  /** The hostname of `verify-url`; undefined if there is none. */
  checked: string | undefined;
  taught: TaughtWords;
}

/**
 * The domain at which a project serves: of those that are verified the one that is checked, else the only one.
 *
 * @returns undefined if there is none, or several
 */
export function servingDomain(
  domains: readonly ConnectedDomain[],
  { projectId, checked, taught }: Serving,
): string | undefined {
  const verified = domains
    .filter((domain) => assignedTo(domain) === projectId)
    .filter((domain) => verificationOf(domain, taught) === 'good')
    .map(({ hostname }) => hostname.toLowerCase());
  if (checked !== undefined && verified.includes(checked)) return checked;
  const [only, ...others] = verified;
  return others.length === 0 ? only : undefined;
}
