import { z } from 'zod';
import { commonOutputs, count, type OutputsOf, planOutputs, wordOf } from '../output-shapes.ts';

/** The outputs about environment variables, besides the plan. */
export const variableOutputs = {
  'env-summary': z
    .object({
      created: count,
      replaced: count,
      retargeted: count,
      deleted: count,
      unchanged: count,
      kept: count,
      conflicts: count,
      failed: count,
      'not-reached': count,
      undeclared: count,
    })
    .describe(
      'JSON with the number of variables for each of `created`, `replaced`, `retargeted`, `deleted`, `unchanged`, `kept`, `conflicts`, `failed`, `not-reached` and `undeclared`. For a plan, what would change.',
    ),
  drift: z
    .boolean()
    .describe(
      '`true` if the plan has any change, or if a variable was changed outside this action and kept.',
    ),
};

/** The state of the runtimes. */
export const runtimeOutputs = {
  stale: z
    .boolean()
    .describe(
      '`true` if written values are not applied to the preview runtime yet. Empty if the service does not report it.',
    ),
  pending: z
    .boolean()
    .describe(
      '`true` if written values are not published to the production runtime yet. Empty if the service does not report it.',
    ),
};

/** The outputs of `env-sync`. */
export const envSyncOutputs = {
  outcome: wordOf('synced', 'planned', 'failed', 'timed-out', 'cancelled', 'conflict', 'skipped'),
  ...planOutputs,
  ...variableOutputs,
  ...runtimeOutputs,
  ...commonOutputs,
};

/** The values of the outputs of `env-sync`. */
export type EnvSyncOutputs = OutputsOf<typeof envSyncOutputs>;
