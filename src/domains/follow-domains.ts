import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { limits } from '../contract/limits.ts';
import type { CustomWords } from '../follow/model/status.ts';
import type { Run } from '../frame/step.ts';
import { chunk } from '../kernel/chunk.ts';
import { type SafeText, unsafeText } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import type { Seen } from './apply.ts';
import { assignedTo, describeStatuses, isOpen, verificationOf } from './evaluate.ts';
import { domainLines } from './model/domain-lines.ts';
import { warnOfWords } from './unknown-words.ts';
import { VerificationLooks } from './verification-looks.ts';

/** The domains whose verification is worth following: assigned ones that are neither good nor bad yet. */
function pendingIn(seen: Seen, hostnames: readonly string[], customWords?: CustomWords): string[] {
  return hostnames.filter((hostname) => {
    const domain = seen.get(hostname);
    const isAssigned = domain !== undefined && assignedTo(domain) !== undefined;
    return isAssigned && isOpen(verificationOf(domain, customWords));
  });
}

/** A look at many domains. */
interface StatusLook {
  /** Ask the service to look again itself (section "Connected domains"). */
  revalidate: boolean;
  /** Milliseconds since the following began. */
  elapsed: number;
  /** When the following ends, in milliseconds since the epoch. */
  deadline: number;
  /** Is told each domain as it is seen. */
  onSeen: (domain: ConnectedDomain) => void;
  customWords: CustomWords | undefined;
}

/** Reads the status of many domains, fifty a request, and tells what changed. */
async function look(
  { client, host }: Run,
  hostnames: readonly string[],
  seen: Seen,
  { revalidate, elapsed, deadline, onSeen, customWords }: StatusLook,
): Promise<void> {
  for (const some of chunk(hostnames, limits.statusHostnames.max)) {
    const answered = await client.getDomainStatuses(some, revalidate, { deadline });
    // Each name once, however often the service answers it.
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

/** Looks once. @returns the trouble that it met */
async function tryLook(...looking: Parameters<typeof look>): Promise<ServiceError | undefined> {
  const [{ host }] = looking;
  try {
    await look(...looking);
    return undefined;
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return error;
  }
}

/** The request is not for us, or not as the service wants it: asking again cannot help. */
const isFinal = ({ status }: ServiceError): boolean =>
  status !== undefined && status < 500 && status !== 408 && status !== 429;

/**
 * Follows the verification of many domains together until each is good or bad, or the time is up. Trouble that
 * may pass is waited out.
 *
 * @param how how long in milliseconds, and the words that the workflow adds
 * @returns why it could not be followed to its end; undefined if it could
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
  const looks = new VerificationLooks(host, timeout);
  const { deadline } = looks;
  let trouble: ServiceError | undefined;
  for (;;) {
    const pending = pendingIn(seen, hostnames, customWords);
    if (pending.length === 0) return undefined;
    if (looks.isOver) return trouble?.message;
    const revalidate = await looks.next(signal, trouble);
    const looking = { revalidate, elapsed: looks.elapsed, deadline, onSeen, customWords };
    trouble = await tryLook(run, pending, seen, looking);
    if (trouble !== undefined && isFinal(trouble)) return trouble.message;
  }
}
