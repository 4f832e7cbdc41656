import { joinSafe, type SafeText, safe, shorten } from '../kernel/text/safe.ts';
import { after, type LogEntry, line } from '../report/log-entry.ts';
import type { Wanted } from './intent.ts';

/** What became of a check. */
export interface CheckResult {
  /** What was asked: `GET https://www.example.com/`. */
  what: SafeText;
  wanted: SafeText;
  /** What was seen last, or why it was not run. */
  seen: SafeText;
  /** True if it held, false if it did not in time, null if it was not run, or not to its end. */
  held: boolean | null;
  /** How long its last answer took, in milliseconds; absent without one. */
  milliseconds?: number;
  /** True if it names the commit, and its last answers did not show that; or it failed without an answer. */
  lacksCommit?: true;
}

/** How many checks did not hold. */
export const countFailed = (checks: readonly CheckResult[] = []): number =>
  checks.filter(({ held }) => held === false).length;

/** True if a check that names the commit saw something else. */
export const lacksCommit = (checks: readonly CheckResult[] = []): boolean =>
  checks.some((check) => check.lacksCommit === true);

/** What the log shows of a check that was answered otherwise than before; `elapsed` is in milliseconds. */
export const checkLines = ({
  what,
  says,
  elapsed,
}: {
  what: SafeText;
  says: SafeText;
  elapsed: number;
}): LogEntry[] => line(safe`Check ${what}: ${says}${after(elapsed)}`);

/** The most characters of one thing that is wanted. */
const longest = 60;

/**
 * What a check wants, in words.
 *
 * @param clean makes what the workflow wrote printable and free of secrets
 */
export function describeWanted(wanted: Wanted, clean: (text: string) => SafeText): SafeText {
  const { status, contains = '', lacks, json = [], header = [], location } = wanted;
  const { certificateDays, maxMs } = wanted;
  const quote = (text: string) => safe`"${shorten(clean(text), longest)}"`;
  const name = (text: string) => shorten(clean(text), longest);
  const standard = location === undefined ? safe`200 to 299` : safe`300 to 399`;
  return joinSafe(
    [
      status === undefined ? standard : safe`${status}`,
      ...(contains === '' ? [] : [safe`with ${quote(contains)}`]),
      ...(lacks === undefined ? [] : [safe`without ${quote(lacks)}`]),
      ...json.map(([path, value]) => safe`${name(path)} = ${quote(String(value))}`),
      ...header.map(([key, value]) => safe`${name(key)}: ${quote(value)}`),
      ...(location === undefined ? [] : [safe`to ${quote(location)}`]),
      ...(certificateDays === undefined
        ? []
        : [safe`a certificate good for ${certificateDays} days`]),
      ...(maxMs === undefined ? [] : [safe`within ${maxMs} ms`]),
    ],
    ', ',
  );
}
