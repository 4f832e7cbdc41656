import { z } from 'zod';
import {
  commonOutputs,
  listOf,
  type OutputsOf,
  planOutputs,
  someText,
  wordOf,
} from '../output-shapes.ts';

/** A connected domain after a run. */
export const connectedDomainOutput = z.object({
  hostname: someText,
  'project-id': someText.optional(),
  verification: z.enum(['good', 'bad', 'pending', 'unclear']),
  state: someText.optional(),
  statuses: z.array(z.object({ of: someText, status: z.string() })),
  unknown: z
    .array(z.string())
    .optional()
    .describe('The statuses that make its verification unclear.'),
  records: z
    .array(
      z.object({
        type: z.string(),
        name: z.string(),
        value: z.string(),
        purpose: someText.optional(),
        required: z.boolean(),
      }),
    )
    .describe('The DNS records that you still need to create.'),
  errors: z.array(z.string()),
  trouble: someText.optional().describe('Why its verification was not followed to its end.'),
});

/** The outputs of `domains`. */
export const domainsOutputs = {
  outcome: wordOf(
    'planned',
    'synced',
    'unconfirmed',
    'conflict',
    'failed',
    'timed-out',
    'cancelled',
    'skipped',
  ),
  ...planOutputs,
  drift: z
    .boolean()
    .describe(
      '`true` if a plan has any change, or if something still differs from the file. `false` after a run that applied everything.',
    ),
  domains: listOf(connectedDomainOutput).describe(
    'JSON: each connected domain in the file with its `project-id`, its `verification` (`good`, `bad`, `pending`, or `unclear`), its `statuses` (each `of` and `status`), and all DNS `records` that you still need to create.',
  ),
  availability: listOf(z.looseObject({ name: someText, registrable: z.boolean() })).describe(
    "JSON: the service's result for each checked name, in the order of `check`.",
  ),
  undeclared: listOf(z.looseObject({ domain: someText })).describe(
    'JSON: DNS records that are not in the file and are kept, each with its `domain` and its own fields.',
  ),
  ...commonOutputs,
};

/** The values of the outputs of `domains`. */
export type DomainsOutputs = OutputsOf<typeof domainsOutputs>;
