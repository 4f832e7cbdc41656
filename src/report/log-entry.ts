import type { Diagnostic } from '../kernel/diagnostic.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';

/**
 * A piece of the log: a line, a line of the build's own log, a group's begin or end, one of several problems that the error
 * of the step will list, or an annotation.
 */
export type LogEntry =
  | { kind: 'build-log' | 'group' | 'group-end' | 'problem' | 'notice'; text: string }
  | {
      kind: 'line';
      text: string;
      /** The status that it is about, for who shows the present one. */
      status?: string;
    }
  | {
      kind: 'warning';
      diagnostic: Diagnostic<string>;
      /** The title of the run, if the warning is about its result. */
      title?: string;
    };

/** One line of the log. */
export const line = (text: SafeText): LogEntry[] => [{ kind: 'line', text }];

/** Warnings as log entries. */
export const warningEntries = (diagnostics: readonly Diagnostic<string>[]): LogEntry[] =>
  diagnostics.map((diagnostic) => ({ kind: 'warning', diagnostic }));

/** A log line of one change, in columns. */
export const columns = (mark: string, word: string, text: SafeText): SafeText =>
  safe`${unsafeText(`${mark} ${word.padEnd(11)}`)} ${text}`;

/** Shorter times are not shown, in milliseconds. */
export const shownTime = 50;

/** A duration with its own start, which is not shown in the column of the deployment's times. */
export const after = (elapsed: number): SafeText =>
  elapsed < shownTime ? safe`` : safe` after ${formatDuration(elapsed)}`;
