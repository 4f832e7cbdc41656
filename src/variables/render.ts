import { because } from '../kernel/change.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import { countOf } from '../report/closing.ts';
import { columns, type LogEntry, line, shownTime } from '../report/log-entry.ts';
import { code, codeCell, cutTable, plain } from '../report/markdown.ts';
import {
  inColumns,
  type PlanGroup,
  type PlanLine,
  type PlanView,
  planInSummary,
  renderPlan,
  type Sign,
} from '../report/plan.ts';
import {
  countElsewhere,
  describeOutcome,
  describeWhere,
  type EnvironmentResult,
  isBlank,
  type VariableOutcome,
  type VariableResult,
} from './result.ts';

/** Outcomes after which not all declared variables can be in use. */
const missing: readonly VariableOutcome[] = ['conflict', 'failed', 'not-reached'];

/**
 * Which runtimes use the written variables (section "Environment metadata response"). Empty for a plan; a runtime
 * whose state the service doesn't report is left out. "All" is never reported after an incomplete sync.
 */
export function describeRuntimes(result: EnvironmentResult): SafeText[] {
  const { isPlanned, variables, ambiguous, runtime } = result;
  const isWhole = ambiguous.length === 0 && !variables.some((one) => missing.includes(one.outcome));
  if (isPlanned || isBlank(result)) return [];
  const { stale, pending } = runtime;
  const next = safe`hanges take effect with the next deployment.`;
  if (stale === true && pending === true) return [safe`C${next}`];
  const describe = (runtime: SafeText, waits: boolean | undefined) => {
    if (waits === true) return [safe`${runtime}: c${next}`];
    return waits === false && isWhole ? [safe`${runtime}: all variables are in use.`] : [];
  };
  return [...describe(safe`Preview`, stale), ...describe(safe`Production`, pending)];
}

/** The most rows of a table, and characters of a reason: GitHub limits a summary to 1 MiB. */
const maxInSummary = 200;
const longestReason = 200;

const why = (reason: SafeText): string => plain(shorten(reason, longestReason));

function whatHappened({ outcome, targets, retargeted }: VariableResult): string {
  const word = `${describeOutcome(outcome, false)}${describeWhere(targets)}`;
  return !retargeted || outcome === 'retargeted' ? word : `${word}, retargeted`;
}

/** The unchanged variables, folded. */
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

/** The parts below a plan: variables that are not declared, and unchanged ones. */
export function renderAfterPlan(result: EnvironmentResult, most: number): string[] {
  return [...listUndeclared(result, most), ...unchanged(result, most)];
}

/** How a sync is shown. */
export interface EnvironmentView extends Partial<PlanView> {
  /** How many rows a table has at most. */
  most?: number;
  /** True if a deployment followed: then the runtimes' state is out of date. */
  isDeployed?: boolean;
}

/** Outcomes that need attention come first, so that they are never cut. */
const urgency = ['conflict', 'failed', 'not-reached', 'kept'];

const byUrgency = (a: VariableResult, b: VariableResult): number =>
  (urgency.indexOf(a.outcome) + 1 || urgency.length + 1) -
  (urgency.indexOf(b.outcome) + 1 || urgency.length + 1);

/**
 * A sync, or the plan of one, in GitHub-flavored Markdown: the result of each variable, and why. Empty if there are no
 * variables.
 */
export function renderEnvironment(result: EnvironmentResult, view: EnvironmentView = {}): string[] {
  const { most = maxInSummary, isDeployed = false } = view;
  if (result.isPlanned) {
    const plan = renderPlan([planOfVariables(result)], { ...planInSummary, ...view });
    return [...plan, ...renderAfterPlan(result, most)];
  }
  const { variables, ambiguous, undeclared, requiredMissing } = result;
  const missing = new Set(requiredMissing);
  const rows = [
    ...ambiguous.map(({ name, reason }) => [codeCell(name), `conflict: ${why(reason)}`]),
    ...requiredMissing.map((name) => [
      codeCell(name),
      'missing: required by the service, no known value',
    ]),
    ...variables
      .filter(({ outcome }) => outcome !== 'unchanged')
      .toSorted(byUrgency)
      .map((one) => [codeCell(one.name), `${whatHappened(one)}${because(one.reason, why)}`]),
    ...undeclared
      .filter((name) => !missing.has(name))
      .map((name) => [codeCell(name), 'only on the service, kept']),
  ];
  // Two columns: on a phone, a third would be cut off.
  const head = ['Variable', 'Result'];
  return [
    ...(rows.length === 0 ? [] : [cutTable(head, rows, most)]),
    ...unchanged(result, most),
    ...(isDeployed ? [] : runtimes(result)),
  ];
}

/** The same as a section with a heading; empty without content. */
export function renderVariables(result: EnvironmentResult, view?: EnvironmentView): string[] {
  const parts = renderEnvironment(result, view);
  return parts.length === 0 ? [] : ['### Variables', ...parts];
}

const signs: Readonly<Partial<Record<VariableOutcome, Sign>>> = {
  created: '+',
  replaced: '~',
  retargeted: '~',
  deleted: '-',
};

/** Details that the sign doesn't show. */
const details: Readonly<Partial<Record<VariableOutcome, SafeText>>> = {
  replaced: safe`value would be written`,
  retargeted: safe`new targets`,
  kept: safe`kept`,
  conflict: safe`conflict`,
  'not-reached': safe`not written`,
};

/** The most characters of a name. */
const longestName = 200;

/** The lines of a plan for its variables. */
export function planOfVariables(result: EnvironmentResult): PlanGroup {
  const conflicts = result.ambiguous.map(
    ({ name, reason }): VariableResult => ({
      name,
      outcome: 'conflict',
      retargeted: false,
      reason,
    }),
  );
  const missing = result.requiredMissing.map((name) => ({
    line: [shorten(name, longestName), safe`missing`],
    sign: '!' as const,
    why: safe`required by the service, no known value`,
  }));
  const changed = [...conflicts, ...result.variables]
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ name, outcome, retargeted, reason }) => {
      const also = retargeted && outcome === 'replaced' ? safe`, new targets` : safe``;
      const sign: Sign = signs[outcome] ?? '!';
      return {
        line: [shorten(name, longestName), safe`${details[outcome] ?? safe``}${also}`],
        sign,
        // The sign already shows that it is new.
        why: sign === '+' ? undefined : reason,
      };
    });
  const all = [...missing, ...changed];
  const texts = inColumns(all.map(({ line }) => line));
  const lines = all.map(({ sign, why }, index): PlanLine => {
    const text = unsafeText((texts[index] ?? safe``).trimEnd());
    return { sign, text, ...(why !== undefined && { why }) };
  });
  return { title: safe`variables`, lines };
}

/** A title such as `Drift: 1 variable changed outside this action`; undefined if none was. */
export function describeDrift(result: EnvironmentResult): SafeText | undefined {
  const count = countElsewhere(result);
  if (count === 0) return undefined;
  return safe`Drift: ${countOf(count, safe`variable`)} changed outside this action`;
}

/** The names of variables that are not declared and that a plan keeps. */
function listUndeclared(
  { undeclared, requiredMissing }: EnvironmentResult,
  most: number,
): string[] {
  const missing = new Set(requiredMissing);
  const left = undeclared.filter((name) => !missing.has(name));
  if (left.length === 0) return [];
  const names = left.slice(0, most).map((name) => code(shorten(name, longestName)));
  const more = left.length > most ? ` and ${left.length - most} more` : '';
  return [
    `Only on the service, kept: ${names.join(', ')}${more}. To delete one, add it to env-remove.`,
  ];
}

const marks: Readonly<Record<VariableOutcome, string>> = {
  created: '+',
  replaced: '~',
  retargeted: '~',
  deleted: '-',
  unchanged: '=',
  kept: '!',
  conflict: '!',
  failed: '×',
  'not-reached': '?',
};

/** One line for one variable: its result or planned result, and why. Never its value. */
export function describeVariable(
  { name, outcome, retargeted, reason }: VariableResult,
  isPlanned = false,
): SafeText {
  const word = describeOutcome(outcome, isPlanned);
  const second = isPlanned ? safe` and to retarget` : safe` and retargeted`;
  const also = retargeted && outcome !== 'retargeted' ? second : safe``;
  return columns(marks[outcome], word, safe`${name}${also}${because(reason)}`);
}

/** The log line of one variable; none if it is unchanged. */
export const variableLines = (result: VariableResult, isPlanned: boolean): LogEntry[] =>
  result.outcome === 'unchanged' ? [] : line(describeVariable(result, isPlanned));

/** The counts of a plan. */
export interface PlannedCounts {
  writes: number;
  deletions: number;
  unchanged: number;
  /** Changed elsewhere, and not overwritten. */
  left: number;
  /** Declared names that the service has more than once. */
  ambiguous: number;
  undeclared: readonly SafeText[];
}

/** The first log line of a sync; it starts a group if there are changes or conflicts. */
export function planLines({
  writes,
  deletions,
  unchanged,
  left,
  ambiguous,
  undeclared,
}: PlannedCounts): LogEntry[] {
  const isNothing = writes + deletions + left + ambiguous === 0;
  const parts = [
    ...(writes > 0 ? [`${writes} to write`] : []),
    ...(deletions > 0 ? [`${deletions} to delete`] : []),
    ...(ambiguous > 0 ? [countOf(ambiguous, safe`duplicate name`)] : []),
    ...(left > 0 ? [`${left} changed since the last run`] : []),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(undeclared.length > 0 ? [`${undeclared.length} only on the service, kept`] : []),
  ];
  if (parts.length === 0) return [];
  return [{ kind: isNothing ? 'line' : 'group', text: `Variables: ${parts.join(', ')}` }];
}

/**
 * The last log lines of a sync.
 *
 * @param isNothing there were no changes and no conflicts
 */
export const doneLines = (milliseconds: number, isNothing: boolean): LogEntry[] =>
  isNothing
    ? []
    : [
        ...(milliseconds < shownTime ? [] : line(safe`done in ${formatDuration(milliseconds)}`)),
        { kind: 'group-end', text: '' },
      ];
