import type { Commit } from '../contract/commit.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, shorten, unsafeText } from '../kernel/text/safe.ts';
import { addressCell, code, cutTable, plain } from '../report/markdown.ts';
import type { CheckResult } from './result.ts';

/** The most checks that are shown; the output `checks` has them all. */
const mostRows = 50;

/** The most characters of a cell. */
const longestCell = 300;

const icon = ({ passed }: CheckResult): string => (passed === null ? '⏭️' : passed ? '✅' : '❌');

/** How long the last response took. */
const took = ({ milliseconds }: CheckResult): string => {
  if (milliseconds === undefined) return '';
  return milliseconds < 1000 ? `${milliseconds} ms` : formatDuration(milliseconds);
};

const cell = (text: SafeText): string => plain(shorten(text, longestCell));

/** Checks as one table, those that failed first. */
function table(checks: readonly CheckResult[]): string {
  const order = [false, null, true];
  const rows = checks
    .toSorted((a, b) => order.indexOf(a.passed) - order.indexOf(b.passed))
    .map((check) => [
      icon(check),
      addressCell(shorten(check.what, longestCell)),
      cell(check.actual),
      cell(check.expected),
      took(check),
    ]);
  return cutTable(['', 'Check', 'Result', 'Expected', 'Time'], rows, mostRows);
}

const ofCommit = (commit: Commit | undefined, suffix = ''): string =>
  commit === undefined
    ? `Checks${suffix}:`
    : `Checks of ${code(unsafeText(commit.slice(0, 7)))}${suffix}:`;

/** The checks of a run, and of its rollback. */
interface ChecksOfRun {
  checks?: readonly CheckResult[];
  commit?: Commit;
  outcome: Outcome;
  rollback?: { commit: Commit; checks?: readonly CheckResult[] };
}

/** The results of the checks; after a rollback one table per commit, the failed ones first. */
export function renderChecks({ checks = [], commit, outcome, rollback }: ChecksOfRun): string[] {
  if (checks.length === 0) return [];
  if (rollback?.checks === undefined) return [table(checks)];
  const first = [ofCommit(commit), table(checks)];
  const back = [ofCommit(rollback.commit, ' (after the rollback)'), table(rollback.checks)];
  return outcome === 'rolled-back' ? [...first, ...back] : [...back, ...first];
}
