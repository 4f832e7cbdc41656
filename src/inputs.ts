import { deployDefinition } from './deploy/inputs.ts';
import { domains } from './domains/inputs.ts';
import type { ActionDefinition } from './inputs/input.ts';
import { message } from './messages/inputs.ts';
import { projects } from './projects/inputs.ts';
import { envSync } from './variables/env-sync-inputs.ts';

/** Every action of this repository, by the name of its entry in `dist/`. The only such table. */
export const actions = {
  deploy: deployDefinition,
  'env-sync': envSync,
  domains,
  message,
  projects,
} as const satisfies Readonly<Record<string, ActionDefinition>>;

/** The name of an action. */
export type ActionName = keyof typeof actions;
