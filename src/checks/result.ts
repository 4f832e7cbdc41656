import { joinSafe, type SafeText, safe, shorten } from '../kernel/text/safe.ts';
import { after, type LogEntry, line } from '../report/log-entry.ts';
import type { Expectation } from './intent.ts';

/** The result of a check. */
export interface CheckResult {
  /** The request: `GET https://www.example.com/`. */
  what: SafeText;
  /** Its URL, for a link; absent if the request shows it masked, or there is none. */
  url?: string | undefined;
  expected: SafeText;
  /** Its last result, or why it was not run. */
  actual: SafeText;
  /** The same with the text or value that was expected, or found; absent if that is all of it. */
  explains?: SafeText | undefined;
  /** True if it passed, false if it failed, null if it was not run, or not to its end. */
  passed: boolean | null;
  /** How long its last response took, in milliseconds; absent without one. */
  milliseconds?: number | undefined;
  /** True if it names the commit, and its last responses did not show it, or there were none. */
  lacksCommit?: true | undefined;
}

/** A check's result as a clause. A network error can't be the predicate of the request, and gets a colon. */
export function describeResult({ what, actual, explains, milliseconds }: CheckResult): SafeText {
  const result = explains ?? actual;
  return milliseconds === undefined ? safe`${what}: ${result}` : safe`${what} ${result}`;
}

/** How many checks failed. */
export const countFailed = (checks: readonly CheckResult[] = []): number =>
  checks.filter(({ passed }) => passed === false).length;

/** How many checks failed, before "failed": "1 check" if there is no other, else "1 of 3 checks". */
export const failedOf = (checks: readonly CheckResult[] = []): SafeText =>
  checks.length === 1 ? safe`1 check` : safe`${countFailed(checks)} of ${checks.length} checks`;

/** True if a check that names the commit did not find it. */
export const lacksCommit = (checks: readonly CheckResult[] = []): boolean =>
  checks.some((check) => check.lacksCommit === true);

/** The log line of a check whose result changed; `elapsed` is in milliseconds. */
export const checkLines = (what: SafeText, text: SafeText, elapsed: number): LogEntry[] =>
  line(safe`Check ${what}: ${text}${after(elapsed)}`);

/**
 * What a check expects, such as `2xx, with "Hello"`.
 *
 * @param clean makes text of the workflow printable and free of secrets
 */
export function describeExpected(
  { status, contains = '', lacks, json = [], header = [], location, ...others }: Expectation,
  clean: (text: string) => SafeText,
): SafeText {
  const name = (text: string) => shorten(clean(text), 60);
  const quote = (text: string) => safe`"${name(text)}"`;
  const texts = [safe`${status ?? (location === undefined ? safe`2xx` : safe`3xx`)}`];
  if (contains !== '') texts.push(safe`with ${quote(contains)}`);
  if (lacks !== undefined) texts.push(safe`without ${quote(lacks)}`);
  for (const [path, value] of json) texts.push(safe`${name(path)} = ${quote(String(value))}`);
  for (const [key, value] of header) texts.push(safe`${name(key)}: ${quote(value)}`);
  if (location !== undefined) texts.push(safe`to ${quote(location)}`);
  const { certificateDays, maxMs } = others;
  if (certificateDays !== undefined) {
    texts.push(safe`a certificate valid for ${certificateDays} days`);
  }
  if (maxMs !== undefined) texts.push(safe`within ${maxMs} ms`);
  return joinSafe(texts, ', ');
}
