import { z } from 'zod';
import { limits, surelyTooLong, uuidPattern } from './limits.ts';

/** What each type of a shape must be. */
const types: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

const sized = (what: string, end: string, size: number | bigint): string =>
  `must ${what === 'string' || what === 'array' ? 'have' : 'be'} ${end} ${size}${what === 'string' ? ' characters' : what === 'array' ? ' items' : ''}`;

/** The messages of shapes without their own: the rule, never the value. zod's own presume knowledge of zod. */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return types[issue.expected] ?? 'is of the wrong type';
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return issue.minimum === 1 && (issue.origin === 'string' || issue.origin === 'array')
        ? 'must not be empty'
        : sized(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return sized(issue.origin, 'at most', issue.maximum);
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    default:
      return 'has an invalid format';
  }
};

/**
 * Shapes are tolerant when reading: fields that the interface does not list pass, every status is a plain
 * string, and a field that nothing depends on may be absent or null. They are strict when writing: unknown
 * fields and values beyond a stated limit are refused before anything is sent.
 */

/** A field that may be absent or null in an answer. */
export const optional = <T extends z.ZodType>(shape: T) => shape.nullish();

/**
 * A list in a response. It is read up to its first mistake: zod's own list gathers all of them, which runs out of time
 * and memory with a million.
 */
export function list<Item extends z.ZodType>(item: Item) {
  return z.array(z.unknown()).transform((items, context): z.output<Item>[] => {
    const read: z.output<Item>[] = [];
    for (const [index, one] of items.entries()) {
      const { data, error } = item.safeParse(one, { error: inWords });
      if (error !== undefined) {
        const [issue] = error.issues;
        const path = [index, ...(issue?.path ?? [])];
        context.addIssue({ code: 'custom', path, message: issue?.message ?? 'is invalid' });
        return z.NEVER;
      }
      read.push(data);
    }
    return read;
  });
}

/** A UUID in a request's path or body. */
export const uuid = z.string('must be a UUID').regex(uuidPattern, 'must be a UUID');

/**
 * A project's id in a response. A UUID is converted to lower case, as in the inputs, so that ids can be compared;
 * anything else stays as it is, so that a secret in it is still recognized.
 */
export const projectId = z
  .string()
  .overwrite((id) => (uuid.safeParse(id).success ? id.toLowerCase() : id));

/** `idempotencyKey` (section "Endpoints"). */
export const idempotencyKey = z
  .string()
  .min(limits.idempotencyKey.min)
  .max(limits.idempotencyKey.max);

/** A string of at most `max` characters, rejected only if it is too long by every way of counting. */
export function text(min: number, max: number) {
  return z
    .string()
    .min(min)
    .refine((value) => !surelyTooLong(value, max), `must have at most ${max} characters`);
}
