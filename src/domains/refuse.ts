import { EarlyEnd, type Host } from '../frame/host.ts';
import { coded } from '../kernel/catalogue/coded.ts';
import { refusePlan } from '../kernel/gate.ts';
import { joinSafe, type SafeText, safe, shorten } from '../kernel/text/safe.ts';
import type { measurePlan } from './describe-plan.ts';
import type { DomainsRequest } from './domains.ts';
import type { RecordMemory } from './memory.ts';
import { type DomainsPlan, planProblems } from './model/plan-domains.ts';
import { refuseUndeclared } from './model/undeclared.ts';

/** The longest that a list of problems may be, in characters: it becomes one annotation. */
const longestProblems = 3500;

/** What is said where a site file is not merged that would change something. */
const unmerged = coded(
  'SD6106',
  safe`Nothing was changed: the site file of a pull request, or of any run of code that is not merged, must not change domains. Show its plan with mode: plan and apply it after the merge, or set allow-production: true.`,
);

/** Why a plan is not applied, and whether it even fails where it is only shown. */
export interface Refusal {
  end: EarlyEnd;
  failsPlan: boolean;
  /** The reason as it stands beside the plan; absent: that of the end. */
  short?: SafeText;
}

const refusal = (end: EarlyEnd, failsPlan: boolean): Refusal => ({ end, failsPlan });

/** Why the plan cannot, or must not, be applied; undefined if it may. */
export function whyRefused(
  host: Host,
  { planOnly, guarded, gates, replaceUndeclared = false }: DomainsRequest,
  plan: DomainsPlan,
  { problem }: RecordMemory,
  gated: ReturnType<typeof measurePlan> & { digest: string },
): Refusal | undefined {
  const problems = planProblems(plan);
  if (problems.length > 0) {
    const said = joinSafe(
      problems.map((problem) => host.clean(problem)),
      '; ',
    );
    const all = shorten(said, longestProblems);
    return refusal(
      new EarlyEnd('failed', coded('SD6105', safe`Nothing was changed: ${all}`)),
      true,
    );
  }
  if (guarded && !planOnly && gated.changed + gated.settings > 0) {
    return refusal(new EarlyEnd('failed', unmerged), false);
  }
  const replaced = replaceUndeclared ? undefined : refuseUndeclared(plan, problem, host.cleanLine);
  if (replaced !== undefined) {
    const { message, short } = replaced;
    return {
      end: new EarlyEnd('failed', coded('SD6110', safe`Nothing was changed: ${message}`)),
      failsPlan: false,
      short,
    };
  }
  const stopped = refusePlan(gated, gates);
  return stopped && refusal(new EarlyEnd(stopped.outcome, stopped.message), false);
}
