import { expect, test } from 'vitest';
import { RepeatDetector } from '../../src/messages/follow-turn.ts';

const delta = 'delta';
const whole = 'whole';

test.for<{ name: string; pieces: (readonly [string, string])[]; repeatDetector: string }>([
  {
    name: 'that says all again in another event',
    pieces: [
      ['OK', delta],
      ['OK', whole],
    ],
    repeatDetector: 'OK',
  },
  {
    name: 'that says all again in an event of the same kind',
    pieces: [
      ['I changed ', delta],
      ['the first page.', delta],
      ['I changed the first page.', delta],
    ],
    repeatDetector: 'I changed the first page.',
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
    repeatDetector: 'abcd',
  },
])('a closing piece is passed over: $name', ({ pieces, repeatDetector }) => {
  const hearing = new RepeatDetector();
  const taken = pieces.filter(([piece, kind]) => hearing.isNew(piece, kind));
  expect(taken.map(([piece]) => piece).join('')).toBe(repeatDetector);
});

test.for<{ name: string; pieces: string[] }>([
  { name: 'alike pieces', pieces: ['ha ', 'ha ', 'ha '] },
  { name: 'alike long pieces', pieces: ['x'.repeat(2000), 'x'.repeat(2000)] },
  { name: 'a short piece that is all so far', pieces: ['a', 'a', 'aa'] },
  { name: 'a piece that is the end of all', pieces: ['one, ', 'two, ', 'two, '] },
])('is taken: $name', ({ pieces }) => {
  const hearing = new RepeatDetector();
  expect(pieces.filter((piece) => hearing.isNew(piece, delta))).toEqual(pieces);
});
