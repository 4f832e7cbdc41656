import { readProxies } from '../http/proxies.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { Redact } from '../kernel/text/redact.ts';
import { createSanitize } from '../kernel/text/redact.ts';
import { systemClock } from '../service/clock.ts';
import { createTransport, type Transport } from '../service/http.ts';
import type { Step } from './step.ts';
import { userAgent } from './version.ts';

/** Mistakes in the proxy variables: the service, a check or GitHub may be reached through them. */
export const proxyProblems = ({ environment }: Pick<Step<'projects'>, 'environment'>): Problem[] =>
  Object.values(readProxies(environment)).flatMap((set) => {
    if (set === undefined || set.proxy !== undefined) return [];
    const message =
      'is set in the environment but is not the URL of a proxy, such as http://proxy.example.com:3128';
    return [{ input: set.name, code: 'SD1010', message }];
  });

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
