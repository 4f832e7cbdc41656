import type { Outcome } from '../core/outcome.ts';
import type { Problem } from '../core/problem.ts';
import type { RunContext, StepEnvironment } from '../github/runner.ts';
import type { ActionName, OutputsOf, Values } from '../inputs.ts';

/** A step of one action, with its inputs read. */
export interface Step<Name extends ActionName> {
  values: Partial<Values<Name>>;
  /** What is wrong with the inputs. */
  problems: readonly Problem[];
  /** The values of the secret inputs. */
  secrets: readonly string[];
  context: RunContext;
  environment: StepEnvironment;
}

/** What a step has to tell at its end. Texts are clean and redacted. */
export interface StepEnd<Name extends ActionName> {
  outcome: Outcome;
  outputs: OutputsOf<Name>;
  /** The last line of the log. */
  closing: string;
  /** Markdown for the job's summary. */
  summary: string;
  /** What went wrong and what to do. */
  error: string | undefined;
  /** True if the step must fail. */
  fails: boolean;
}
