import { type Diagnostic, printed } from '../../src/kernel/diagnostic.ts';
import type { SafeText } from '../../src/kernel/text/safe.ts';
import type { LogEntry } from '../../src/report/log-entry.ts';
import type { Progress } from '../../src/step/step.ts';

/** A report whose error and refusal stand there as a person reads them. */
export type ReadReport<Report> = Omit<Report, 'error' | 'refusal'> & {
  error?: SafeText;
  refusal?: SafeText;
  /** The report as the command gave it. */
  whole: Report;
};

/** Makes of the report of a run what a person reads of it. */
export function readReport<Report extends { error?: Diagnostic; refusal?: Diagnostic }>(
  whole: Report,
): ReadReport<Report> {
  const { error, refusal, ...rest } = whole;
  return {
    ...rest,
    ...(error !== undefined && { error: printed(error) }),
    ...(refusal !== undefined && { refusal: printed(refusal) }),
    whole,
  };
}

/** What an entry of the log reads as. */
export const textOf = (entry: LogEntry): string =>
  entry.kind === 'warning' ? printed(entry.diagnostic) : entry.text;

/** The warnings among what a run told, as a person reads them. */
export const warningsIn = (told: readonly Progress[]): string[] =>
  told.flatMap((one) => (one.type === 'warning' ? [printed(one.diagnostic)] : []));
