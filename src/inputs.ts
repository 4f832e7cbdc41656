import { deploy } from './deploy/inputs.ts';
import { domains } from './domains/inputs.ts';
import type { ActionDefinition, ValuesOf } from './inputs/input.ts';
import { message } from './messages/inputs.ts';
import { projects } from './projects/inputs.ts';
import { envSync } from './variables/env-sync-inputs.ts';

export type { ActionDefinition, Input, ValuesOf } from './inputs/input.ts';

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

/** The values of an action's inputs. */
export type Values<Name extends ActionName> = ValuesOf<InputsOf<Name>>;
