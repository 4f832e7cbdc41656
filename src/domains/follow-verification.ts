import type { ConnectedDomain } from '../contract/connected-domain.ts';
import type { CustomWords } from '../follow/model/status.ts';
import type { Run } from '../frame/step.ts';
import { formatDuration, sentence } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import {
  assignedTo,
  describeStatuses,
  isOpen,
  type Verification,
  verificationOf,
} from './evaluate.ts';
import type { DomainReport } from './model/connected-domain-report.ts';
import { domainLines } from './model/domain-lines.ts';
import { VerificationLooks } from './verification-looks.ts';

/** A domain whose verification was followed. */
export interface Verified {
  domain: ConnectedDomain;
  /** Why following it failed, if it did. */
  trouble?: SafeText;
}

/** A domain to follow, and how long. */
export interface Following {
  domain: ConnectedDomain;
  /** False if it comes from the response to a write: then it has to be read before it counts. */
  isSeen: boolean;
  /** The project that it was assigned to; following ends when it is assigned elsewhere. */
  projectId: string;
  /** Milliseconds. */
  timeout: number;
  customWords: CustomWords;
  onSeen: (domain: ConnectedDomain) => void;
  /** Ends it early, with the state read last. */
  signal: AbortSignal;
}

/** Statuses after which repeating the request can't help. */
const final: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);

type ReadResult = { domain: ConnectedDomain } | { trouble: ServiceError } | undefined;

/** Reads the domain when the next request is due; undefined if the signal ended it. */
async function readNext(
  { client, host }: Run,
  { domain, signal }: Following,
  schedule: VerificationLooks,
  before: ReadResult,
): Promise<ReadResult> {
  const trouble = before !== undefined && 'trouble' in before ? before.trouble : undefined;
  try {
    const revalidate = await schedule.next(signal, trouble);
    const bounds = { signal, deadline: schedule.deadline };
    return { domain: await client.readConnectedDomain(domain.hostname, revalidate, bounds) };
  } catch (error) {
    host.signal.throwIfAborted();
    if (signal.aborted) return undefined;
    if (!(error instanceof ServiceError)) throw error;
    return { trouble: error };
  }
}

/** True once a verification that was read is good or bad. */
const hasEnded = (verification: Verification, isSeen: boolean): boolean =>
  isSeen && !isOpen(verification);

/**
 * Follows a domain's verification until it is good or bad, the domain leaves the project, or the timeout is over.
 * Logs each change. Temporary errors are retried.
 */
export async function followVerification(run: Run, following: Following): Promise<Verified> {
  const { host } = run;
  const { clean } = host;
  const { domain, isSeen, projectId, timeout, customWords, onSeen } = following;
  const schedule = new VerificationLooks(host, timeout);
  const hostname = clean(domain.hostname);
  let latest = domain;
  let last: ReadResult;
  let logged = safe``;
  for (let isFirst = true; ; isFirst = false) {
    const statuses = clean(describeStatuses(latest));
    const verification = verificationOf(latest, customWords);
    if (statuses !== logged) {
      const seen = { hostname, verification, statuses, elapsed: schedule.elapsed };
      host.report({ type: 'lines', entries: domainLines(seen) });
    }
    logged = statuses;
    onSeen(latest);
    const isOurs = assignedTo(latest) === projectId;
    const isEnd = hasEnded(verification, isSeen || !isFirst);
    if (!isOurs || isEnd || schedule.isOver) return { domain: latest };
    last = await readNext(run, following, schedule, last);
    if (last === undefined) return { domain: latest };
    if ('domain' in last) latest = last.domain;
    else if (final.has(last.trouble.status ?? 0)) {
      return { domain: latest, trouble: last.trouble.message };
    }
  }
}

/**
 * Why a preview is not verified, and what to do; undefined if it is verified.
 *
 * @param timeout how long it was followed, in milliseconds; undefined if it still is
 */
export function describePending(
  preview: DomainReport,
  timeout: number | undefined,
): SafeText | undefined {
  const { hostname, verification, records, errors, trouble } = preview;
  if (verification === 'good') return undefined;
  const statuses = preview.statuses === '' ? safe`no status reported` : preview.statuses;
  if (trouble !== undefined) {
    return safe`Following the verification of ${hostname} failed (last status: ${statuses}). ${trouble}`;
  }
  const is = verification === 'unclear' ? safe`is not known to be verified` : safe`is not verified`;
  const how =
    verification === 'bad'
      ? safe`failed its verification`
      : safe`${is} ${timeout === undefined ? safe`yet` : safe`after ${formatDuration(timeout)}`}`;
  const reported =
    errors.length === 0
      ? safe``
      : safe` The service reported: ${joinSafe(errors.map(sentence), ' ')}`;
  const wanted = records
    .filter(({ required }) => required)
    .map(({ type, name, value }) => safe`${type} ${name} → ${value}`);
  const required =
    wanted.length === 0 ? safe`` : safe` Required DNS records: ${joinSafe(wanted, '; ')}.`;
  return safe`The domain ${hostname} ${how} (${statuses}).${reported}${required}`;
}
