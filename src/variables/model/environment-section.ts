import { type SafeText, shorten } from '../../kernel/text/safe.ts';
import { codeCell, cutTable, plain } from '../../report/markdown.ts';
import { type PlanView, planInSummary, renderPlan } from '../../report/plan.ts';
import { listUndeclared, planOfVariables } from './environment-plan.ts';
import {
  describeOutcome,
  describeWhere,
  type EnvironmentResult,
  type VariableResult,
} from './environment-result.ts';
import { describeRuntimes } from './runtime.ts';

/** The most rows of a table, and characters of a reason: a summary stays far below the 1 MiB that GitHub takes. */
const maxInSummary = 200;
const longestReason = 200;

const why = (reason: SafeText): string => plain(shorten(reason, longestReason));

function whatHappened({ outcome, targets, retargeted }: VariableResult): string {
  const word = `${describeOutcome(outcome, false)}${describeWhere(targets)}`;
  return !retargeted || outcome === 'retargeted' ? word : `${word}, retargeted`;
}

/** The unchanged variables, folded: worth having, not worth reading each time. */
function unchanged({ variables }: EnvironmentResult, most: number): string[] {
  const rows = variables
    .filter(({ outcome }) => outcome === 'unchanged')
    .map(({ name, reason }) => [codeCell(name), why(reason)]);
  if (rows.length === 0) return [];
  const title = `${rows.length} unchanged`;
  return [
    `<details><summary>${title}</summary>\n\n${cutTable(['Variable', 'Why'], rows, most)}\n\n</details>`,
  ];
}

function runtimes(result: EnvironmentResult): string[] {
  const lines = describeRuntimes(result).map((line) => `- ${plain(line)}`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

/** What stands below a plan: what is not declared, and what stays as it is. */
export function renderBesidePlan(result: EnvironmentResult, most: number): string[] {
  return [...listUndeclared(result, most), ...unchanged(result, most)];
}

/** How a sync is shown. */
export interface EnvironmentView extends Partial<PlanView> {
  /** How many rows a table has at most. */
  most?: number;
  /** True if a deployment followed: then the runtimes are no longer as the sync left them. */
  isDeployed?: boolean;
}

/** What somebody has to look at comes first, so that it is never cut. */
const urgency = ['conflict', 'failed', 'not-reached', 'kept'];

const byUrgency = (a: VariableResult, b: VariableResult): number =>
  (urgency.indexOf(a.outcome) + 1 || urgency.length + 1) -
  (urgency.indexOf(b.outcome) + 1 || urgency.length + 1);

/**
 * A sync, or the plan of one, in GitHub-flavoured Markdown: what happened to each variable, and why. Nothing if there is
 * nothing to tell.
 */
export function renderEnvironment(result: EnvironmentResult, view: EnvironmentView = {}): string[] {
  const { most = maxInSummary, isDeployed = false } = view;
  if (result.isPlanned) {
    const plan = renderPlan([planOfVariables(result)], { ...planInSummary, ...view });
    return [...plan, ...renderBesidePlan(result, most)];
  }
  const { variables, ambiguous, undeclared, requiredMissing } = result;
  const missing = new Set(requiredMissing);
  const rows = [
    ...ambiguous.map(({ name, reason }) => [codeCell(name), `conflict: ${why(reason)}`]),
    ...requiredMissing.map((name) => [
      codeCell(name),
      'required, missing: the service requires it, and nothing shows that it has a value',
    ]),
    ...variables
      .filter(({ outcome }) => outcome !== 'unchanged')
      .toSorted(byUrgency)
      .map((one) => [codeCell(one.name), `${whatHappened(one)}: ${why(one.reason)}`]),
    ...undeclared
      .filter((name) => !missing.has(name))
      .map((name) => [codeCell(name), 'not declared: kept']),
  ];
  // Two columns: on a phone, a third would be cut off.
  const head = ['Variable', 'What happened, and why'];
  return [
    ...(rows.length === 0 ? [] : [cutTable(head, rows, most)]),
    ...unchanged(result, most),
    ...(isDeployed ? [] : runtimes(result)),
  ];
}

/** The same as a section of a page: no heading stands without content. */
export function renderVariables(result: EnvironmentResult, view?: EnvironmentView): string[] {
  const parts = renderEnvironment(result, view);
  return parts.length === 0 ? [] : ['### Variables', ...parts];
}
