import { z } from 'zod';
import { listOf, someText } from '../output-shapes.ts';

/** The output about the checks of a site. */
export const checkOutputs = {
  checks: listOf(
    z.object({
      check: someText,
      wanted: someText,
      seen: someText,
      held: z.boolean().optional(),
      ms: z.int().min(0).optional(),
    }),
  ).describe(
    'JSON: `[ { "check", "wanted", "seen", "held", "ms" } ]`, one item for each check of the site. `held` is `true` if it passed, and absent if it did not finish; `ms` is absent without a response.',
  ),
};
