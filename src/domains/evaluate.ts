import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { type CustomStatuses, foldStatus, noCustomStatuses } from '../follow/model/status.ts';

/**
 * The state of a domain's verification; `unclear` if it has an unknown status and otherwise good ones, or no status.
 */
export type Verification = 'good' | 'bad' | 'pending' | 'unclear';

/** True if the verification is not known to be complete. */
export const isOpen = (verification: Verification): boolean =>
  verification === 'pending' || verification === 'unclear';

/** The statuses of a domain that need no input, by what they mean; any spelling that `foldStatus` makes equal counts. */
export const builtInDomainStatuses: Readonly<
  Record<'good' | 'bad' | 'pending', readonly string[]>
> = {
  good: 'active,verified,valid,issued,assigned,routed,ok,ready,live,complete'.split(','),
  bad: 'failed,error,invalid,rejected,blocked,expired,revoked'.split(','),
  pending:
    'pending,unassigned,unverified,not verified,queued,waiting,created,requested,scheduled,starting,started,initializing,validating,verifying,checking,issuing,provisioning,propagating,deploying,routing,processing,running,working,in progress,retrying'.split(
      ',',
    ),
};

const good = new Set(builtInDomainStatuses.good.map(foldStatus));
const bad = new Set(builtInDomainStatuses.bad.map(foldStatus));
const pending = new Set(builtInDomainStatuses.pending.map(foldStatus));

/** The statuses of a domain. */
const statusTextsOf = (domain: ConnectedDomain): string[] =>
  statusesOf(domain).flatMap(({ status }) => (foldStatus(status) === '' ? [] : [status]));

/** The meaning of a status; undefined if it is unknown. */
function readStatus(word: string, { success, failure }: CustomStatuses): Verification | undefined {
  const folded = foldStatus(word);
  const isIn = (list: readonly string[]) =>
    list.some((customStatuses) => foldStatus(customStatuses) === folded);
  if (isIn(failure)) return 'bad';
  if (isIn(success)) return 'good';
  if (bad.has(folded)) return 'bad';
  if (good.has(folded)) return 'good';
  return pending.has(folded) ? 'pending' : undefined;
}

/**
 * Determines a domain's verification (section "Connected domain", which shows only `pending` and `unassigned`).
 * One bad status makes it bad, otherwise one pending status pending; it is good if all statuses are.
 */
export function verificationOf(
  domain: ConnectedDomain,
  customStatuses: CustomStatuses = noCustomStatuses,
): Verification {
  const read = statusTextsOf(domain).map((status) => readStatus(status, customStatuses));
  if (read.includes('bad')) return 'bad';
  if (read.includes('pending')) return 'pending';
  return read.length > 0 && !read.includes(undefined) ? 'good' : 'unclear';
}

/** The unknown statuses of a domain, each once. */
export function unknownStatuses(domain: ConnectedDomain, customStatuses: CustomStatuses): string[] {
  const unknown = statusTextsOf(domain).filter(
    (status) => readStatus(status, customStatuses) === undefined,
  );
  return [...new Set(unknown)];
}

/** One status of a domain, as the service reports it. */
export interface DomainStatus<Text extends string = string> {
  of: 'state' | 'ownership' | 'certificate' | 'routing';
  status: Text;
}

/** The non-empty statuses of a domain. */
export function statusesOf(domain: ConnectedDomain): DomainStatus[] {
  const all: readonly { of: DomainStatus['of']; status: string | null | undefined }[] = [
    { of: 'state', status: domain.state },
    { of: 'ownership', status: domain.ownershipStatus },
    { of: 'certificate', status: domain.certificateStatus },
    { of: 'routing', status: domain.routingStatus },
  ];
  return all.flatMap(({ of, status }) => (status ? [{ of, status }] : []));
}

/** Its statuses as text: `state pending, certificate issued`. */
export function describeStatuses(domain: ConnectedDomain): string {
  return statusesOf(domain)
    .map(({ of, status }) => `${of} ${status}`)
    .join(', ');
}

/** The project that a domain is assigned to; undefined if none. Null, absent and empty are the same. */
export function assignedTo(domain: ConnectedDomain): string | undefined {
  const { projectId } = domain;
  return projectId === undefined || projectId === null || projectId === '' ? undefined : projectId;
}

/**
 * The domains that a deployment to a project would change, except for the run's own.
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

/**
 * The verified domain of a project: the one that is checked, otherwise the only one.
 *
 * @param serving `checked`: the hostname of `verify-url`; undefined if there is none
 * @returns undefined if there is none, or several
 */
export function servingDomain(
  domains: readonly ConnectedDomain[],
  {
    projectId,
    checked,
    customStatuses,
  }: { projectId: string; checked: string | undefined; customStatuses: CustomStatuses },
): string | undefined {
  const verified = domains
    .filter((domain) => assignedTo(domain) === projectId)
    .filter((domain) => verificationOf(domain, customStatuses) === 'good')
    .map(({ hostname }) => hostname.toLowerCase());
  if (checked !== undefined && verified.includes(checked)) return checked;
  const [only, ...others] = verified;
  return others.length === 0 ? only : undefined;
}
