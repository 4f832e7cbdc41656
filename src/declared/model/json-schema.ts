import { z } from 'zod';
import { siteFileSchema } from './schema.ts';

/**
 * The site file's JSON Schema, for editors: draft 7, which all of them know. It cannot say all that the
 * reader checks; what it refuses, the reader refuses too.
 */
export function siteFileJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(siteFileSchema, { target: 'draft-7', io: 'input' });
}
