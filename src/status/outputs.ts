import { z } from 'zod';
import { connectedDomainOutput } from '../domains/outputs.ts';
import { commonOutputs, type OutputsOf, someText, wordOf } from '../output-shapes.ts';
import { runtimeOutputs } from '../variables/outputs.ts';

/** A release, by its signed GitHub deployment. */
const release = z.object({
  'pull-request': z.int().optional().describe('Of a preview.'),
  'project-id': someText.optional().describe('Of a preview.'),
  commit: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .optional()
    .describe('Absent if a run may still be deploying, or ended without a clear result.'),
  since: someText.describe('When its run created the GitHub deployment, by the clock of GitHub.'),
  'run-id': someText.optional(),
  'run-url': someText.optional(),
});

/** The outputs of the command `status`. What is not known is absent, and `unknown` says why. */
export const statusOutputs = {
  outcome: wordOf('succeeded', 'failed', 'timed-out', 'cancelled'),
  live: release.describe('The last release to production, by the GitHub deployments of the runs.'),
  ...runtimeOutputs,
  domains: z
    .array(connectedDomainOutput)
    .describe(
      'The connected domains of the project, and those of no project that are not verified, with the DNS records to create.',
    ),
  previews: z.array(release).describe('The previews, by the GitHub deployments of the runs.'),
  unknown: z
    .array(z.object({ why: someText, code: someText.optional() }))
    .describe("What can't be known, and why; with a code if a request failed."),
  ...commonOutputs,
};

/** The values of the outputs of `status`. */
export type StatusOutputs = OutputsOf<typeof statusOutputs>;
