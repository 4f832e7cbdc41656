import type { VariableKind } from '../contract/environment.ts';
/** The runtimes that a variable applies to (section "Environment variable"). */
export interface Targets {
  preview: boolean;
  production: boolean;
}

/** A variable as the workflow asks for it. */
export interface DesiredVariable extends Targets {
  name: string;
  /** Byte for byte what the workflow gave; it is never printed. */
  value: string;
  kind: VariableKind;
  /** The input that it came from. */
  source: string;
  /** The variable of the step's environment that its value is; absent if it was written out. */
  from?: string;
}

/** What to do when the service has another version of a variable than the one that we know. */
export type ConflictPolicy = 'overwrite' | 'keep' | 'fail';

/** Where a variable is named as one to delete. */
export type RemovalPlace = 'env-remove' | 'config';

/** The names of the variables to delete. */
export type Removals = ReadonlyMap<string, RemovalPlace>;

/** What is wanted of a project's variables. */
export interface VariablesRequest {
  variables: readonly DesiredVariable[];
  onConflict: ConflictPolicy;
  removals: Removals;
}

/** The request alone, of what holds more than that. */
export const variablesRequest = ({
  variables,
  onConflict,
  removals,
}: VariablesRequest): VariablesRequest => ({ variables, onConflict, removals });
