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

/** What a report says of a step, whatever its action. */
export interface Reported {
  outcome: Outcome;
  /** Requests that the service was sent. */
  requests: number;
  unconnected?: number;
  durationMs: number;
  /** What went wrong and what to do, in one line. */
  error?: Diagnostic;
}

/** What is to be said of a step that ended before anything was sent. */
export interface Unsent extends Reported {
  /** The output `skipped-reason`. */
  skippedReason?: string;
}

/** The outputs that every action has. */
export type CommonOutputs = Record<'outcome' | 'requests' | 'duration-ms' | 'error', string>;

/** A report as it is shown. */
export interface Shown<Name extends ActionName> {
  /** The action's own outputs: each one, empty where there is nothing to say. */
  outputs: Omit<OutputsOf<Name>, keyof CommonOutputs>;
  /** How it ended, in a few words: the title of its error. */
  title: string;
  /** The last line of the log. */
  closing: string;
  /** Markdown for the job's summary: written when all else is told, which must not wait for it. */
  summary: () => string | Promise<string>;
}

/** What a step has to tell at its end. */
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
   * The same run for so many more milliseconds, whatever its signal says: for what must not be left half-way. Absent
   * where nobody cuts a run off.
   */
  outlive?: (milliseconds: number) => Run;
}

/**
 * Takes what a stage has found, which stands in the report however the run ends. What is found again replaces what
 * was found before. The command alone reads it.
 */
export type Found<Findings> = (part: Partial<Findings>) => void;
