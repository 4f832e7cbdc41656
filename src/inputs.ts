import type { InputSchema } from './input-schemas.ts';
import { deploy } from './inputs/deploy.ts';
import { domains } from './inputs/domains.ts';
import { envSync } from './inputs/env-sync.ts';
import type { ActionDefinition } from './inputs/input.ts';
import { message } from './messages/inputs.ts';
import { projects } from './projects/inputs.ts';

export type { ActionDefinition, Input } from './inputs/input.ts';

/** Every action of this repository, by the name of its entry in `dist/`. The only such table. */
export const actions = {
  deploy,
  'env-sync': envSync,
  domains,
  message,
  projects,
} as const satisfies Readonly<Record<string, ActionDefinition>>;

/** The name of an action. */
export type ActionName = keyof typeof actions;

/** The inputs of an action, by name. */
export type InputsOf<Name extends ActionName> = (typeof actions)[Name]['inputs'];

/** The outputs of an action, by name. */
export type OutputsOf<Name extends ActionName> = Record<
  keyof (typeof actions)[Name]['outputs'],
  string
>;

/** A default that is an expression is the runner's: elsewhere the input is empty. */
type Expression = `\${{${string}`;

/** An input that may be empty gives undefined then. */
type ValueOf<One> = One extends { schema: InputSchema<infer Value> }
  ? One extends { default: Expression }
    ? Value | undefined
    : One extends { default: string } | { required: true }
      ? Value
      : Value | undefined
  : never;

/** The values of a table's inputs, under the names that workflow authors write. */
export type ValuesOf<Table> = { -readonly [Key in keyof Table]: ValueOf<Table[Key]> };

/** The values of an action's inputs. */
export type Values<Name extends ActionName> = ValuesOf<InputsOf<Name>>;
