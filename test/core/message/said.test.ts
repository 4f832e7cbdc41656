import { expect, test } from 'vitest';
import { Said } from '../../../src/core/message/said.ts';

const delta = 'delta';
const whole = 'whole';

test.for<{ name: string; pieces: (readonly [string, string])[]; said: string }>([
  {
    name: 'that says all again in another event',
    pieces: [
      ['OK', delta],
      ['OK', whole],
    ],
    said: 'OK',
  },
  {
    name: 'that says all again in an event of the same kind',
    pieces: [
      ['I changed ', delta],
      ['the first page.', delta],
      ['I changed the first page.', delta],
    ],
    said: 'I changed the first page.',
  },
  {
    name: 'for each part, and for all of them',
    pieces: [
      ['a', delta],
      ['b', delta],
      ['ab', whole],
      ['c', delta],
      ['d', delta],
      ['cd', whole],
      ['abcd', whole],
    ],
    said: 'abcd',
  },
])('a closing piece is passed over: $name', ({ pieces, said }) => {
  const hearing = new Said();
  const taken = pieces.filter(([piece, kind]) => hearing.takes(piece, kind));
  expect(taken.map(([piece]) => piece).join('')).toBe(said);
});

test.for<{ name: string; pieces: string[] }>([
  { name: 'alike pieces', pieces: ['ha ', 'ha ', 'ha '] },
  { name: 'alike long pieces', pieces: ['x'.repeat(2000), 'x'.repeat(2000)] },
  { name: 'a short piece that is all so far', pieces: ['a', 'a', 'aa'] },
  { name: 'a piece that is the end of all', pieces: ['one, ', 'two, ', 'two, '] },
])('is taken: $name', ({ pieces }) => {
  const hearing = new Said();
  expect(pieces.filter((piece) => hearing.takes(piece, delta))).toEqual(pieces);
});
