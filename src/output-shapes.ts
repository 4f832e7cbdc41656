import { z } from 'zod';

/** The outputs of an action, by name: their shapes, and their descriptions. */
export type OutputTable = Readonly<Record<string, z.ZodType>>;

/** A JSON value that is only read. */
type Read<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Read<Value[Key]> }
  : Value;

/** The values of a table's outputs; undefined where there is nothing to say. */
export type OutputsOf<Table extends OutputTable> = {
  readonly [Key in keyof Table]: Read<z.output<Table[Key]>> | undefined;
};

/** One of several words, which are also its description. */
export function wordOf<const Words extends readonly string[]>(...words: Words) {
  const names = words.map((word) => `\`${word}\``);
  return z.enum(words).describe(`${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`);
}

/** A text: where it would be empty, there is nothing to say. */
export const someText = z.string().min(1);

/** A number of things. */
export const count = z.int().min(0);

/** Stands at the end of a list that was too long: the number of items that were left out. */
const leftOut = z.object({ 'left-out': count });

/** A list that is cut if it is too long. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.array(z.union([item, leftOut]));

/** A value that may be shown. */
const shown = z.union([z.string(), z.number(), z.boolean()]);

/** A change of a plan. */
const change = z.object({
  type: z.enum(['environment', 'domain']),
  resource: z.enum(['variable', 'connected-domain', 'registered-domain', 'dns-record']),
  name: someText,
  action: someText,
  reason: z.string(),
  domain: someText.optional().describe('Of a DNS record: its registered domain.'),
  record: z
    .record(z.string(), shown)
    .optional()
    .describe('Of a DNS record: all of it, as planned.'),
  differences: z
    .array(z.object({ field: someText, from: shown.optional(), to: shown }))
    .optional()
    .describe('Of a DNS record: the fields that change.'),
  unnamed: z
    .literal(true)
    .optional()
    .describe('Of a DNS record: it replaces one that the site file does not name.'),
  project: z
    .object({ from: someText.optional(), to: someText.optional() })
    .optional()
    .describe('Of a connected domain: its project before and after.'),
  'changed-elsewhere': z
    .literal(true)
    .optional()
    .describe('Of a variable: it was probably changed outside this action.'),
});

/** A plan, without values. */
const plan = z.object({
  digest: someText,
  changes: z.array(change),
  'left-out': count.optional(),
});

/** A plan, as an output. */
export type PlanOutput = Read<z.infer<typeof plan>>;

/** The outputs about a plan. */
export const planOutputs = {
  plan: plan.describe(
    'JSON: `{ "digest", "changes": [ { "type", "resource", "name", "action", "reason" } ] }`, without values.',
  ),
  'plan-digest': someText.describe('Digest of the plan, for `expected-plan`. It reveals no value.'),
};

/** What to do after an error. */
export const next = z
  .union([
    z.object({
      argv: z
        .array(z.string())
        .min(1)
        .describe('The arguments of the next command line. It discards and deletes nothing.'),
      why: z.string(),
    }),
    z.object({ needs: z.string().describe('What only a person can do.') }),
  ])
  .describe('What to do after a frequent error. Only the command sets it, with --json.');

/** What to do after an error. */
export type Next = Read<z.infer<typeof next>>;

/** The outputs that every action has, besides its outcome. */
export const commonOutputs = {
  requests: count.describe(
    'Number of requests sent to the service. Attempts without a connection do not count.',
  ),
  'duration-ms': count.describe('Duration of the step in milliseconds.'),
};
