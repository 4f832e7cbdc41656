import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import {
  describeStatuses,
  type Verification,
  verificationOf,
} from '../../core/preview/domain-state.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Host } from '../host.ts';

/** The service is asked to look again at most every so many milliseconds. */
const interval = 5000;

/** A domain whose verification was followed. */
export interface Verified {
  domain: ConnectedDomain;
  verification: Verification;
}

/** Looks once more after a pause; undefined if that is not possible, which is told, or if the time is up. */
async function lookAgain(
  client: ServiceClient,
  host: Host,
  hostname: string,
  pause: number,
  signal: AbortSignal,
): Promise<ConnectedDomain | undefined> {
  try {
    await host.clock.sleep(pause, signal);
    return await client.getConnectedDomain(hostname, true, signal);
  } catch (error) {
    host.signal.throwIfAborted();
    if (signal.aborted) return undefined;
    if (!(error instanceof ServiceError)) throw error;
    host.report({ type: 'note', text: error.message });
    return undefined;
  }
}

/**
 * Follows a domain's verification until it is good or bad, or the time is up. Each change is told.
 *
 * @param timeout milliseconds
 * @param signal ends it early, with what was seen last
 */
export async function followVerification(
  client: ServiceClient,
  host: Host,
  domain: ConnectedDomain,
  timeout: number,
  signal: AbortSignal,
): Promise<Verified> {
  const { clock, clean } = host;
  const started = clock.now();
  const hostname = clean(domain.hostname);
  const elapsed = () => clock.now() - started;
  let latest = domain;
  let said = '';
  for (;;) {
    const statuses = clean(describeStatuses(latest));
    if (statuses !== said) host.report({ type: 'domain', hostname, statuses, elapsed: elapsed() });
    said = statuses;
    const verification = verificationOf(latest);
    if (verification !== 'pending' || elapsed() >= timeout) return { domain: latest, verification };
    const isFirst = latest === domain;
    const pause = isFirst ? 0 : Math.min(interval, Math.max(0, timeout - elapsed()));
    const next = await lookAgain(client, host, domain.hostname, pause, signal);
    if (next === undefined) return { domain: latest, verification };
    latest = next;
  }
}
