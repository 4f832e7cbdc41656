import { describe, expect, test } from 'vitest';
import type { z } from 'zod';

/** An answer of the service: with every field of the interface, and the fields that something depends on. */
export interface AnswerCase {
  name: string;
  shape: z.ZodType;
  full: Readonly<Record<string, unknown>>;
  needed: readonly string[];
}

/** Tests that answers are read with as little as can be made use of, and with more than is known. */
export function describeAnswers(cases: readonly AnswerCase[]): void {
  describe.each(cases)('the answer $name', ({ shape, full, needed }) => {
    const spare = Object.keys(full).filter((name) => !needed.includes(name));

    test('is read with every field', () => {
      expect(shape.parse(full)).toEqual(full);
    });

    test('is read with fields that nobody knows, and keeps them', () => {
      const more = { ...full, newField: { deep: [1] } };
      expect(shape.parse(more)).toEqual(more);
    });

    test('is read with only what something depends on', () => {
      const least = Object.fromEntries(needed.map((name) => [name, full[name]]));
      expect(shape.parse(least)).toEqual(least);
    });

    test('is read with null in place of all the rest', () => {
      const nulls = { ...full, ...Object.fromEntries(spare.map((name) => [name, null])) };
      expect(shape.parse(nulls)).toEqual(nulls);
    });

    test.each(needed)('is refused without %s, or with null in it', (name) => {
      const { [name]: _, ...rest } = full;
      expect(shape.safeParse(rest).success).toBe(false);
      expect(shape.safeParse({ ...full, [name]: null }).success).toBe(false);
    });

    test.each([[null], ['text'], [7], [[]], [undefined]])('is refused as %j', (value) => {
      expect(shape.safeParse(value).success).toBe(false);
    });
  });
}
