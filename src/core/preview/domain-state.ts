import type { ConnectedDomain } from '../../contract/connected-domain.ts';

/** What a domain's verification has come to. */
export type Verification = 'good' | 'bad' | 'pending';

const fold = (word: string): string => word.toLowerCase().replace(/[\s_-]+/g, '');
const good = new Set(
  'active,verified,valid,issued,assigned,routed,ok,ready,live,complete'.split(','),
);
const bad = new Set('failed,error,invalid,rejected,blocked,expired,revoked'.split(','));

const statusFields = ['state', 'ownershipStatus', 'certificateStatus', 'routingStatus'] as const;

/**
 * Reads a domain's verification (section "Connected domain"; only `pending` and `unassigned` are shown).
 * One bad status makes it bad; it is good when every status that is shown is. Any other word is pending.
 */
export function verificationOf(domain: ConnectedDomain): Verification {
  const words = statusFields
    .map((field) => fold(domain[field] ?? ''))
    .filter((word) => word !== '');
  if (words.some((word) => bad.has(word))) return 'bad';
  return words.length > 0 && words.every((word) => good.has(word)) ? 'good' : 'pending';
}

/** Its statuses in words: `state pending, certificate issued`. */
export function describeStatuses(domain: ConnectedDomain): string {
  return statusFields
    .flatMap((field) => {
      const word = domain[field];
      return word === undefined || word === null ? [] : [`${field.replace('Status', '')} ${word}`];
    })
    .join(', ');
}

/** The project that a domain is assigned to; undefined if none: null, absent and empty mean the same. */
export function assignedTo(domain: ConnectedDomain): string | undefined {
  const { projectId } = domain;
  return projectId === undefined || projectId === null || projectId === '' ? undefined : projectId;
}

/**
 * The domains, but for our own, that a deployment to a project would change.
 *
 * @returns their hostnames, sorted
 */
export function otherDomains(
  domains: readonly ConnectedDomain[],
  projectId: string,
  ownHostname: string | undefined,
): string[] {
  return domains
    .filter((domain) => assignedTo(domain) === projectId)
    .map(({ hostname }) => hostname)
    .filter((hostname) => hostname.toLowerCase() !== ownHostname)
    .sort();
}
