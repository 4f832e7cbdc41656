import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { limits } from '../contract/limits.ts';
import type { CustomStatuses } from '../follow/model/status.ts';
import { formatDuration, sentence } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import type { CallBounds } from '../service/call.ts';
import type { Clock } from '../service/clock.ts';
import { ServiceError } from '../service/errors.ts';
import type { Host, Run } from '../step/step.ts';
import { assignedTo, describeStatuses, isOpen, verificationOf } from './evaluate.ts';
import { chunk } from './model/availability.ts';
import type { DomainReport } from './model/connected-domain-report.ts';
import { domainLines } from './result.ts';

/** The domains of a run as last read, by hostname. */
export type KnownDomains = Map<string, ConnectedDomain>;

/** The domains to follow, and how. */
interface Following {
  hostnames: readonly string[];
  /** Updated by each read; a domain that is missing is not followed. */
  known: KnownDomains;
  /** Those whose state comes from the response to a write: they have to be read before they count. Each read removes some. */
  unread: Set<string>;
  /** The project that they were assigned to: following one ends when it is assigned elsewhere. Undefined: any. */
  projectId: string | undefined;
  /** Milliseconds. */
  timeout: number;
  customStatuses: CustomStatuses | undefined;
  /** Reads up to fifty of them; `revalidate` has the service check them again. */
  read: (
    hostnames: readonly string[],
    revalidate: boolean,
    bounds: CallBounds,
  ) => Promise<KnownDomains>;
  onRead: (domain: ConnectedDomain) => void;
  /** Ends it early. */
  signal: AbortSignal;
}

/**
 * Follows the verification of domains (section "Connected domains") until each is good or bad or has left its project,
 * or the timeout is over. Logs each change. Temporary errors are retried.
 *
 * @returns the error that ended it, or the last one if the timeout is over; undefined if there is none
 */
export async function followDomains(
  { host }: Run,
  following: Following,
): Promise<ServiceError | undefined> {
  const { hostnames, signal } = following;
  const started = host.clock.now();
  const deadline = started + following.timeout;
  const schedule = new Schedule(host.clock, deadline);
  let trouble: ServiceError | undefined;
  while (trouble === undefined || !isFinal(trouble)) {
    const open = hostnames.filter((hostname) => isFollowed(hostname, following));
    if (open.length === 0 || host.clock.now() >= deadline) return trouble;
    try {
      const revalidate = await schedule.next(signal, trouble);
      await readDomains(host, open, following, { revalidate, started, deadline });
      trouble = undefined;
    } catch (error) {
      host.signal.throwIfAborted();
      if (signal.aborted) return undefined;
      if (!(error instanceof ServiceError)) throw error;
      trouble = error;
    }
  }
  return trouble;
}

/** True if a domain's verification may still change. */
function isFollowed(
  hostname: string,
  { known, unread, projectId, customStatuses }: Following,
): boolean {
  const domain = known.get(hostname);
  const assigned = domain && assignedTo(domain);
  if (domain === undefined || assigned === undefined) return false;
  if (projectId !== undefined && assigned !== projectId) return false;
  return unread.has(hostname) || isOpen(verificationOf(domain, customStatuses));
}

/** Reads domains, fifty per request, and logs changes. */
async function readDomains(
  host: Host,
  hostnames: readonly string[],
  { known, unread, customStatuses, read, onRead, signal }: Following,
  { revalidate, started, deadline }: { revalidate: boolean; started: number; deadline: number },
): Promise<void> {
  for (const some of chunk(hostnames, limits.statusHostnames.max)) {
    const answers = await read(some, revalidate, { signal, deadline });
    for (const hostname of some) {
      const domain = answers.get(hostname);
      if (domain === undefined) continue;
      const reported = { hostname: host.clean(hostname), elapsed: host.clock.now() - started };
      logState(host, reported, known.get(hostname), domain, customStatuses);
      known.set(hostname, domain);
      unread.delete(hostname);
      onRead(domain);
    }
  }
}

/** Logs the state of a domain's verification, unless its statuses are those before; at the start: none. */
function logState(
  { report, clean }: Host,
  reported: { hostname: SafeText; elapsed: number },
  before: ConnectedDomain | undefined,
  domain: ConnectedDomain,
  customStatuses: CustomStatuses | undefined,
): void {
  const statuses = clean(describeStatuses(domain));
  if (statuses === (before === undefined ? '' : clean(describeStatuses(before)))) return;
  const verification = verificationOf(domain, customStatuses);
  report({ type: 'lines', entries: domainLines({ ...reported, verification, statuses }) });
}

/** The first pause between two requests, in milliseconds; each pause is twice as long as the one before. */
const firstPause = 300;
/** The longest pause, and the shortest interval between two requests with `revalidate`. */
const longestPause = 5000;

/** When to request the verification of domains: immediately, then with growing pauses, up to every five seconds. */
class Schedule {
  readonly #clock: Clock;
  readonly #deadline: number;
  #pause = 0;
  /** When the next `revalidate` is due: at first, and then every five seconds. */
  #due: number;
  /** True if the previous request had `revalidate`. */
  #isRevalidated = false;

  constructor(clock: Clock, deadline: number) {
    this.#clock = clock;
    this.#deadline = deadline;
    this.#due = clock.now();
  }

  /**
   * Waits until the next request is due, at most until the deadline, even if the service requests a longer pause.
   *
   * @param signal ends the pause
   * @param trouble the error of the previous request, which makes the pause longer
   * @returns whether the request has `revalidate`
   */
  async next(signal: AbortSignal, trouble: ServiceError | undefined): Promise<boolean> {
    const now = this.#clock.now();
    // Counted from the response, because a slow or retried request arrives late.
    if (this.#isRevalidated) this.#due = now + longestPause;
    const ordinary = this.#due > now ? Math.min(this.#pause, this.#due - now) : this.#pause;
    const at = Math.min(now + (trouble?.pauseAfter(longestPause) ?? ordinary), this.#deadline);
    if (at > now) await this.#clock.sleep(at - now, signal);
    this.#pause = Math.min(longestPause, Math.max(firstPause, this.#pause * 2));
    this.#isRevalidated = at >= this.#due;
    return this.#isRevalidated;
  }
}

/** True if repeating the request can't help. */
const isFinal = ({ status = 500 }: ServiceError): boolean =>
  status < 500 && ![408, 409, 425, 429].includes(status);

/** A preview's domain to follow. */
interface FollowedPreview
  extends Pick<Following, 'timeout' | 'customStatuses' | 'onRead' | 'signal'> {
  domain: ConnectedDomain;
  isRead: boolean;
  projectId: string;
}

/**
 * Follows the verification of a preview's domain as {@link followDomains} does, and logs its state at the start.
 *
 * @returns why following it failed, if it did
 */
export async function followVerification(
  run: Run,
  { domain, isRead, ...following }: FollowedPreview,
): Promise<SafeText | undefined> {
  const { host, client } = run;
  const { hostname } = domain;
  const reported = { hostname: host.clean(hostname), elapsed: 0 };
  logState(host, reported, undefined, domain, following.customStatuses);
  const error = await followDomains(run, {
    ...following,
    hostnames: [hostname],
    known: new Map([[hostname, domain]]),
    unread: new Set(isRead ? [] : [hostname]),
    read: async (_, revalidate, bounds) =>
      new Map([[hostname, await client.readConnectedDomain(hostname, revalidate, bounds)]]),
  });
  return error && isFinal(error) ? error.message : undefined;
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
