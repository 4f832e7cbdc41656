import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { type CustomWords, noCustomWords } from '../follow/model/status.ts';

/**
 * What a domain's verification has come to; `unclear` if no table has one of its words and the others are good, or if it
 * shows none: it may be verified, or not yet.
 */
export type Verification = 'good' | 'bad' | 'pending' | 'unclear';

/** True if it has not come to its end, as far as that shows. */
export const isOpen = (verification: Verification): boolean =>
  verification === 'pending' || verification === 'unclear';

const fold = (word: string): string => word.toLowerCase().replace(/[\s_-]+/g, '');

/** The statuses of a domain that need no input, by what they mean; any spelling that `fold` makes equal counts. */
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

const good = new Set(builtInDomainStatuses.good.map(fold));
const bad = new Set(builtInDomainStatuses.bad.map(fold));
const pending = new Set(builtInDomainStatuses.pending.map(fold));

const statusFields = ['state', 'ownershipStatus', 'certificateStatus', 'routingStatus'] as const;

/** The words that a domain shows. */
const wordsOf = (domain: ConnectedDomain): string[] =>
  statusFields.map((field) => domain[field] ?? '').filter((word) => fold(word) !== '');

/** What a word means; undefined if no table has it. */
function readWord(word: string, { success, failure }: CustomWords): Verification | undefined {
  const folded = fold(word);
  const isIn = (list: readonly string[]) =>
    list.some((customWords) => fold(customWords) === folded);
  if (isIn(failure)) return 'bad';
  if (isIn(success)) return 'good';
  if (bad.has(folded)) return 'bad';
  if (good.has(folded)) return 'good';
  return pending.has(folded) ? 'pending' : undefined;
}

/**
 * Reads a domain's verification (section "Connected domain"; only `pending` and `unassigned` are shown).
 * One bad status makes it bad, else one pending status pending; it is good when every status that is shown is.
 */
export function verificationOf(
  domain: ConnectedDomain,
  customWords: CustomWords = noCustomWords,
): Verification {
  const read = wordsOf(domain).map((word) => readWord(word, customWords));
  if (read.includes('bad')) return 'bad';
  if (read.includes('pending')) return 'pending';
  return read.length > 0 && !read.includes(undefined) ? 'good' : 'unclear';
}

/** The words of a domain that no table has, each once: one of them may mean that it is verified. */
export function unknownWords(domain: ConnectedDomain, customWords: CustomWords): string[] {
  const unknown = wordsOf(domain).filter((word) => readWord(word, customWords) === undefined);
  return [...new Set(unknown)];
}

/** One status of a domain, in the service's word. */
export interface DomainStatus<Text extends string = string> {
  of: 'state' | 'ownership' | 'certificate' | 'routing';
  status: Text;
}

const statusNames = {
  state: 'state',
  ownershipStatus: 'ownership',
  certificateStatus: 'certificate',
  routingStatus: 'routing',
} as const satisfies Record<(typeof statusFields)[number], DomainStatus['of']>;

/** The statuses that a domain shows. */
export function statusesOf(domain: ConnectedDomain): DomainStatus[] {
  return statusFields.flatMap((field) => {
    const status = domain[field] ?? '';
    return status === '' ? [] : [{ of: statusNames[field], status }];
  });
}

/** Its statuses in words: `state pending, certificate issued`. */
export function describeStatuses(domain: ConnectedDomain): string {
  return statusesOf(domain)
    .map(({ of, status }) => `${of} ${status}`)
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

/** What a project's domains are looked at for. */
export interface Serving {
  projectId: string;
  /** The hostname of `verify-url`; undefined if there is none. */
  checked: string | undefined;
  customWords: CustomWords;
}

/**
 * The domain at which a project serves: of those that are verified the one that is checked, else the only one.
 *
 * @returns undefined if there is none, or several
 */
export function servingDomain(
  domains: readonly ConnectedDomain[],
  { projectId, checked, customWords }: Serving,
): string | undefined {
  const verified = domains
    .filter((domain) => assignedTo(domain) === projectId)
    .filter((domain) => verificationOf(domain, customWords) === 'good')
    .map(({ hostname }) => hostname.toLowerCase());
  if (checked !== undefined && verified.includes(checked)) return checked;
  const [only, ...others] = verified;
  return others.length === 0 ? only : undefined;
}
