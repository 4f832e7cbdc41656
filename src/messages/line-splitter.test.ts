import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from './text.ts';

const longest = 10;

/** The lines of a text that comes in these pieces. */
function linesOf(pieces: readonly string[]): string[] {
  const splitter = new LineSplitter(longest);
  const lines = pieces.flatMap((piece) => splitter.split(piece));
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
  { name: 'a line as long as allowed', pieces: ['0123456789\na'], lines: ['0123456789', 'a'] },
  { name: 'a carriage return at the end', pieces: ['a\r'], lines: ['a'] },
  { name: 'two of them, and a line', pieces: ['a\r', '\r\nb'], lines: ['a', '', 'b'] },
])('$name', ({ pieces, lines }) => {
  expect(linesOf(pieces)).toEqual(lines);
});

describe('a line that is longer than allowed', () => {
  test.for<{ name: string; pieces: string[]; lines: string[] }>([
    { name: 'in one piece', pieces: ['0123456789abc'], lines: ['012345678…'] },
    { name: 'in two', pieces: ['0123456789', 'abc'], lines: ['012345678…'] },
    { name: 'to the end', pieces: ['0123456789abc', 'def', ' ghi'], lines: ['012345678…'] },
    {
      name: 'to the next line',
      pieces: ['0123456789abc', 'def\nnext\n', '0123456789abc\r', '\nlast'],
      lines: ['012345678…', 'next', '012345678…', 'last'],
    },
  ])('is cut, and its rest passed over: $name', ({ pieces, lines }) => {
    expect(linesOf(pieces)).toEqual(lines);
  });

  test('is given as soon as it is too long', () => {
    const splitter = new LineSplitter(longest);
    expect(splitter.split('0123456789')).toEqual([]);
    expect(splitter.split('a')).toEqual(['012345678…']);
    expect(splitter.split('b\n')).toEqual([]);
    expect(splitter.finish()).toBe('');
  });
});

test('is the same in whatever pieces a text comes', () => {
  const line = fc.string({
    unit: fc.constantFrom('a', 'ä', ' ', '😀', ':'),
    maxLength: longest,
  });
  const text = fc.array(line, { maxLength: 6 }).map((all) => all.join('\n'));
  fc.assert(
    fc.property(text, fc.nat(4), (whole, size) => {
      const pattern = new RegExp(`[^]{1,${size + 1}}`, 'gu');
      expect(linesOf(whole.match(pattern) ?? [])).toEqual(linesOf([whole]));
    }),
  );
});
