import type { Commit } from '../contract/commit.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, shorten, unsafeText } from '../kernel/text/safe.ts';
import { code, link, plain } from '../report/markdown.ts';
import type { CheckResult } from './result.ts';

/** The most checks that are shown; the output `checks` has them all. */
const mostItems = 50;

/** The most characters of a request, and of a result. */
const longestPart = 300;

const icon = ({ passed }: CheckResult): string => (passed === null ? '⏭️' : passed ? '✅' : '❌');

/** How long the last response took, if there was one. */
const took = ({ milliseconds }: CheckResult): string[] => {
  if (milliseconds === undefined) return [];
  return [milliseconds < 1000 ? `${milliseconds} ms` : formatDuration(milliseconds)];
};

const show = (text: SafeText): string => plain(shorten(text, longestPart));

/** A check with its result, as an item: on a narrow screen a table would hide the result. */
function item(check: CheckResult): string {
  const { what, url, actual, explains = actual } = check;
  const name = url === undefined ? show(what) : link(show(what), url);
  return [`- ${icon(check)} ${name}: ${show(explains)}`, ...took(check)].join(' · ');
}

/** Checks as one list, those that failed first. */
function list(checks: readonly CheckResult[]): string {
  const order = [false, null, true];
  const sorted = checks.toSorted((a, b) => order.indexOf(a.passed) - order.indexOf(b.passed));
  const rest = checks.length - mostItems;
  return [
    ...sorted.slice(0, mostItems).map(item),
    ...(rest > 0 ? [`- … and ${rest} more`] : []),
  ].join('\n');
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

/** The results of the checks; after a rollback one list per commit, the failed ones first. */
export function renderChecks({ checks = [], commit, outcome, rollback }: ChecksOfRun): string[] {
  if (checks.length === 0) return [];
  if (rollback?.checks === undefined) return [list(checks)];
  const first = [ofCommit(commit), list(checks)];
  const back = [ofCommit(rollback.commit, ' (after the rollback)'), list(rollback.checks)];
  return outcome === 'rolled-back' ? [...first, ...back] : [...back, ...first];
}
