import type { Inputs } from '../inputs/input.ts';
import type { Diagnostic, Problem } from '../kernel/diagnostic.ts';
import type { SkipReason } from '../kernel/skip-reason.ts';
import type { ExplainedOutcome } from '../report/explanation.ts';
import type { LogEntry } from '../report/log-entry.ts';
import type { OpenLog } from './open-log.ts';
import type { Wrong } from './skip.ts';
import type { Run, StepEnd } from './step.ts';

/** The context before the first request to the service. */
export interface Preflight {
  warn: (diagnostic: Diagnostic<string>) => void;
  /** Aborts when the run is canceled or times out. */
  signal: AbortSignal;
}

/** The context while the service is open. */
export interface Open extends OpenLog, Run {}

/** The run's comment and deployment on GitHub; empty where there is none. */
export interface Recorded {
  commentUrl: string;
  deploymentId: string;
}

/** The end of a step that only explains. */
export interface ExplainedEnd extends Pick<StepEnd, 'title' | 'closing' | 'summary' | 'outputs'> {
  /** The outcome a run would have; `failed` fails the step. */
  outcome: ExplainedOutcome;
  skippedReason?: SkipReason | undefined;
  /** Why a run would fail. */
  problems: readonly Problem[];
  logEntries: readonly LogEntry[];
}

/** Inputs that are right. */
interface Valid<All> {
  kind: 'valid';
  values: All;
}

/** The values of the inputs, or all that is wrong with them. */
export function unlessWrong<All>(
  { problems: wrong, values }: Inputs<All>,
  more: readonly Problem[],
): Valid<All> | Wrong {
  const problems = [...wrong, ...more];
  if (values === undefined || problems.length > 0) return { kind: 'wrong', problems };
  return { kind: 'valid', values };
}

/** Log entries of one kind. */
export const entries = (kind: 'line' | 'notice', texts: readonly string[]): LogEntry[] =>
  texts.map((text) => ({ kind, text }));

/** Warnings as log entries. */
export const warningEntries = (diagnostics: readonly Diagnostic<string>[]): LogEntry[] =>
  diagnostics.map((diagnostic) => ({ kind: 'warning', diagnostic }));
