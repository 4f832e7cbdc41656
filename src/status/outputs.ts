import { z } from 'zod';
import { connectedDomainOutput } from '../domains/outputs.ts';
import { commonOutputs, type OutputsOf, someText, wordOf } from '../output-shapes.ts';

/** A run as its release record shows it. */
const run = {
  since: someText.describe('When its run created the GitHub deployment, by the clock of GitHub.'),
  'run-id': someText.optional(),
  'run-url': someText.optional(),
};

const commit = z.string().regex(/^[0-9a-f]{40}$/);

/** The outputs of the command `status`. What is not known is absent, and `unknown` says why. */
export const statusOutputs = {
  outcome: wordOf('succeeded', 'failed', 'timed-out', 'cancelled'),
  live: z
    .strictObject({ commit, ...run })
    .describe('What is live in production by the signed GitHub deployments of the runs.'),
  variables: z
    .strictObject({
      pending: z.boolean().optional().describe('`true` if changes wait for a deployment.'),
      stale: z
        .boolean()
        .optional()
        .describe('`true` if changes are not applied to the preview runtime yet.'),
      list: z.array(
        z.object({
          name: z.string(),
          production: z.boolean(),
          preview: z.boolean(),
          'updated-at': someText.optional(),
        }),
      ),
    })
    .describe('The variables of the project, the last changed first, and whether they wait.'),
  domains: z
    .array(connectedDomainOutput)
    .describe(
      'The connected domains of the project, and those of no project that are not verified, with the DNS records to create.',
    ),
  previews: z
    .array(
      z.object({
        'pull-request': z.int(),
        commit: commit
          .optional()
          .describe('Absent if a run may still be deploying, or ended without a result.'),
        'project-id': someText.optional(),
        hostnames: z.array(z.string()).optional().describe('The domains of its project.'),
        ...run,
      }),
    )
    .describe('The previews by the signed GitHub deployments of the runs.'),
  unknown: z
    .array(
      z.object({
        about: z.enum(['live', 'variables', 'domains', 'registered-domains', 'previews']),
        why: someText,
        code: z
          .string()
          .regex(/^SD\d{4}$/)
          .optional(),
      }),
    )
    .describe("What can't be known, and why."),
  ...commonOutputs,
};

/** The values of the outputs of `status`. */
export type StatusOutputs = OutputsOf<typeof statusOutputs>;
