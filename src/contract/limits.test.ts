import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoints, isLoopback, surelyTooLong } from './limits.ts';

test.each([
  ['nothing', '', 0],
  ['letters', 'abc', 3],
  ['an emoji', '😀', 1],
  ['an emoji of several characters', '👩‍👩‍👧', 5],
  ['half a character', '\ud83d', 1],
])('%s has as many characters', (_name, text, count) => {
  expect(codePoints(text)).toBe(count);
});

test('a text is too long only if it is so by every way of counting', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ü', '€', '😀'), maxLength: 12 });
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 12 }), (given, max) => {
      const counts = [given.length, Array.from(given).length, Buffer.byteLength(given)];
      expect(surelyTooLong(given, max)).toBe(counts.every((count) => count > max));
    }),
  );
});

describe('this machine itself', () => {
  test.each([
    ['http://localhost', true],
    ['http://LOCALHOST:8080/a', true],
    ['http://api.localhost', true],
    ['http://127.0.0.1:3000', true],
    ['http://127.9.9.9', true],
    ['http://127.1', true],
    ['http://[::1]:80', true],
    ['http://localhost.example.com', false],
    ['http://notlocalhost', false],
    ['http://127.0.0.1.example.com', false],
    ['http://0.0.0.0', false],
    ['http://10.0.0.1', false],
    ['http://[::2]', false],
    ['https://user@api.example.com', false],
  ])('%s: %s', (url, is) => {
    expect(isLoopback(new URL(url))).toBe(is);
  });
});
