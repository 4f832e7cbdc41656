import type { VariableKind } from '../contract/environment.ts';
/** The runtimes that a variable applies to (section "Environment variable"). */
export interface Targets {
  preview: boolean;
  production: boolean;
}

/** A variable as declared. */
export interface DesiredVariable extends Targets {
  name: string;
  /** Unchanged, byte for byte; never printed. */
  value: string;
  kind: VariableKind;
  /** The input that it came from. */
  source: string;
  /** The variable in the step's environment that has the value; absent if the value is given directly. */
  from?: string | undefined;
}

/** What to do with a variable whose version on the service is not the known one. */
export type ConflictPolicy = 'overwrite' | 'keep' | 'fail';

/** Where a variable is declared as one to delete. */
export type RemovalSource = 'env-remove' | 'config';

/** The names of the variables to delete. */
export type Removals = ReadonlyMap<string, RemovalSource>;

/** The desired state of a project's variables. */
export interface VariablesRequest {
  variables: readonly DesiredVariable[];
  onConflict: ConflictPolicy;
  removals: Removals;
}

/** Picks the request from a value with more fields. */
export const variablesRequest = ({
  variables,
  onConflict,
  removals,
}: VariablesRequest): VariablesRequest => ({ variables, onConflict, removals });
