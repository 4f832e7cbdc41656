import { createRedact, createSanitize } from '../../kernel/text/redact.ts';
import { createClient } from '../../service/client.ts';
import { systemClock } from '../../service/clock.ts';
import { userAgent } from '../../step/version.ts';

/** The longest time in which a request is repeated, in milliseconds. */
const longest = 30_000;

/** Opens the service for a few reads. Disposing closes it. */
export function openReader(baseUrl: string, apiKey: string, signal: AbortSignal) {
  const client = createClient({
    baseUrl,
    apiKey,
    userAgent,
    clean: createSanitize(createRedact([apiKey])),
    clock: systemClock,
    random: Math.random,
    deadline: Date.now() + longest,
    signal,
  });
  return { client, [Symbol.asyncDispose]: () => client.close() };
}
