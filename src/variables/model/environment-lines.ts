import { formatDuration } from '../../kernel/text/duration.ts';
import { type SafeText, safe, trusted } from '../../kernel/text/safe.ts';
import { columns, type LogEntry, line, shownTime } from '../../report/log-entry.ts';
import {
  describeOutcome,
  type VariableOutcome,
  type VariableResult,
} from './environment-result.ts';

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

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** One line for one variable: what happened to it or would happen, and why. Never its value. */
export function describeVariable(
  { name, outcome, retargeted, reason }: VariableResult,
  isPlanned = false,
): SafeText {
  const word = describeOutcome(outcome, isPlanned);
  const alsoWord = isPlanned ? 'and to retarget' : 'and retargeted';
  const also = retargeted && outcome !== 'retargeted' ? safe` ${trusted(alsoWord)}` : safe``;
  return columns(marks[outcome], word, safe`${name}${also}: ${reason}`);
}

/** What the log shows of one variable: nothing of one that is as it was. */
export const variableLines = (result: VariableResult, isPlanned: boolean): LogEntry[] =>
  result.outcome === 'unchanged' ? [] : line(describeVariable(result, isPlanned));

/** How a plan of the environment counts. */
export interface PlannedCounts {
  writes: number;
  deletions: number;
  unchanged: number;
  /** Changed elsewhere, and left alone. */
  left: number;
  /** Declared names that the service has more than once. */
  ambiguous: number;
  undeclared: readonly SafeText[];
}

/** The first line of what is done to variables; a group if something is. */
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
    ...(ambiguous > 0 ? [`${plural(ambiguous, 'name')} in doubt`] : []),
    ...(left > 0 ? [`${left} not as last written`] : []),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(undeclared.length > 0 ? [`${undeclared.length} not declared, kept`] : []),
  ];
  if (parts.length === 0) return [];
  return [{ kind: isNothing ? 'line' : 'group', text: `Variables: ${parts.join(', ')}` }];
}

/**
 * The last line of what is done to variables.
 *
 * @param isNothing there was nothing to do, and nothing to look at
 */
export const doneLines = (milliseconds: number, isNothing: boolean): LogEntry[] =>
  isNothing
    ? []
    : [
        ...(milliseconds < shownTime ? [] : line(safe`done in ${formatDuration(milliseconds)}`)),
        { kind: 'group-end', text: '' },
      ];
