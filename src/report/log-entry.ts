import type { Diagnostic } from '../kernel/diagnostic.ts';
import { formatDuration } from '../kernel/text/duration.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';

/** A piece of the log: a line, a line of the build's own log, a group's begin or end, or an annotation. */
export type LogEntry =
  | { kind: 'line' | 'build-log' | 'group' | 'group-end' | 'notice'; text: string }
  | { kind: 'warning'; diagnostic: Diagnostic<string> };

/** One line of the log. */
export const line = (text: SafeText): LogEntry[] => [{ kind: 'line', text }];

/** The columns of a line of what was done. */
export const columns = (mark: string, word: string, said: SafeText): SafeText =>
  safe`${unsafeText(`${mark} ${word.padEnd(11)}`)} ${said}`;

/** What took less is told as no time at all, in milliseconds. */
export const shownTime = 50;

/** A time of its own begin, which is not the deployment's: it stands in no column with that. */
export const after = (elapsed: number): SafeText =>
  elapsed < shownTime ? safe`` : safe` after ${formatDuration(elapsed)}`;
