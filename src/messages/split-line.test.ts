import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unsafeText } from '../kernel/text/safe.ts';
import { splitLine } from './text.ts';

test.each<[string, string, string[]]>([
  ['a short line', 'one two', ['one two']],
  ['a line as long as allowed', '0123456789', ['0123456789']],
  ['a long line, after a space', 'one two three', ['one two', 'three']],
  ['a long line without ASCII', '一二三四五六七八九十百', ['一二三四五六七八九十', '百']],
  ['a long line of emoji, no pair torn', 'a😀😀😀😀😀', ['a😀😀😀😀', '😀']],
  ['a long word', '0123456789abc', ['0123456789', 'abc']],
  ['a long word after a short one', 'a 0123456789abc', ['a', '0123456789', 'abc']],
  ['a long word, no pair torn', 'a23456789😀b', ['a23456789', '😀b']],
  ['nothing', '', ['']],
])('%s', (_name, line, parts) => {
  expect(splitLine(unsafeText(line), 10)).toEqual(parts);
});

test('gives all words of any line, each part within its bound', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '漢', '😀'), maxLength: 60 });
  fc.assert(
    fc.property(line, fc.integer({ min: 2, max: 20 }), (text, longest) => {
      const parts = splitLine(unsafeText(text), longest);
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(longest);
      expect(parts.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      expect(parts.join('').isWellFormed()).toBe(true);
    }),
  );
});
