import { listNames } from '../kernel/text/list-names.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import type { SwapRequest } from '../release/model/report.ts';
import type { Statement } from '../report/explain/explanation.ts';

/** Which of the two projects is deployed to. */
export const describeIdle = ({ projects, domains }: SwapRequest): SafeText =>
  safe`The one of ${listNames(projects, unsafeText)} that serves none of ${listNames(domains, unsafeText)}; the first, if neither does.`;

/** Explains when the domains move. @param hostname where the idle project is checked before */
export function explainSwap(swap: SwapRequest, hostname: string, clean: Sanitize): Statement {
  const gets = safe`it gets ${listNames(swap.domains, unsafeText)}`;
  return {
    about: safe`Domains`,
    does:
      swap.checks === undefined
        ? safe`Once it is deployed, ${gets}.`
        : safe`Once it is deployed and its checks hold at ${clean(hostname)}, ${gets}. If the checks fail there, that is undone.`,
  };
}
