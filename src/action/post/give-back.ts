import { giveBack, type Moved, whyNotBack } from '../../blue-green/move-domain.ts';
import { explainError } from '../../frame/ending.ts';
import type { AccessValues } from '../../frame/first-request.ts';
import type { Redact } from '../../kernel/text/redact.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { Log, RunContext, Save } from '../../platform.ts';
import { openService } from '../service.ts';

/** The time limit, in milliseconds: the runner doesn't wait long. */
const longest = 20_000;

/** Moves domains back to the project that served them, after the step that was moving them was killed. */
export async function giveDomainsBack(
  moved: Moved,
  values: AccessValues,
  { identity }: RunContext,
  { log, redact, save }: { log: Log; redact: Redact; save: Save },
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
    save,
  });
  const { from, to, domains } = moved;
  const why = await whyNotBack(service, moved);
  if (why !== undefined) {
    return safe`The domains were moved to ${unsafeText(to)} and not moved back, because another run or a user moved the preview's domain.`;
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
      safe`${unsafeText(hostname)} was not: ${now === 'taken' ? safe`another run or a user moved it.` : now}`,
    );
  }
  const given = safe`The domains were moved back to ${unsafeText(from)}`;
  return lost.length === 0 ? safe`${given}.` : safe`${given}, but ${unsafeText(lost.join(' '))}`;
}
