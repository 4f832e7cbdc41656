import type { Redact } from '../kernel/text/redact.ts';
import { createSanitize } from '../kernel/text/sanitize.ts';
import { systemClock } from '../service/clock.ts';
import { createTransport, type Transport } from '../service/http.ts';
import type { Prefetch } from '../service/prefetch.ts';
import { userAgent } from './version.ts';

/** The inputs that say how to reach the service. */
export interface AccessValues {
  'base-url': string;
  'api-key': string;
}

/** Opens the way to the service. */
export function openTransport(
  { 'base-url': baseUrl, 'api-key': apiKey }: AccessValues,
  redact: Redact,
): Transport {
  const clean = createSanitize(redact);
  return createTransport({ baseUrl, apiKey, userAgent, clock: systemClock, clean });
}

/**
 * Sends a run's first look, if it has one.
 *
 * @returns once it is written, so that what is loaded then is loaded while the service answers
 */
export async function beginLook(
  transport: Transport,
  look: Prefetch | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (look !== undefined && !signal.aborted) await transport.begin({ ...look, signal });
}
