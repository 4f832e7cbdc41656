import { z } from 'zod';

/**
 * The schema of a mapping with these keys and no others.
 *
 * @param hint what to write instead of a value of another type
 */
export function mapping<Shape extends z.core.$ZodShape>(shape: Shape, hint: string) {
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'invalid_type' ? `this must be a mapping, ${hint}` : undefined),
  });
}
