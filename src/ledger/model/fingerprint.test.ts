import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rows, runs } from '../../../test/support/exhaustive.ts';
import { deriveLedgerKeys } from './keys.ts';
import { fingerprintsOf, type WrittenValue } from './ledger.ts';

const key = deriveLedgerKeys('not-a-real-key').fingerprint;
const written: WrittenValue = {
  id: 'i',
  name: 'A',
  kind: 'secret',
  version: 1,
  value: 'fake-value',
};
const of = (fields: Partial<WrittenValue> = {}, project = 'p', by = key) =>
  fingerprintsOf(project, by)({ ...written, ...fields });

test('the fingerprint of the same is the same', () => {
  expect(of()).toBe(of());
  expect(of()).toMatch(/^[\w-]{43}$/);
});

test.each<[string, string]>([
  ['project', of({}, 'p2')],
  ['id', of({ id: 'i2' })],
  ['name', of({ name: 'B' })],
  ['kind', of({ kind: 'plain' })],
  ['version', of({ version: 2 })],
  ['sign of a version', of({ version: -1 })],
  ['value', of({ value: 'fake-value2' })],
  ['value by white space', of({ value: 'fake-value\n' })],
  ['key', of({}, 'p', deriveLedgerKeys('another').fingerprint)],
])('it differs by %s', (_name, other) => {
  expect(other).not.toBe(of());
});

describe('what moves from one field to the next makes another fingerprint', () => {
  test.each<[string, string, string]>([
    ['project and id', of({ id: 'b' }, 'a'), of({ id: '' }, 'ab')],
    ['id and name', of({ id: 'a', name: 'b' }), of({ id: 'ab', name: '' })],
    ['name and kind', of({ name: 'a', kind: 'b' }), of({ name: 'ab', kind: '' })],
    ['kind and version', of({ kind: 'a', version: 11 }), of({ kind: 'a1', version: 1 })],
    ['version and value', of({ version: 1, value: '1a' }), of({ version: 11, value: 'a' })],
    ['a separator in a value', of({ id: 'a","b', name: 'c' }), of({ id: 'a', name: 'b","c' })],
    ['an escape and what it stands for', of({ value: '\n' }), of({ value: '\\n' })],
    ['a half of a pair and its escape', of({ value: '\ud800' }), of({ value: '\\ud800' })],
    ['two halves of pairs', of({ value: '\ud800' }), of({ value: '\ud801' })],
    ['a half of a pair and what replaces it', of({ value: '\ud800' }), of({ value: '\ufffd' })],
    ['a number and its text', of({ version: 1, value: '' }), of({ version: 0, value: '1' })],
  ])('%s', (_name, one, other) => {
    expect(other).not.toBe(one);
  });

  test('whatever the fields are', () => {
    const part = fc.string({ unit: fc.constantFrom('"', ',', '\\', '1', 'a'), maxLength: 3 });
    const any = fc.tuple(part, part, part, part, fc.integer({ min: 0, max: 111 }), part);
    const one = ([project, id, name, kind, version, value]: [
      string,
      string,
      string,
      string,
      number,
      string,
    ]) => of({ id, name, kind, version, value }, project);
    fc.assert(
      fc.property(any, any, (first, second) => {
        expect(one(first) === one(second)).toBe(JSON.stringify(first) === JSON.stringify(second));
      }),
      runs(100),
    );
  });
});

test('a short value cannot be found without the key, by trying all there are', () => {
  const known = ['p', written.id, written.name, written.kind, written.version];
  const texts = (value: string) => [
    value,
    JSON.stringify([...known, value]),
    [...known, value].join(''),
  ];
  const all = Array.from({ length: 10_000 }, (_, guess) => String(guess).padStart(4, '0'));
  const guesses = rows(all, (guess) => guess.startsWith('4'));
  const hashes = guesses
    .flatMap(texts)
    .flatMap((text) => [
      createHash('sha256').update(text).digest('base64url'),
      createHmac('sha256', '').update(text).digest('base64url'),
    ]);
  const guessed = guesses.map((value) => of({ value }, 'p', Buffer.alloc(32)));
  expect([...hashes, ...guessed]).not.toContain(of({ value: '4711' }));
});
