import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from '../../../src/core/message/line-splitter.ts';

const longest = 10;

/** The lines of a text that comes in these pieces. */
function linesOf(pieces: readonly string[]): string[] {
  const splitter = new LineSplitter(longest);
  const lines = pieces.flatMap((piece) => splitter.take(piece));
  const rest = splitter.finish();
  return rest === '' ? lines : [...lines, rest];
}

test.for<{ name: string; pieces: string[]; lines: string[] }>([
  { name: 'one line', pieces: ['one'], lines: ['one'] },
  { name: 'a line in pieces', pieces: ['o', 'n', 'e\nt', 'wo'], lines: ['one', 'two'] },
  { name: 'empty lines', pieces: ['a\n', '\n', '\nb'], lines: ['a', '', '', 'b'] },
  {
    name: 'pieces of white space',
    pieces: ['a', ' ', 'b', '\n', '  ', 'c'],
    lines: ['a b', '  c'],
  },
  { name: 'CRLF', pieces: ['a\r\nb\r\n'], lines: ['a', 'b'] },
  { name: 'CRLF torn in two', pieces: ['a\r', '\nb'], lines: ['a', 'b'] },
  { name: 'lone carriage returns', pieces: ['a\rb\r', 'c'], lines: ['a', 'b', 'c'] },
  { name: 'nothing', pieces: ['', ''], lines: [] },
  { name: 'a long line, at a space', pieces: ['one two three'], lines: ['one two ', 'three'] },
  {
    name: 'a long line without ASCII',
    pieces: ['一二三四五六七八九十百'],
    lines: ['一二三四五六七八九十', '百'],
  },
  {
    name: 'a long line of emoji, no pair torn',
    pieces: ['a😀😀😀😀😀'],
    lines: ['a😀😀😀😀', '😀'],
  },
  { name: 'a long word whole', pieces: ['a bcdefghijklm n'], lines: ['a ', 'bcdefghijklm', ' n'] },
  {
    name: 'a long word that ends later',
    pieces: ['bcdefgh', 'ijklmn', ' o'],
    lines: ['bcdefghijklmn', ' o'],
  },
])('$name', ({ pieces, lines }) => {
  expect(linesOf(pieces)).toEqual(lines);
});

describe('a word of more than twice the length', () => {
  const word = 'w'.repeat(21);

  test.for<{ name: string; after: string[]; lines: string[] }>([
    { name: 'to the end', after: ['www', 'ww'], lines: [word] },
    { name: 'to the line', after: ['www\nnext'], lines: [word, 'next'] },
    { name: 'to a space', after: ['www', 'w next'], lines: [word, ' next'] },
  ])('is passed over $name', ({ after, lines }) => {
    expect(linesOf([word, ...after])).toEqual(lines);
  });
});

test('is the same in whatever pieces a text of usual lines comes', () => {
  const line = fc.string({
    unit: fc.constantFrom('a', 'ä', ' ', '😀', ':'),
    maxLength: longest / 2,
  });
  const text = fc.array(line, { maxLength: 6 }).map((all) => all.join('\n'));
  fc.assert(
    fc.property(text, fc.nat(4), (whole, size) => {
      const pattern = new RegExp(`[^]{1,${size + 1}}`, 'gu');
      expect(linesOf(whole.match(pattern) ?? [])).toEqual(linesOf([whole]));
    }),
  );
});

test('parts a line nowhere within a word that is allowed', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', '-'),
    minLength: 1,
    maxLength: longest,
  });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 9 }), (words) => {
      const parted = linesOf([words.join(' ')]).flatMap((line) => line.split(' ').filter(Boolean));
      expect(parted).toEqual(words);
    }),
  );
});
