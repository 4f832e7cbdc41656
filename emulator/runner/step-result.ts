import type { Conclusion } from './conditions.ts';
import type { ProcessEnd } from './process.ts';
import type { Annotation, Step } from './step.ts';

/** How a step ended and what it left behind. */
export type StepResult = {
  conclusion: Conclusion;
  /** Null if a signal ended the process, or none was started. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** As `steps.<id>.outputs` has them: not masked. */
  outputs: Record<string, string>;
  /** The state that the post step gets as `STATE_…`. */
  state: Record<string, string>;
  /** What it wrote to `GITHUB_ENV`. */
  env: Record<string, string>;
  /** What it wrote to `GITHUB_PATH`. */
  path: string[];
  /** The summary as it is uploaded: masked, each line ended; empty if there is none or it is too large. */
  summary: string;
  annotations: Annotation[];
  /** Every masked value, the token and the secrets included. */
  masks: string[];
  /** The lines of the log as the web page shows them. */
  log: string[];
  /** What the process wrote, unmasked: for tests. */
  raw: { stdout: string; stderr: string };
  durationMs: number;
};

const neverStarted: ProcessEnd = { exitCode: null, signal: null, stdout: '', stderr: '' };

/** The conclusion of a step that was not cancelled. An error means that it could not be started. */
export function conclude(step: Step, end: ProcessEnd | Error): Conclusion {
  const good = !(step.failed || end instanceof Error) && end.exitCode === 0;
  return good ? 'success' : 'failure';
}

/** What a step left behind, by its end. */
export function report(
  step: Step,
  end: ProcessEnd | Error,
): Omit<StepResult, 'conclusion' | 'durationMs'> {
  const { exitCode, signal, stdout, stderr } = end instanceof Error ? neverStarted : end;
  return {
    exitCode,
    signal,
    outputs: Object.fromEntries(step.outputs),
    state: Object.fromEntries(step.state),
    env: Object.fromEntries(step.env),
    path: step.path,
    summary: step.summary,
    annotations: step.annotations,
    masks: step.masker.values,
    log: step.log.lines,
    raw: { stdout, stderr },
  };
}
