import { z } from 'zod';
import { commonOutputs, count, type OutputsOf, someText, wordOf } from '../output-shapes.ts';

/** The outputs of `projects`. */
export const projectsOutputs = {
  outcome: wordOf('succeeded', 'failed', 'timed-out', 'cancelled', 'skipped'),
  projects: z
    .array(z.looseObject({ projectId: someText }))
    .describe(
      'JSON array of projects, as the service returns it. Never truncated: if it is too long for an output, the step fails.',
    ),
  matrix: z
    .object({
      include: z.array(z.object({ 'project-id': z.string(), name: z.string() })).max(256),
    })
    .describe(
      'JSON `{ "include": [ { "project-id", "name" } ] }` for `strategy.matrix`, at most 256.',
    ),
  count: count.describe('The number of projects in `matrix`.'),
  'project-id': someText.describe('Id of the created project.'),
  'initial-message-id': someText.describe(
    'Id of the first message of a project that was created with a prompt.',
  ),
  ...commonOutputs,
};

/** The values of the outputs of `projects`. */
export type ProjectsOutputs = OutputsOf<typeof projectsOutputs>;
