import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { type CustomStatuses, noCustomStatuses } from '../follow/model/status.ts';
import type { Host, Run } from '../frame/step.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { formatDuration, sentence } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import {
  assignedTo,
  describeStatuses,
  isOpen,
  unknownStatuses,
  verificationOf,
} from './evaluate.ts';
import { type DomainReport, describeCustomStatus } from './model/connected-domain-report.ts';
import { domainLines } from './result.ts';

/** The most warnings about unknown statuses. */
const mostWarnings = 5;

/** Makes the function that warns once of each unknown status of domains, with the inputs that define it. */
export function warnOfStatuses(
  { report, clean }: Pick<Host, 'report' | 'clean'>,
  customStatuses: CustomStatuses = noCustomStatuses,
): (domain: ConnectedDomain) => void {
  const warned = new Set<string>();
  return (domain) => {
    for (const word of unknownStatuses(domain, customStatuses)) {
      if (warned.has(word) || warned.size === mostWarnings) continue;
      warned.add(word);
      const text = safe`Domain ${clean(domain.hostname)}: ${describeCustomStatus(clean(word))}`;
      report({ type: 'warning', diagnostic: diagnose('SD6111', text) });
    }
  };
}

/** The first pause between two requests, in milliseconds; each pause is twice as long as the one before. */
const firstPause = 300;
/** The longest pause, and the shortest interval between two requests with `revalidate`. */
const longestPause = 5000;

/**
 * When to request the verification of domains (section "Connected domains"): immediately, then with growing pauses, up
 * to every five seconds. `revalidate` is set for the first request and for one every five seconds.
 */
export class VerificationSchedule {
  readonly #host: Host;
  readonly #started: number;
  /** In milliseconds since the epoch. */
  readonly deadline: number;
  #pause = 0;
  /** When the next `revalidate` is due. */
  #due: number;
  /** True if the previous request had `revalidate`. */
  #isRevalidated = false;

  /** @param timeout how long the verification is followed, in milliseconds */
  constructor(host: Host, timeout: number) {
    this.#host = host;
    this.#started = host.clock.now();
    this.#due = this.#started;
    this.deadline = this.#started + timeout;
  }

  /** Milliseconds since the start. */
  get elapsed(): number {
    return this.#host.clock.now() - this.#started;
  }

  get isOver(): boolean {
    return this.#host.clock.now() >= this.deadline;
  }

  /**
   * Waits until the next request is due, at most until the deadline, even if the service requests a longer pause.
   *
   * @param signal ends the pause
   * @param trouble the error of the previous request, which makes the pause longer
   * @returns whether the request has `revalidate`
   */
  async next(signal: AbortSignal, trouble?: ServiceError): Promise<boolean> {
    const { clock } = this.#host;
    const now = clock.now();
    // Counted from the response, because a slow or retried request arrives late.
    if (this.#isRevalidated) this.#due = now + longestPause;
    const untilDue = this.#due - now;
    const ordinary = untilDue > 0 ? Math.min(this.#pause, untilDue) : this.#pause;
    const pause = trouble?.pauseAfter(longestPause) ?? ordinary;
    const at = Math.min(now + pause, this.deadline);
    if (at > now) await clock.sleep(at - now, signal);
    this.#pause = Math.min(longestPause, Math.max(firstPause, this.#pause * 2));
    this.#isRevalidated = at >= this.#due;
    return this.#isRevalidated;
  }
}

/** A domain whose verification was followed. */
interface Verified {
  domain: ConnectedDomain;
  /** Why following it failed, if it did. */
  trouble?: SafeText;
}

/** A domain to follow, and how long. */
export interface Following {
  domain: ConnectedDomain;
  /** False if it comes from the response to a write: then it has to be read before it counts. */
  isRead: boolean;
  /** The project that it was assigned to; following ends when it is assigned elsewhere. */
  projectId: string;
  /** Milliseconds. */
  timeout: number;
  customStatuses: CustomStatuses;
  onRead: (domain: ConnectedDomain) => void;
  /** Ends it early, with the state read last. */
  signal: AbortSignal;
}

/** True if repeating the request can't help. */
export const isFinal = ({ status = 500 }: ServiceError): boolean =>
  status < 500 && ![408, 409, 425, 429].includes(status);

type ReadResult = { domain: ConnectedDomain } | { trouble: ServiceError } | undefined;

/** Reads the domain when the next request is due; undefined if the signal ended it. */
async function readNext(
  { client, host }: Run,
  { domain, signal }: Following,
  schedule: VerificationSchedule,
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

/**
 * Follows a domain's verification until it is good or bad, the domain leaves the project, or the timeout is over.
 * Logs each change. Temporary errors are retried.
 */
export async function followVerification(run: Run, following: Following): Promise<Verified> {
  const { host } = run;
  const { clean } = host;
  const { domain, isRead, projectId, timeout, customStatuses, onRead } = following;
  const schedule = new VerificationSchedule(host, timeout);
  const hostname = clean(domain.hostname);
  let latest = domain;
  let last: ReadResult;
  let logged = safe``;
  for (let isFirst = true; ; isFirst = false) {
    const statuses = clean(describeStatuses(latest));
    const verification = verificationOf(latest, customStatuses);
    if (statuses !== logged) {
      const reported = { hostname, verification, statuses, elapsed: schedule.elapsed };
      host.report({ type: 'lines', entries: domainLines(reported) });
    }
    logged = statuses;
    onRead(latest);
    const isOwn = assignedTo(latest) === projectId;
    const isEnd = (isRead || !isFirst) && !isOpen(verification);
    if (!isOwn || isEnd || schedule.isOver) return { domain: latest };
    last = await readNext(run, following, schedule, last);
    if (last === undefined) return { domain: latest };
    if ('domain' in last) latest = last.domain;
    else if (isFinal(last.trouble)) return { domain: latest, trouble: last.trouble.message };
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
  const isUnknown = preview.unknown !== undefined;
  const unclear = isUnknown ? safe`has an unknown status` : safe`is not known to be verified`;
  const is = verification === 'unclear' ? unclear : safe`is not verified`;
  const how =
    verification === 'bad'
      ? safe`failed its verification`
      : safe`${is} ${timeout === undefined ? safe`yet` : safe`after ${formatDuration(timeout)}`}`;
  const reported =
    errors.length === 0
      ? safe``
      : safe` The service reported: ${joinSafe(errors.map(sentence), ' ')}`;
  const hasRecords = !isUnknown && records.some(({ required }) => required);
  const todo = hasRecords
    ? safe` Create the DNS records in the summary, then rerun the job.`
    : safe``;
  return safe`The domain ${hostname} ${how} (${statuses}).${reported}${todo}`;
}
