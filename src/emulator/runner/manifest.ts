import { readFile } from 'node:fs/promises';
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

/**
 * Reads an action's `action.yml`.
 * @throws Error if it is missing, or is not a JavaScript action's.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, 'action.yml');
  const parsed = manifestShape.safeParse(parse(await readFile(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
