import { emoji, text as letters } from '../../../../test/support/contract/bodies.ts';
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

type Fields = Readonly<Record<string, Field | Body>>;

/** An object: its fields, and whole objects as values. */
export interface Body extends Field {
  readonly required: Fields;
  readonly optional: Fields;
  /** Invalid objects, each with as many invalid fields as possible, and the fields that the error must name. */
  readonly invalid: readonly { readonly value: unknown; readonly names: readonly string[] }[];
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

/** An integer, from `min` to `max` if they are given. */
export function integer(min?: number, max?: number): Field {
  const beyond = min === undefined || max === undefined ? [] : [min - 1, max + 1];
  return { accepts: [1, min ?? 0, max ?? 0], refuses: [...beyond, 1.5, '1', null] };
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

/** The nth valid value of each field. */
const nthValid = (fields: Fields, n: number) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { accepts }]) => [name, accepts[n] ?? accepts.at(-1)]),
  );

/** The nth invalid value of each field that has so many, by the names in the error. */
function nthInvalid(fields: Fields, n: number) {
  const wrong = Object.entries(fields).flatMap(([name, field]) => {
    if (!('invalid' in field)) {
      return n < field.refuses.length ? [{ name, value: field.refuses[n], names: [name] }] : [];
    }
    const inside = field.invalid[n];
    if (inside === undefined) return [];
    return [{ name, ...inside, names: inside.names.map((inner) => `${name}.${inner}`) }];
  });
  return {
    value: Object.fromEntries(wrong.map(({ name, value }) => [name, value])),
    names: wrong.flatMap(({ names }) => names),
  };
}

/** An object that has no other fields. */
export function object(required: Fields, optional: Fields = {}): Body {
  const all = { ...required, ...optional };
  const counts = (key: 'accepts' | 'refuses') =>
    Math.max(0, ...Object.values(all).map((field) => field[key].length));
  const usual = nthValid(required, 0);
  const unknown = ['unknownField', 'idempotencyKey'].filter((name) => !(name in all));
  const invalid = [
    ...Array.from({ length: counts('refuses') }, (_, n) => nthInvalid(all, n)).map(
      ({ value, names }) => ({ value: { ...usual, ...value }, names }),
    ),
    ...(Object.keys(required).length > 0 ? [{ value: {}, names: Object.keys(required) }] : []),
    ...unknown.map((name) => ({ value: { ...usual, [name]: 'a' }, names: [] })),
    { value: [usual], names: [] },
    { value: null, names: [] },
  ];
  return {
    required,
    optional,
    accepts: [usual, ...Array.from({ length: counts('accepts') }, (_, n) => nthValid(all, n))],
    invalid,
    refuses: invalid.map(({ value }) => value),
    unknown: Object.entries(all).flatMap(([name, field]) =>
      (field.unknown ?? []).map((value) => ({ ...usual, [name]: value })),
    ),
  };
}
