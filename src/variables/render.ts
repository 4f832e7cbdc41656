import { because } from '../kernel/change.ts';
import { listNames } from '../kernel/names.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
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
  countChanged,
  describeOutcome,
  describeWhere,
  type EnvironmentResult,
  isBlank,
  listElsewhere,
  type RuntimeState,
  type VariableOutcome,
  type VariableResult,
} from './result.ts';

/** How a sync is shown. */
export interface EnvironmentView extends Partial<PlanView> {
  /** How many rows a table has at most. */
  most?: number;
  /** True if a deployment followed: then the runtimes' state is out of date. */
  isDeployed?: boolean;
}

/** The same as {@link renderEnvironment}, as a section with a heading; empty without content. */
export function renderVariables(result: EnvironmentResult, view?: EnvironmentView): string[] {
  const parts = renderEnvironment(result, view);
  return parts.length === 0 ? [] : ['### Variables', ...parts];
}

/**
 * A sync, or the plan of one, in GitHub-flavored Markdown: the result of each variable, and why. Empty if there are no
 * variables.
 */
export function renderEnvironment(result: EnvironmentResult, view: EnvironmentView = {}): string[] {
  // GitHub limits a summary to 1 MiB.
  const { most = 200, isDeployed = false } = view;
  if (result.isPlanned) {
    const plan = renderPlan([planOfVariables(result)], { ...planInSummary, ...view });
    return [...plan, ...renderAfterPlan(result, most)];
  }
  const { variables, ambiguous, requiredMissing } = result;
  // Outcomes that need attention come first, so that they are never cut.
  const urgent = ['conflict', 'failed', 'not-reached', 'kept'];
  const rank = ({ outcome }: VariableResult) => urgent.indexOf(outcome) + 1 || urgent.length + 1;
  const rows: string[][] = [];
  for (const { name, reason } of ambiguous) {
    rows.push([codeCell(name), `conflict: ${showReason(reason)}`]);
  }
  for (const name of requiredMissing) {
    rows.push([codeCell(name), 'missing: required by the service, no known value']);
  }
  for (const variable of variables.toSorted((a, b) => rank(a) - rank(b))) {
    const { name, outcome, targets, retargeted, reason } = variable;
    if (outcome === 'unchanged') continue;
    const word = `${describeOutcome(outcome, false)}${describeWhere(targets)}`;
    const also = retargeted && outcome !== 'retargeted' ? ', retargeted' : '';
    rows.push([codeCell(name), `${word}${also}${because(reason, showReason)}`]);
  }
  for (const name of listKept(result)) rows.push([codeCell(name), 'only on the service, kept']);
  const runtimes = isDeployed ? [] : describeRuntimes(result).map((text) => `- ${plain(text)}`);
  return [
    // Two columns: on a phone, a third would be cut off.
    ...(rows.length === 0 ? [] : [cutTable(['Variable', 'Result'], rows, most)]),
    ...renderUnchanged(result, most),
    ...(runtimes.length === 0 ? [] : [runtimes.join('\n')]),
  ];
}

/** The parts below a plan: variables that are not declared, and unchanged ones. */
export function renderAfterPlan(result: EnvironmentResult, most: number): string[] {
  const kept = listKept(result);
  const unchanged = renderUnchanged(result, most);
  if (kept.length === 0) return unchanged;
  const names = kept.slice(0, most).map((name) => code(shorten(name, longestName)));
  const more = kept.length > most ? ` and ${kept.length - most} more` : '';
  return [
    `Only on the service, kept: ${names.join(', ')}${more}. To delete one, add it to env-remove.`,
    ...unchanged,
  ];
}

const showReason = (reason: SafeText): string => plain(shorten(reason, 200));

const longestName = 200;

/** The variables that are not declared, but for those that need a value. */
function listKept({ undeclared, requiredMissing }: EnvironmentResult): SafeText[] {
  const missing = new Set(requiredMissing);
  return undeclared.filter((name) => !missing.has(name));
}

function renderUnchanged({ variables }: EnvironmentResult, most: number): string[] {
  const rows = variables
    .filter(({ outcome }) => outcome === 'unchanged')
    .map(({ name, reason }) => [codeCell(name), showReason(reason)]);
  if (rows.length === 0) return [];
  const table = cutTable(['Variable', 'Why'], rows, most);
  return [`<details><summary>${rows.length} unchanged</summary>\n\n${table}\n\n</details>`];
}

/**
 * Which runtimes use the written variables (section "Environment metadata response"). Empty for a plan; a runtime
 * whose state the service doesn't report is left out. "All" is never reported after an incomplete sync.
 */
export function describeRuntimes(result: EnvironmentResult): SafeText[] {
  const { isPlanned, variables, ambiguous, runtime } = result;
  if (isPlanned || isBlank(result)) return [];
  const isIncomplete = variables.some(({ outcome }) =>
    ['conflict', 'failed', 'not-reached'].includes(outcome),
  );
  const isWhole = ambiguous.length === 0 && !isIncomplete;
  // What the runtimes then wait for is not of this run.
  if (!isWhole && countChanged(result) === 0) return [];
  return describeRuntime(runtime, isWhole);
}

/**
 * Which runtimes use all variables, and which have changes that wait.
 *
 * @param isWhole false: it is not known that all variables are there, so "all" is not said
 */
export function describeRuntime({ stale, pending }: RuntimeState, isWhole = true): SafeText[] {
  const next = safe`changes take effect with the next deployment.`;
  if (stale === true && pending === true) return [safe`Preview and production runtimes: ${next}`];
  const describeOne = (runtime: SafeText, waits: boolean | undefined) => {
    if (waits === true) return [safe`${runtime} runtime: ${next}`];
    return waits === false && isWhole ? [safe`${runtime} runtime: all variables are in use.`] : [];
  };
  return [...describeOne(safe`Preview`, stale), ...describeOne(safe`Production`, pending)];
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

/** The lines of a plan for its variables. */
export function planOfVariables(result: EnvironmentResult): PlanGroup {
  const conflicts = result.ambiguous.map(
    (one): VariableResult => ({ ...one, outcome: 'conflict', retargeted: false }),
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
    return { sign, text, why };
  });
  return { title: safe`variables`, lines };
}

/** A title such as `Drift: STRIPE_KEY changed outside this action`; undefined if nothing was. */
export function describeDrift(result: EnvironmentResult): SafeText | undefined {
  const names = listElsewhere(result);
  if (names.length === 0) return undefined;
  const listed = listNames(names, (name) => shorten(name, 60), 3);
  return safe`Drift: ${listed} changed outside this action`;
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
export function planLines(counts: PlannedCounts): LogEntry[] {
  const { writes, deletions, unchanged, left, ambiguous, undeclared } = counts;
  const listed: readonly (readonly [count: number, words: string])[] = [
    [writes, 'to write'],
    [deletions, 'to delete'],
    [ambiguous, ambiguous === 1 ? 'duplicate name' : 'duplicate names'],
    [left, 'changed since the last run'],
    [unchanged, 'unchanged'],
    [undeclared.length, 'only on the service, kept'],
  ];
  const parts = listed.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  if (parts.length === 0) return [];
  const isNothing = writes + deletions + left + ambiguous === 0;
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
