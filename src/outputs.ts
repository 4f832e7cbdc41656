import { z } from 'zod';
import { deployOutputs } from './deploy/outputs.ts';
import { domainsOutputs } from './domains/outputs.ts';
import type { ActionName } from './inputs.ts';
import { messageOutputs } from './messages/outputs.ts';
import { next, type OutputTable } from './output-shapes.ts';
import { projectsOutputs } from './projects/outputs.ts';
import { statusOutputs } from './status/outputs.ts';
import { envSyncOutputs } from './variables/outputs.ts';

/**
 * The outputs of every action, and of the command `status`, by name. No run loads them: they give their types, their
 * documentation and the schema.
 */
const outputs = {
  deploy: deployOutputs,
  'env-sync': envSyncOutputs,
  domains: domainsOutputs,
  message: messageOutputs,
  projects: projectsOutputs,
  status: statusOutputs,
} as const satisfies Readonly<Record<ActionName | 'status', OutputTable>>;

/** The outcomes of an action. */
export const outcomesOf = (action: ActionName): readonly string[] =>
  outputs[action].outcome.options;

/** The outputs that are made of the whole result. */
const ofResult = {
  error:
    'What went wrong and what to do, in one line, with workflow commands neutralized as in the log.',
  'error-code': 'Code of the error, such as `SD3401`; of several, that of the last.',
  result:
    'All of this in one line of JSON, with numbers, booleans, lists and objects, the error and its code.',
};

/** The descriptions of all outputs of an action, as workflow authors see them. */
export function describeOutputs(action: ActionName): Record<string, string> {
  const own = Object.entries<z.ZodType>(outputs[action]).map(([name, { description = '' }]) => [
    name,
    description,
  ]);
  return { ...Object.fromEntries(own), ...ofResult };
}

const version = z.literal(1).describe('The version of this schema.');

const error = z
  .object({
    code: z
      .string()
      .regex(/^SD\d{4}$/)
      .describe('Its entry in the troubleshooting page.'),
    message: z.string(),
  })
  .describe('What went wrong and what to do.');

/** The error that ended a run. */
const ending = error.extend({ next: next.optional() }).describe(error.description ?? '');

/** What every result has besides the outputs. */
const besides = {
  error: ending.optional(),
  problems: z
    .array(error.extend({ input: z.string() }))
    .optional()
    .describe('What is wrong with the inputs, each by itself: the first 50.'),
  omitted: z
    .array(z.string())
    .optional()
    .describe('The longest fields, which are left out of an output of more than 256 kB.'),
};

/** The result of an action, or of the status. */
const resultOf = (action: keyof typeof outputs) =>
  z.object({
    schema: version,
    action: z.literal(action),
    ...z.object(outputs[action]).partial().shape,
    outcome: outputs[action].outcome,
    ...besides,
  });

const result = z
  .union([
    ...(Object.keys(outputs) as (keyof typeof outputs)[]).map(resultOf),
    z
      .object({
        schema: version,
        // A result with one is none of these, whatever fields may be added.
        action: z.never().optional(),
        outcome: z.literal('failed'),
        error: ending,
      })
      .describe('A command line that names no command.'),
  ])
  .meta({
    title: 'Result',
    description:
      'The result of a run, as the output result and the flag --json have it. A field without a value is absent: where the output is empty. Later versions of the action can add fields.',
  });

/**
 * The JSON Schema of a result.
 *
 * @param io `input`: as others read it, with fields that later versions may add; `output`: as this version writes it
 */
export const resultJsonSchema = (io: 'input' | 'output'): z.core.JSONSchema.BaseSchema =>
  z.toJSONSchema(result, { target: 'draft-7', io });
