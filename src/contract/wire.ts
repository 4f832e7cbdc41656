import { z } from 'zod';
import { limits, surelyTooLong, uuidPattern } from './limits.ts';
import { inWords } from './words.ts';

/**
 * Shapes are tolerant when reading: fields that the interface does not list pass, every status is a plain
 * string, and a field that nothing depends on may be absent or null. They are strict when writing: unknown
 * fields and values beyond a stated limit are refused before anything is sent.
 */

/** A field that may be absent or null in an answer. */
export const optional = <T extends z.ZodType>(shape: T) => shape.nullish();

/**
 * A list in an answer. It is read up to its first mistake: zod's own gathers them all, and of a million it takes
 * more time and memory than there is.
 */
export function list<Item extends z.ZodType>(item: Item) {
  return z.array(z.unknown()).transform((items, context): z.output<Item>[] => {
    const read: z.output<Item>[] = [];
    for (const [index, one] of items.entries()) {
      const { data, error } = item.safeParse(one, { error: inWords });
      if (error !== undefined) {
        const [issue] = error.issues;
        const path = [index, ...(issue?.path ?? [])];
        context.addIssue({ code: 'custom', path, message: issue?.message ?? 'is wrong' });
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
 * A project's id in an answer. A UUID is in lower case from here on, as in our inputs, so that ids can be compared;
 * anything else stays as it is, or a secret in it would not be known again.
 */
export const projectId = z
  .string()
  .overwrite((id) => (uuid.safeParse(id).success ? id.toLowerCase() : id));

/** `idempotencyKey` (section "Endpoints"). */
export const idempotencyKey = z
  .string()
  .min(limits.idempotencyKey.min)
  .max(limits.idempotencyKey.max);

/** A string of at most `max` characters, refused only when it is too long by every way of counting. */
export function text(min: number, max: number) {
  return z
    .string()
    .min(min)
    .refine((value) => !surelyTooLong(value, max), `must have at most ${max} characters`);
}
