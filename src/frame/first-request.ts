import { isLoopback } from '../contract/base-url.ts';
import type { Inputs } from '../inputs/input.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { Redact } from '../kernel/text/redact.ts';
import { createSanitize } from '../kernel/text/redact.ts';
import { systemClock } from '../service/clock.ts';
import { createTransport, type Transport } from '../service/http.ts';
import type { Prefetch } from '../service/prefetch.ts';
import type { Step } from './step.ts';
import { userAgent } from './version.ts';

const proxyVariables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

/** Mistakes in the proxy variables, if they are used to reach the service. */
export function proxyProblems({
  inputs,
  environment,
}: Pick<Step<'projects'>, 'environment'> & { inputs: Inputs<{ 'base-url': string }> }): Problem[] {
  const baseUrl = inputs.get('base-url');
  if (baseUrl === undefined || isLoopback(new URL(baseUrl))) return [];
  const wrong = proxyVariables.filter((name) => {
    const value = environment[name] ?? '';
    return value !== '' && !/^(https?|socks5?):$/.test(URL.parse(value)?.protocol ?? '');
  });
  const message =
    'is set in the environment but is not a URL such as http://proxy.example.com:3128';
  return wrong.map((input) => ({ input, code: 'SD1010', message }));
}

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
export async function beginFirstRequest(
  transport: Transport,
  request: Prefetch | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (request !== undefined && !signal.aborted) await transport.begin({ ...request, signal });
}
