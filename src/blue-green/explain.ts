import { listNames } from '../kernel/names.ts';
import { type SafeText, type Sanitize, safe, unsafeText } from '../kernel/text/safe.ts';
import type { SwapRequest } from '../release/model/report.ts';
import type { Statement } from '../report/explanation.ts';

/** Which of the two projects is deployed to. */
export const describeIdle = ({ projects, domains }: SwapRequest): SafeText =>
  safe`The one of ${listNames(projects, unsafeText)} that serves none of ${listNames(domains, unsafeText)}; the first if neither serves any.`;

/** @param hostname where the idle project is checked before the domains move */
export function explainSwap(swap: SwapRequest, hostname: string, clean: Sanitize): Statement {
  const move = safe`the project gets ${listNames(swap.domains, unsafeText)}`;
  return {
    about: safe`Domains`,
    does:
      swap.checks === undefined
        ? safe`After the deployment, ${move}.`
        : safe`After the deployment and passing checks at ${clean(hostname)}, ${move}. If the checks then fail, the move is rolled back.`,
  };
}
