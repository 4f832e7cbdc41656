import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { limits } from '../contract/limits.ts';
import type { CustomWords } from '../follow/model/status.ts';
import type { Run } from '../frame/step.ts';
import { type SafeText, unsafeText } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import type { Seen } from './apply.ts';
import { assignedTo, describeStatuses, isOpen, verificationOf } from './evaluate.ts';
import { chunk } from './model/availability.ts';
import { domainLines } from './model/domain-lines.ts';
import { warnOfWords } from './unknown-words.ts';
import { VerificationLooks } from './verification-looks.ts';

/** The assigned domains whose verification is not complete. */
function pendingIn(seen: Seen, hostnames: readonly string[], customWords?: CustomWords): string[] {
  return hostnames.filter((hostname) => {
    const domain = seen.get(hostname);
    const isAssigned = domain !== undefined && assignedTo(domain) !== undefined;
    return isAssigned && isOpen(verificationOf(domain, customWords));
  });
}

/** A status request for many domains. */
interface StatusRequest {
  /** Has the service check the domains again (section "Connected domains"). */
  revalidate: boolean;
  /** Milliseconds since the start. */
  elapsed: number;
  /** In milliseconds since the epoch. */
  deadline: number;
  onSeen: (domain: ConnectedDomain) => void;
  customWords: CustomWords | undefined;
}

/** Reads the statuses of many domains, fifty per request, and logs changes. */
async function readStatuses(
  { client, host }: Run,
  hostnames: readonly string[],
  seen: Seen,
  { revalidate, elapsed, deadline, onSeen, customWords }: StatusRequest,
): Promise<void> {
  for (const some of chunk(hostnames, limits.statusHostnames.max)) {
    const answered = await client.readConnectedDomainStatuses(some, revalidate, { deadline });
    // Each name once, even if the response has it several times.
    const byName = new Map(answered.map((domain) => [domain.hostname.toLowerCase(), domain]));
    for (const hostname of some) {
      const domain = byName.get(hostname);
      if (domain === undefined) continue;
      const before = seen.get(hostname);
      const statuses = host.clean(describeStatuses(domain));
      if (before === undefined || host.clean(describeStatuses(before)) !== statuses) {
        const verification = verificationOf(domain, customWords);
        const seenDomain = { hostname: unsafeText(hostname), verification, statuses, elapsed };
        host.report({ type: 'lines', entries: domainLines(seenDomain) });
      }
      seen.set(hostname, domain);
      onSeen(domain);
    }
  }
}

/** @returns the error of the request, if it failed */
async function tryReadStatuses(
  ...args: Parameters<typeof readStatuses>
): Promise<ServiceError | undefined> {
  const [{ host }] = args;
  try {
    await readStatuses(...args);
    return undefined;
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return error;
  }
}

/** True if repeating the request can't help: it is invalid or not permitted. */
const isFinal = ({ status }: ServiceError): boolean =>
  status !== undefined && status < 500 && status !== 408 && status !== 429;

/**
 * Follows the verification of many domains until each is good or bad, or the timeout is over. Temporary errors are
 * retried.
 *
 * @returns the error that ended it early, if any
 */
export async function followDomains(
  run: Run,
  hostnames: readonly string[],
  seen: Seen,
  { timeout, customWords }: { timeout: number; customWords: CustomWords | undefined },
): Promise<SafeText | undefined> {
  const { host } = run;
  const { see: onSeen } = warnOfWords(host, customWords);
  const { signal } = host;
  const schedule = new VerificationLooks(host, timeout);
  const { deadline } = schedule;
  let trouble: ServiceError | undefined;
  for (;;) {
    const pending = pendingIn(seen, hostnames, customWords);
    if (pending.length === 0) return undefined;
    if (schedule.isOver) return trouble?.message;
    const revalidate = await schedule.next(signal, trouble);
    const { elapsed } = schedule;
    const request = { revalidate, elapsed, deadline, onSeen, customWords };
    trouble = await tryReadStatuses(run, pending, seen, request);
    if (trouble !== undefined && isFinal(trouble)) return trouble.message;
  }
}
