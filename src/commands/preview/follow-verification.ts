import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import {
  assignedTo,
  describeStatuses,
  isOpen,
  type TaughtWords,
  type Verification,
  verificationOf,
} from '../../core/preview/domain-state.ts';
import { type SafeText, safe } from '../../core/text/safe.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Run } from '../run.ts';

/** The service is asked to look again at most every so many milliseconds. */
const interval = 5000;

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
  taught: TaughtWords;
  /** Is told each time how the domain was seen. */
  onSeen: (domain: ConnectedDomain) => void;
  /** Ends it early, with what was seen last. */
  signal: AbortSignal;
}

/** The path is not there or not for us: asking again cannot help. */
const final: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);

type VerificationLook =
  | { domain: ConnectedDomain }
  | { trouble: SafeText; isFinal: boolean }
  | undefined;

/** Looks once more after a pause, at the latest before a deadline; undefined if the time is up. */
async function lookAgain(
  { client, host }: Run,
  { domain, signal }: Following,
  pause: number,
  deadline: number,
): Promise<VerificationLook> {
  // The last look may come sooner than the service may be asked to look again.
  const revalidate = pause === 0 || pause === interval;
  try {
    await host.clock.sleep(pause, signal);
    const bounds = { signal, deadline };
    return { domain: await client.getConnectedDomain(domain.hostname, revalidate, bounds) };
  } catch (error) {
    host.signal.throwIfAborted();
    if (signal.aborted) return undefined;
    if (!(error instanceof ServiceError)) throw error;
    return { trouble: error.message, isFinal: final.has(error.status ?? 0) };
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
  const { clock, clean } = host;
  const { domain, isSeen, projectId, timeout, taught, onSeen } = following;
  const started = clock.now();
  const hostname = clean(domain.hostname);
  const elapsed = () => clock.now() - started;
  let latest = domain;
  let said = safe``;
  for (let looks = 0; ; looks += 1) {
    const statuses = clean(describeStatuses(latest));
    const verification = verificationOf(latest, taught);
    if (statuses !== said) {
      host.report({ type: 'domain', hostname, verification, statuses, elapsed: elapsed() });
    }
    said = statuses;
    onSeen(latest);
    const isOurs = assignedTo(latest) === projectId;
    const isEnd = hasEnded(verification, isSeen || looks > 0);
    if (!isOurs || isEnd || elapsed() >= timeout) return { domain: latest };
    const pause = looks === 0 ? 0 : Math.min(interval, Math.max(0, timeout - elapsed()));
    const look = await lookAgain(run, following, pause, started + timeout);
    if (look === undefined) return { domain: latest };
    if ('domain' in look) latest = look.domain;
    else if (look.isFinal) return { domain: latest, trouble: look.trouble };
  }
}
