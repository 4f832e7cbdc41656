import type { Diagnostic } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { joinSafe, type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import { iconOf } from './closing.ts';
import { code, fence, fold, plain } from './markdown.ts';

/**
 * What a line of a plan does: creates, changes, removes; `!` needs attention, and a space is done on every apply. GitHub
 * colors `+`, `-` and `!` in a `diff` block.
 */
export type Sign = '+' | '~' | '-' | '!' | ' ';

/** One change of a plan. */
export interface PlanLine {
  sign: Sign;
  text: SafeText;
  /** The reason, if the change itself doesn't show it; shown once if it repeats. */
  why?: SafeText | undefined;
}

/** The changes of one domain, or of the variables. */
export interface PlanGroup {
  title: SafeText;
  lines: readonly PlanLine[];
}

/** A plan with more lines is folded. */
const mostOpen = 60;

/** The most characters of a reason next to its line: a phone shows about so many. */
const shortReason = 32;
const longestReason = 300;

/** How many of the omitted groups are named. */
const mostNamed = 20;

/** The approximate length of a line with its sign, its end and the mark of its reason. */
const lengthOf = ({ text }: PlanLine): number => text.length + 10;
const lengthOfGroup = ({ title, lines }: PlanGroup): number =>
  title.length + 10 + lines.reduce((sum, line) => sum + lengthOf(line), 0);

const countLines = (groups: readonly PlanGroup[]): number =>
  groups.reduce((sum, { lines }) => sum + lines.length, 0);

/** The first lines that fit. */
function cutGroup({ title, lines }: PlanGroup, space: number): PlanGroup {
  let left = space - title.length;
  const fitting = lines.findIndex((line) => {
    left -= lengthOf(line);
    return left < 0;
  });
  return { title, lines: fitting === -1 ? lines : lines.slice(0, fitting) };
}

/** The whole groups that fit, in order; if not even the first fits, its first lines. */
function whatFits(groups: readonly PlanGroup[], space: number): readonly PlanGroup[] {
  let left = space;
  const end = groups.findIndex((group) => {
    left -= lengthOfGroup(group);
    return left < 0;
  });
  if (end === -1) return groups;
  const [first] = groups;
  return end === 0 && first !== undefined ? [cutGroup(first, space)] : groups.slice(0, end);
}

/** The reasons listed below the plan, each once: those of several lines, and long ones. */
function reasonsBelow(groups: readonly PlanGroup[]): SafeText[] {
  const lines = groups.flatMap((group) => group.lines).filter(({ why }) => why !== undefined);
  const byReason = Map.groupBy(lines, ({ why }) => why ?? safe``);
  return [...byReason].flatMap(([why, some]) =>
    some.length > 1 || why.length > shortReason ? [why] : [],
  );
}

/** A change, and its reason in the next line, unless that is below the plan. */
function showLine({ sign, text, why }: PlanLine, below: readonly SafeText[]): SafeText[] {
  if (why === undefined) return [safe`${sign} ${text}`];
  const at = below.indexOf(why);
  if (at !== -1) return [safe`${sign} ${text}  [${at + 1}]`];
  return [safe`${sign} ${text}`, safe`  # ${why}`];
}

/** Describes the omitted groups and lines. */
function describeRest(
  groups: readonly PlanGroup[],
  shown: readonly PlanGroup[],
  elsewhere: string,
): string[] {
  const rest = countLines(groups) - countLines(shown);
  if (rest === 0) return [];
  const whole = groups.slice(shown.length);
  const named = whole
    .slice(0, mostNamed)
    .map(({ title, lines }) => `${code(title)} (${lines.length})`);
  const more = whole.length > mostNamed ? ` and ${whole.length - mostNamed} more` : '';
  const of = whole.length === 0 ? '' : `: ${named.join(', ')}${more}`;
  return [`… and ${rest} more ${rest === 1 ? 'line' : 'lines'}, ${elsewhere}${of}`];
}

/** How much of a plan is shown, and where the rest is. */
export interface PlanView {
  /** About so many characters, in groups that are whole. */
  space: number;
  /** Such as `in the summary of the run`. */
  elsewhere: string;
}

/** How much of a plan a comment shows. */
export const planInComment: PlanView = {
  space: 20_000,
  elsewhere: 'in the summary of the run and in the output `plan`',
};

/** The same for a summary, whose limit is far higher. */
export const planInSummary: PlanView = { space: 250_000, elsewhere: 'in the output `plan`' };

/** A plan as a block of colored lines, one per change, with repeated reasons below. */
export function renderPlan(groups: readonly PlanGroup[], { space, elsewhere }: PlanView): string[] {
  const filled = groups.filter(({ lines }) => lines.length > 0);
  if (filled.length === 0) return [];
  const shown = whatFits(filled, space);
  const below = reasonsBelow(shown);
  const lines: SafeText[] = [];
  for (const group of shown) {
    if (lines.length > 0) lines.push(safe``);
    lines.push(safe`@@ ${group.title} @@`, ...group.lines.flatMap((line) => showLine(line, below)));
  }
  const reasons = below.map(
    (why, index) => `- [${index + 1}] ${plain(shorten(why, longestReason))}`,
  );
  const parts = [fence(lines, 'diff')];
  if (reasons.length > 0) parts.push(reasons.join('\n'));
  parts.push(...describeRest(filled, shown, elsewhere));
  const count = countLines(shown);
  const all = countLines(filled);
  const title = count === all ? `Plan (${all} lines)` : `Plan (${count} of ${all} lines)`;
  return count > mostOpen ? [fold(title, parts)] : parts;
}

/** How many lines of a plan have one of these signs. */
export function countSigns(groups: readonly PlanGroup[], ...signs: readonly Sign[]): number {
  const lines = groups.flatMap((group) => group.lines);
  return lines.filter(({ sign }) => signs.includes(sign)).length;
}

/** What is set on every apply, and is not counted as a change. */
export const toSet = safe`to set each time`;

type Counted = readonly [number, SafeText];

/**
 * The counts of a plan: `2 to add, 1 to change`.
 *
 * @param more other counts, such as of lines with `!`
 */
export function countPlan(groups: readonly PlanGroup[], more: readonly Counted[]): SafeText {
  const changes: readonly Counted[] = [
    [countSigns(groups, '+'), safe`to add`],
    [countSigns(groups, '~'), safe`to change`],
    [countSigns(groups, '-'), safe`to remove`],
  ];
  const counts = [...changes, ...more];
  const isNothing = counts.every(([count, words]) => count === 0 || words === toSet);
  const counted = counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => safe`${count} ${words}`);
  if (isNothing) counted.unshift(safe`nothing to change`);
  return joinSafe(counted, ', ');
}

/** Texts in columns: each is padded to the widest of its column, up to 32 characters. */
export function inColumns(rows: readonly (readonly SafeText[])[]): SafeText[] {
  const widest = 32;
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(widest, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : unsafeText(cell.padEnd(widths[column] ?? 0)),
    );
    return joinSafe(cells, '  ');
  });
}

/** The icon of a plan or its result; a plan that fails the step, or would be refused, does not get that of a plan. */
export function iconOfPlan(report: {
  outcome: Outcome;
  refusal?: Diagnostic;
  drifted?: boolean;
}): string {
  if (report.drifted === true) return iconOf('failed');
  return iconOf(report.refusal === undefined ? report.outcome : 'conflict');
}

/** The counts of a plan, with a note if it would be refused. */
export const showRefused = (counts: SafeText, refusal: Diagnostic | undefined): SafeText =>
  refusal === undefined ? counts : safe`this plan can't be applied · ${counts}`;
