import type { ConnectedDomain } from '../contract/connected-domain.ts';
import type { CustomWords } from '../follow/model/status.ts';
import type { Run } from '../frame/step.ts';
import { formatDuration } from '../kernel/text/duration.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { sentence } from '../kernel/text/sentence.ts';
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
  /** Why it could not be followed to its end; absent if it could. */
  trouble?: SafeText;
}

/** A domain to follow, and how long. */
export interface Following {
  domain: ConnectedDomain;
  /** False if it is only what a write was answered with: then a look has to show the same. */
  isSeen: boolean;
  /** The project that it was assigned to; once it is not, there is nothing to follow. */
  projectId: string;
  /** Milliseconds. */
  timeout: number;
  /** Words that the workflow adds to the tables. */
  customWords: CustomWords;
  /** Is told each time how the domain was seen. */
  onSeen: (domain: ConnectedDomain) => void;
  /** Ends it early, with what was seen last. */
  signal: AbortSignal;
}

/** The path is not there or not for us: asking again cannot help. */
const final: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);

type Look = { domain: ConnectedDomain } | { trouble: ServiceError } | undefined;

/** Looks once more when it is time to; undefined if the time is up. */
async function lookAgain(
  { client, host }: Run,
  { domain, signal }: Following,
  looks: VerificationLooks,
  before: Look,
): Promise<Look> {
  const trouble = before !== undefined && 'trouble' in before ? before.trouble : undefined;
  try {
    const revalidate = await looks.next(signal, trouble);
    const bounds = { signal, deadline: looks.deadline };
    return { domain: await client.getConnectedDomain(domain.hostname, revalidate, bounds) };
  } catch (error) {
    host.signal.throwIfAborted();
    if (signal.aborted) return undefined;
    if (!(error instanceof ServiceError)) throw error;
    return { trouble: error };
  }
}

/** True once a verification that a look has shown is good or bad. */
const hasEnded = (verification: Verification, isSeen: boolean): boolean =>
  isSeen && !isOpen(verification);

/**
 * Follows a domain's verification until it is good or bad, it is taken off the project, or the time is up.
 * Each change is told. Trouble that may pass is waited out.
 */
export async function followVerification(run: Run, following: Following): Promise<Verified> {
  const { host } = run;
  const { clean } = host;
  const { domain, isSeen, projectId, timeout, customWords, onSeen } = following;
  const looks = new VerificationLooks(host, timeout);
  const hostname = clean(domain.hostname);
  let latest = domain;
  let look: Look;
  let said = safe``;
  for (let isFirst = true; ; isFirst = false) {
    const statuses = clean(describeStatuses(latest));
    const verification = verificationOf(latest, customWords);
    if (statuses !== said) {
      const seen = { hostname, verification, statuses, elapsed: looks.elapsed };
      host.report({ type: 'lines', entries: domainLines(seen) });
    }
    said = statuses;
    onSeen(latest);
    const isOurs = assignedTo(latest) === projectId;
    const isEnd = hasEnded(verification, isSeen || !isFirst);
    if (!isOurs || isEnd || looks.isOver) return { domain: latest };
    look = await lookAgain(run, following, looks, look);
    if (look === undefined) return { domain: latest };
    if ('domain' in look) latest = look.domain;
    else if (final.has(look.trouble.status ?? 0)) {
      return { domain: latest, trouble: look.trouble.message };
    }
  }
}

/**
 * Why a preview is not verified, and what to do; undefined if it is.
 *
 * @param timeout how long it was followed, in milliseconds; undefined while it is
 */
export function describePending(
  preview: DomainReport,
  timeout: number | undefined,
): SafeText | undefined {
  const { hostname, verification, records, errors, trouble } = preview;
  if (verification === 'good') return undefined;
  const statuses =
    preview.statuses === '' ? safe`the service shows no status of it` : preview.statuses;
  if (trouble !== undefined) {
    return safe`The verification of ${hostname} could not be followed (last seen: ${statuses}). ${trouble}`;
  }
  const is = verification === 'unclear' ? safe`is not known to be verified` : safe`is not verified`;
  const how =
    verification === 'bad'
      ? safe`failed its verification`
      : safe`${is} ${timeout === undefined ? safe`yet` : safe`after ${formatDuration(timeout)}`}`;
  const said =
    errors.length === 0 ? safe`` : safe` The service says: ${joinSafe(errors.map(sentence), ' ')}`;
  const wanted = records
    .filter(({ required }) => required)
    .map(({ type, name, value }) => safe`${type} ${name} → ${value}`);
  const make =
    wanted.length === 0 ? safe`` : safe` It needs these DNS records: ${joinSafe(wanted, '; ')}.`;
  return safe`The domain ${hostname} ${how} (${statuses}).${said}${make}`;
}
