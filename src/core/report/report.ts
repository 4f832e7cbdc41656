import type { Ambiguity, PlannedChange } from '../environment/plan.ts';
import type { Outcome } from '../outcome.ts';
import type { Verification } from '../preview/domain-state.ts';

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
  name: 'environment' | 'deployment' | 'verification' | 'domain';
  start: number;
  end: number;
}

/** A DNS record that somebody must make for a domain. */
export interface DnsInstruction {
  type: string;
  name: string;
  value: string;
  purpose: string;
  required: boolean;
}

/** The preview domain of a run. Texts are clean. */
export interface PreviewReport {
  hostname: string;
  verification: Verification;
  /** Its state in the service's own word; empty if it shows none. */
  state: string;
  /** All its statuses in words. */
  statuses: string;
  /** Records to make; empty once it is verified. */
  records: readonly DnsInstruction[];
  errors: readonly string[];
  /** Why its verification could not be followed to its end. */
  trouble?: string;
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
  /** True once a deployment was asked for, also if no answer came. */
  isRequested?: boolean;
  deployment?: { id: string; status: string };
  witness?: Witness;
  preview?: PreviewReport;
  /** What a clean-up or a sweep did, in words. */
  cleaned?: readonly string[];
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
