import type { z } from 'zod';
import type { Position } from './position.ts';

/** An entry of a section under a right name, at the position of that name. */
export interface Entry<Value> {
  name: string;
  /** Undefined if it is wrong. */
  value: Value | undefined;
  /** What stands there, right or wrong. */
  given: unknown;
  place: Position;
}

/** A part of an entry; undefined if it is wrong or not there. */
export function right<Schema extends z.ZodType>(schema: Schema, part: unknown) {
  const result = schema.safeParse(part);
  return result.success ? result.data : undefined;
}
