import { z } from 'zod';
import type { Position } from './position.ts';

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

/** An entry of a section with a valid name, at the position of that name. */
export interface Entry<Value> {
  name: string;
  /** Undefined if it is invalid. */
  value: Value | undefined;
  /** The raw value. */
  given: unknown;
  position: Position;
}

/** A part of an entry; undefined if it is invalid or missing. */
export function right<Schema extends z.ZodType>(schema: Schema, part: unknown) {
  const result = schema.safeParse(part);
  return result.success ? result.data : undefined;
}
