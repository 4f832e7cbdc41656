import type { Commit } from '../contract/commit.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, shorten, shortSha } from '../kernel/text/safe.ts';
import { code, link, plain } from '../report/markdown.ts';
import type { CheckResult } from './result.ts';

/** The checks of a run, and of its rollback. */
interface ChecksOfRun {
  checks?: readonly CheckResult[] | undefined;
  commit?: Commit | undefined;
  outcome: Outcome;
  rollback?: { commit: Commit; checks?: readonly CheckResult[] | undefined } | undefined;
}

/** The Markdown of the results; after a rollback one list per commit, the failed ones first. */
export function renderChecks({ checks = [], commit, outcome, rollback }: ChecksOfRun): string[] {
  if (checks.length === 0) return [];
  if (rollback?.checks === undefined) return [renderList(checks)];
  const short = (sha: Commit) => code(shortSha(sha));
  const first = [
    commit === undefined ? 'Checks:' : `Checks of ${short(commit)}:`,
    renderList(checks),
  ];
  const second = [
    `Checks of ${short(rollback.commit)} (after the rollback):`,
    renderList(rollback.checks),
  ];
  return outcome === 'rolled-back' ? [...first, ...second] : [...second, ...first];
}

/** The most checks that are shown; the output `checks` has them all. */
const mostItems = 50;

/** Checks as one list, those that failed first: on a narrow screen a table would hide the results. */
function renderList(checks: readonly CheckResult[]): string {
  const order = [false, null, true];
  const sorted = checks.toSorted((a, b) => order.indexOf(a.passed) - order.indexOf(b.passed));
  const show = (text: SafeText) => plain(shorten(text, 300));
  const items = sorted.slice(0, mostItems).map((check) => {
    const { what, url, actual, explains = actual, passed, milliseconds: ms } = check;
    const icon = passed === null ? '⏭️' : passed ? '✅' : '❌';
    const name = url === undefined ? show(what) : link(show(what), url);
    const item = `- ${icon} ${name}: ${show(explains)}`;
    if (ms === undefined) return item;
    return `${item} · ${ms < 1000 ? `${ms} ms` : formatDuration(ms)}`;
  });
  const rest = checks.length - mostItems;
  if (rest > 0) items.push(`- … and ${rest} more`);
  return items.join('\n');
}
