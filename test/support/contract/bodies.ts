import { describe, expect, test } from 'vitest';
import type { z } from 'zod';

type FieldValues = readonly (readonly [field: string, value: unknown])[];

/** A request's body: its shape, one that may be sent, and what each field takes and does not. */
export interface BodyCase {
  name: string;
  shape: z.ZodType;
  body: Readonly<Record<string, unknown>>;
  required: readonly string[];
  good: FieldValues;
  bad: FieldValues;
}

/** A text of so many characters, however they are counted. */
export const text = (length: number): string => 'a'.repeat(length);

/** A text of so many characters, each of two UTF-16 units and four bytes. */
export const emoji = (length: number): string => '😀'.repeat(length);

/** So many strings, all different. */
export const items = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `item-${index}`);

/** So many hostnames, all different. */
export const hostnames = (count: number): string[] => items(count).map((item) => `${item}.example`);

/** What the idempotency key of a body takes and does not. */
export const key = {
  good: [
    ['idempotencyKey', text(1)],
    ['idempotencyKey', text(128)],
  ],
  bad: [
    ['idempotencyKey', ''],
    ['idempotencyKey', text(129)],
  ],
} as const;

const shown = (value: unknown): string => {
  const json = JSON.stringify(value) ?? 'undefined';
  return json.length <= 40 ? json : `${json.slice(0, 20)}… (${json.length} long)`;
};

const named = (pairs: FieldValues) =>
  pairs.map(([field, value]) => [field, shown(value), value] as const);

/** Tests that bodies are sent as the interface has them, and in no other way. */
export function describeBodies(cases: readonly BodyCase[]): void {
  describe.each(cases)('$name', ({ shape, body, required, good, bad }) => {
    test('is sent', () => {
      expect(shape.parse(body)).toEqual(body);
    });

    test.each(named(good))('is sent with %s %s', (field, _shown, value) => {
      const sent = { ...body, [field]: value };
      expect(shape.parse(sent)).toEqual(sent);
    });

    test.each(named(bad))('is not sent with %s %s', (field, _shown, value) => {
      expect(shape.safeParse({ ...body, [field]: value }).success).toBe(false);
    });

    test.each([...required])('is not sent without %s', (field) => {
      const { [field]: _, ...rest } = body;
      expect(shape.safeParse(rest).success).toBe(false);
    });

    test('is not sent with a field that the interface does not list', () => {
      expect(shape.safeParse({ ...body, surprise: 1 }).success).toBe(false);
    });
  });
}
