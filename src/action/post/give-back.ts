import { giveBack, type Moved, whyNotBack } from '../../blue-green/move-domain.ts';
import { explainError } from '../../frame/ending.ts';
import type { AccessValues } from '../../frame/first-request.ts';
import type { Log } from '../../github/log.ts';
import type { RunContext } from '../../github/runner.ts';
import type { Redact } from '../../kernel/text/redact.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import { openService } from '../service.ts';

/** How long that may take: the runner does not wait long, in milliseconds. */
const longest = 20_000;

/** Gives domains back to the project that served them, after the step that was moving them was killed. */
export async function giveDomainsBack(
  moved: Moved,
  values: AccessValues,
  { identity }: RunContext,
  { log, redact }: { log: Log; redact: Redact },
): Promise<SafeText> {
  const bounds = {
    signal: AbortSignal.timeout(longest),
    deadline: Date.now() + longest,
    [Symbol.dispose]: () => undefined,
  };
  await using service = openService({
    values,
    transport: undefined,
    log,
    redact,
    bounds,
    identity,
  });
  const { from, to, domains } = moved;
  const why = await whyNotBack(service, moved);
  if (why !== undefined) {
    return safe`The domains were moved to ${unsafeText(to)}, and not given back: ${why.diagnostic.text}`;
  }
  let operations = 0;
  const keyFor = (operation: string, target: string) => {
    operations += 1;
    return service.keyFor(operation, `${target} post ${operations}`);
  };
  const lost: SafeText[] = [];
  for (const hostname of domains) {
    const move = { hostname, from, to };
    const now = await giveBack({ ...service, keyFor }, move, from).catch(
      (error: unknown) => explainError(error, service.host.clean).text,
    );
    if (now === 'there' || now === 'back') continue;
    lost.push(
      safe`${unsafeText(hostname)} is not: ${now === 'taken' ? safe`somebody else has moved it.` : now}`,
    );
  }
  const given = safe`The domains that were being moved were given back to ${unsafeText(from)}`;
  return lost.length === 0 ? safe`${given}.` : safe`${given}, but ${unsafeText(lost.join(' '))}`;
}
