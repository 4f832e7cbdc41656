import { formatDuration } from '../text/duration.ts';
import { addressCell, cutTable, plain } from '../text/markdown.ts';
import { type SafeText, shorten } from '../text/safe.ts';
import type { CheckResult } from './check-result.ts';
import type { DeployReport } from './report.ts';

/** The most checks that are shown; the output `checks` has them all. */
const mostRows = 50;

/** The most characters of a cell. */
const longestCell = 300;

const icon = ({ held }: CheckResult): string => (held === null ? '⏭️' : held ? '✅' : '❌');

/** How long the last answer took: most take less than a second. */
const took = ({ milliseconds }: CheckResult): string => {
  if (milliseconds === undefined) return '';
  return milliseconds < 1000 ? `${milliseconds} ms` : formatDuration(milliseconds);
};

const cell = (text: SafeText): string => plain(shorten(text, longestCell));

/** What became of the checks, in one table: those that did not hold first. */
export function renderChecks({ checks = [] }: Pick<DeployReport, 'checks'>): string[] {
  if (checks.length === 0) return [];
  const order = [false, null, true];
  const rows = checks
    .toSorted((a, b) => order.indexOf(a.held) - order.indexOf(b.held))
    .map((check) => [
      icon(check),
      addressCell(shorten(check.what, longestCell)),
      cell(check.wanted),
      cell(check.seen),
      took(check),
    ]);
  return [cutTable(['', 'Check', 'Wanted', 'Seen', 'Took'], rows, mostRows)];
}
