import type { RunContext, StepEnvironment } from '../github/runner.ts';
import type { Inputs } from '../inputs/input.ts';
import type { ActionName, OutputsOf, Values } from '../inputs.ts';
import type { Diagnostic } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Host } from './host.ts';

/** A step of any action that has these inputs, which are read. */
export interface StepWith<All> {
  inputs: Inputs<All>;
  context: RunContext;
  environment: StepEnvironment;
}

/** A step of one action. */
export type Step<Name extends ActionName> = StepWith<Values<Name>>;

/** The fields of every action's report. */
export interface Reported {
  outcome: Outcome;
  /** The number of requests to the service. */
  requests: number;
  unconnected?: number;
  durationMs: number;
  /** What went wrong and what to do, in one line. */
  error?: Diagnostic;
}

/** The report of a step that ended before anything was sent. */
export interface Unsent extends Reported {
  /** The output `skipped-reason`. */
  skippedReason?: string;
}

/** The outputs that every action has. */
export type CommonOutputs = Record<'outcome' | 'requests' | 'duration-ms' | 'error', string>;

/** A report as it is shown. */
export interface Shown<Name extends ActionName> {
  /** All of the action's own outputs; empty where there is no value. */
  outputs: Omit<OutputsOf<Name>, keyof CommonOutputs>;
  /** The result in a few words; also the title of its error. */
  title: string;
  /** The last line of the log. */
  closing: string;
  /** Markdown for the job's summary. It is rendered last, so that nothing waits for it. */
  summary: () => string | Promise<string>;
}

/** The result of a step, to be reported at its end. */
export interface StepEnd extends Omit<Shown<ActionName>, 'outputs'> {
  outcome: Outcome;
  outputs: Readonly<Record<string, string>>;
  error: Diagnostic | undefined;
  /** True if the step must fail. */
  fails: boolean;
}

/** Makes the idempotency key of one operation on one target; the same for each retry in one process. */
export type KeyFor = (operation: string, target: string) => string;

/** What all stages of a command share. */
export interface Run {
  client: ServiceClient;
  host: Host;
  keyFor: KeyFor;
  /** When it began, in milliseconds since the epoch. */
  started: number;
  /**
   * The same run for so many more milliseconds, even if its signal aborted: for work that must not be left half done.
   * Absent where a run is never aborted.
   */
  outlive?: (milliseconds: number) => Run;
}

/**
 * Adds a stage's findings to the report, whatever the outcome of the run. Later values replace earlier ones.
 */
export type Found<Findings> = (part: Partial<Findings>) => void;
