import { z } from 'zod';
import type { Dialect } from '../dialect.ts';

/**
 * The emulator's own reading of the interface's limits, apart from the shapes that the client uses. The checks
 * read the live dialect each time.
 */

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A `uuid` in a path. */
export const uuid = z.string().regex(uuidPattern, 'must be a UUID');

/** `versionId`: 40 lowercase hex characters (section "Deployments"). */
export const commitId = z.string().regex(/^[0-9a-f]{40}$/, 'must be 40 lowercase hex characters');

/** `expectedVersion`: an integer from -9007199254740991 to 9007199254740991 (section "Limits"). */
export const versionNumber = z
  .number()
  .refine(Number.isSafeInteger, 'must be an integer from -9007199254740991 to 9007199254740991');

/** A string of `min` to `max` characters, counted in the dialect's unit. */
export function characters(dialect: Dialect, min: number, max: number) {
  return z.string().refine((value) => {
    const length = lengthIn(dialect.lengthUnit, value);
    return length >= min && length <= max;
  }, `must have ${min} to ${max} characters`);
}

/** `idempotencyKey`: 1 to 128 characters (section "Endpoints"). */
export function idempotencyKey(dialect: Dialect) {
  return characters(dialect, 1, 128).optional();
}

function lengthIn(unit: Dialect['lengthUnit'], value: string): number {
  if (unit === 'bytes') return Buffer.byteLength(value);
  return unit === 'utf16' ? value.length : Array.from(value).length;
}

/** One line on everything that is wrong with a request's shape. */
export function explain(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${issue.path.join('.') || 'request'}: ${issue.message}`)
    .join('; ');
}
