import { emoji, text as letters } from '../../../../test/contract/bodies.ts';
import type { Seeded } from './world.ts';

/** The values of a field. A function stands for a value that depends on the world, such as an id. */
export interface Field {
  /** Valid values, with those at the limits. The first one is in each usual request. */
  readonly accepts: readonly unknown[];
  /** Values of the wrong type, and values just beyond the limits. */
  readonly refuses: readonly unknown[];
  /** Valid values that name nothing. */
  readonly unknown?: readonly unknown[];
}

/** An object: its fields, and whole objects as values. */
export interface Body extends Field {
  readonly required: Readonly<Record<string, Field>>;
  readonly optional: Readonly<Record<string, Field>>;
}

/** A value without functions. */
export function resolve(value: unknown, seeded: Seeded): unknown {
  if (typeof value === 'function') return value(seeded);
  if (Array.isArray(value)) return value.map((item) => resolve(item, seeded));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, resolve(field, seeded)]),
  );
}

/** A string of `min` to `max` characters, however many bytes they take. */
export function text(min: 0 | 1, max?: number): Field {
  const longest = max === undefined ? letters(100_000) : emoji(max);
  const tooLong = max === undefined ? [] : [letters(max + 1)];
  return {
    accepts: ['a', ...(min === 0 ? [''] : []), longest],
    refuses: [...(min === 0 ? [] : ['']), ...tooLong, 7, null],
  };
}

/** One of some words. */
export function oneOf(...words: readonly string[]): Field {
  return { accepts: words, refuses: ['', words[0]?.toUpperCase(), null] };
}

export const boolean: Field = { accepts: [true, false], refuses: ['true', null] };

/** An integer from `min` to `max`. */
export function integer(min: number, max: number): Field {
  return { accepts: [1, min, max], refuses: [min - 1, max + 1, 1.5, '1', null] };
}

/** A list of `min` to `max` items. */
export function list(item: Field, min: 0 | 1, max: number): Field {
  const [usual, ...others] = item.accepts;
  const items = (count: number) => Array(count).fill(usual);
  return {
    accepts: [[usual], ...(min === 0 ? [[]] : []), items(max), ...others.map((one) => [one])],
    refuses: [
      ...(min === 0 ? [] : [[]]),
      items(max + 1),
      usual,
      ...item.refuses.map((one) => [usual, one]),
    ],
  };
}

/** An object that has no other fields. */
export function object(required: Body['required'], optional: Body['optional'] = {}): Body {
  const all = { ...required, ...optional };
  /** All fields at once, each with its nth valid value. */
  const nth = (fields: Body['required'], n: number) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, { accepts }]) => [name, accepts[n] ?? accepts.at(-1)]),
    );
  const usual = nth(required, 0);
  const most = Math.max(0, ...Object.values(all).map(({ accepts }) => accepts.length));
  const withEach = (values: (field: Field) => readonly unknown[]) =>
    Object.entries(all).flatMap(([name, field]) =>
      values(field).map((value) => ({ ...usual, [name]: value })),
    );
  const others = ['unknownField', 'idempotencyKey'].filter((name) => !(name in all));
  return {
    required,
    optional,
    accepts: [usual, ...Array.from({ length: most }, (_, n) => nth(all, n))],
    refuses: [
      ...Object.keys(required).map((name) => ({ ...usual, [name]: undefined })),
      ...withEach(({ refuses }) => refuses),
      ...others.map((name) => ({ ...usual, [name]: 'a' })),
      [usual],
      null,
    ],
    unknown: withEach((field) => field.unknown ?? []),
  };
}
