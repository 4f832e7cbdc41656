import { z } from 'zod';
import { connectedDomainOutput } from '../domains/outputs.ts';
import { commonOutputs, type OutputsOf, someText, wordOf } from '../output-shapes.ts';

/** A commit, and the run that deployed it, by its release record. */
const release = {
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  since: someText.describe('When its run created the GitHub deployment, by the clock of GitHub.'),
  'run-id': someText.optional(),
  'run-url': someText.optional(),
};

/** The outputs of the command `status`. What is not known is absent, and `unknown` says why. */
export const statusOutputs = {
  outcome: wordOf('succeeded', 'failed', 'timed-out', 'cancelled'),
  live: z
    .object(release)
    .describe('What is live in production by the signed GitHub deployments of the runs.'),
  variables: z
    .object({
      pending: z.boolean().optional().describe('`true` if changes wait for a deployment.'),
      stale: z
        .boolean()
        .optional()
        .describe('`true` if changes are not applied to the preview runtime yet.'),
    })
    .describe('Whether changes of the variables wait.'),
  domains: z
    .array(connectedDomainOutput)
    .describe(
      'The connected domains of the project, and those of no project that are not verified, with the DNS records to create.',
    ),
  previews: z
    .array(
      z.object({
        'pull-request': z.int(),
        'project-id': someText.optional(),
        ...release,
        commit: release.commit
          .optional()
          .describe('Absent if a run may still be deploying, or ended without a result.'),
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
