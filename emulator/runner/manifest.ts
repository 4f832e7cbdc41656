import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const scalar = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .transform((value) => (value === null ? '' : String(value)));

const manifestShape = z.object({
  name: z.string(),
  inputs: z
    .record(
      z.string(),
      z
        .object({ default: scalar.default(''), deprecationMessage: z.string().optional() })
        .nullable(),
    )
    .nullish(),
  runs: z.object({
    using: z.enum(['node20', 'node24']),
    main: z.string(),
    pre: z.string().optional(),
    'pre-if': z.string().default('always()'),
    post: z.string().optional(),
    'post-if': z.string().default('always()'),
  }),
});

/** What the runner takes from an `action.yml` of a JavaScript action. */
export type Manifest = z.output<typeof manifestShape>;

/** What was read, by its text: an action is started again and again, and each parsing takes milliseconds. */
const known = new Map<string, Manifest>();

/**
 * Reads an action's `action.yml`.
 * @throws Error if it is missing, or is not a JavaScript action's.
 */
export function readManifest(folder: string): Manifest {
  const file = join(folder, 'action.yml');
  const text = readFileSync(file, 'utf8');
  const before = known.get(text);
  if (before !== undefined) return before;
  const parsed = manifestShape.safeParse(parse(text));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  known.set(text, parsed.data);
  return parsed.data;
}
