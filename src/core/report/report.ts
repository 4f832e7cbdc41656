import type { Ambiguity, PlannedChange } from '../environment/plan.ts';
import type { Outcome } from '../outcome.ts';

/** What became of a declared variable. */
export type VariableOutcome =
  | 'created'
  | 'replaced'
  | 'retargeted'
  | 'unchanged'
  | 'kept'
  | 'conflict'
  | 'failed'
  /** The run ended before it was this variable's turn. */
  | 'not-reached';

/** One declared variable after a run. */
export interface VariableResult {
  name: string;
  outcome: VariableOutcome;
  /** True if its targets were changed too, beside its value. */
  retargeted: boolean;
  /** Why, in words without a value. */
  reason: string;
}

/** What a sync did to a project's environment. */
export interface EnvironmentResult {
  variables: readonly VariableResult[];
  /** Declared variables that the service has more than once. */
  ambiguous: readonly Ambiguity[];
  /** Names of variables that are on the service and not declared. */
  undeclared: readonly string[];
  changes: readonly PlannedChange[];
  digest: string;
}

/** A part of a run, in milliseconds since the run's start. */
export interface Phase {
  name: 'environment' | 'deployment' | 'verification';
  start: number;
  end: number;
}

/** Who said that a deployment ended: the stream, a poll, the production runtime, or the site itself. */
export type Witness = 'stream' | 'poll' | 'production' | 'site' | 'answer';

/** Everything that a run of the deploy command has to say. Texts are clean and redacted. */
export interface DeployReport {
  outcome: Outcome;
  skippedReason?: string;
  projectId: string;
  /** 40 hex digits, or empty for the service's own HEAD. */
  commit: string;
  environment?: EnvironmentResult;
  deployment?: { id: string; status: string };
  witness?: Witness;
  phases: readonly Phase[];
  /** Requests that the service was sent. */
  requests: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: string;
}

/** The counts of the output `env-summary`. */
export interface EnvironmentCounts {
  created: number;
  replaced: number;
  retargeted: number;
  deleted: number;
  unchanged: number;
  kept: number;
  conflicts: number;
  failed: number;
  'not-reached': number;
  undeclared: number;
}

/** Counts what became of the variables. A variable that was replaced and retargeted counts as both. */
export function countVariables(result: EnvironmentResult | undefined): EnvironmentCounts {
  const variables = result?.variables ?? [];
  const count = (outcome: VariableOutcome) =>
    variables.filter((variable) => variable.outcome === outcome).length;
  return {
    created: count('created'),
    replaced: count('replaced'),
    retargeted: variables.filter(({ retargeted }) => retargeted).length,
    deleted: 0,
    unchanged: count('unchanged'),
    kept: count('kept'),
    conflicts: count('conflict') + (result?.ambiguous.length ?? 0),
    failed: count('failed'),
    'not-reached': count('not-reached'),
    undeclared: result?.undeclared.length ?? 0,
  };
}
