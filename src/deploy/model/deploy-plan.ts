import { connectionLines } from '../../domains/model/domains-plan.ts';
import type { DeployReport } from '../../release/report.ts';
import { type PlanView, renderPlan } from '../../report/plan.ts';
import { planOfVariables } from '../../variables/model/environment-plan.ts';
import { renderBesidePlan } from '../../variables/model/environment-section.ts';

/**
 * What a plan would change: variables, and the preview's domain; nothing if the run was no plan.
 *
 * @param most how many names of variables that are left as they are
 */
export function showPlan(
  { environment, otherChanges = [] }: DeployReport,
  { most, ...view }: PlanView & { most: number },
): string[] {
  if (environment?.isPlanned !== true) return [];
  const domains = Map.groupBy(otherChanges, ({ name }) => name);
  const groups = [
    planOfVariables(environment),
    ...Array.from(domains, ([title, some]) => ({ title, lines: connectionLines(title, some) })),
  ];
  return [...renderPlan(groups, view), ...renderBesidePlan(environment, most)];
}
