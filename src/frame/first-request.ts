import type { Redact } from '../kernel/text/redact.ts';
import { createSanitize } from '../kernel/text/sanitize.ts';
import { systemClock } from '../service/clock.ts';
import { createTransport, type Transport } from '../service/http.ts';
import type { Prefetch } from '../service/prefetch.ts';
import { userAgent } from './version.ts';

/** The inputs with the service's address and key. */
export interface AccessValues {
  'base-url': string;
  'api-key': string;
}

/** Opens the transport to the service. */
export function openTransport(
  { 'base-url': baseUrl, 'api-key': apiKey }: AccessValues,
  redact: Redact,
): Transport {
  const clean = createSanitize(redact);
  return createTransport({ baseUrl, apiKey, userAgent, clock: systemClock, clean });
}

/**
 * Sends a run's first request, if it is known.
 *
 * @returns once it is written, so that modules can be loaded while the service responds
 */
export async function beginLook(
  transport: Transport,
  look: Prefetch | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (look !== undefined && !signal.aborted) await transport.begin({ ...look, signal });
}
