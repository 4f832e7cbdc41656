import { expect, test } from 'vitest';
import { Replay } from './follow.ts';

/** One connection: the id that it resumes after, and its events as pieces or as id and piece. */
type Connection = readonly [after: string, ...events: (string | readonly [string, string])[]];

test.for<{ name: string; connections: Connection[]; fresh: string[] }>([
  {
    name: 'cut elsewhere',
    connections: [
      ['', 'one ', 'two '],
      ['', 'o', 'ne two three ', 'four'],
    ],
    fresh: ['one ', 'two ', 'three ', 'four'],
  },
  {
    name: 'in one piece',
    connections: [
      ['', 'one ', 'two '],
      ['', 'one two three'],
    ],
    fresh: ['one ', 'two ', 'three'],
  },
  {
    name: 'shorter than before, then longer',
    connections: [
      ['', 'one ', 'two '],
      ['', 'one '],
      ['', 'one tw', 'o three'],
    ],
    fresh: ['one ', 'two ', 'three'],
  },
  {
    name: 'that goes on instead of beginning anew',
    connections: [
      ['', 'one ', 'two '],
      ['', 'three'],
    ],
    fresh: ['one ', 'two ', 'three'],
  },
  {
    name: 'that goes on like the beginning, and then differs',
    connections: [
      ['', 'one ', 'two '],
      ['', 'one ', 'more'],
    ],
    fresh: ['one ', 'two ', 'one ', 'more'],
  },
  {
    name: 'resumed after an id',
    connections: [
      ['', ['1', 'one '], ['2', 'two ']],
      ['1', 'two', ' three'],
    ],
    fresh: ['one ', 'two ', 'three'],
  },
  {
    name: 'from the start although it should be resumed',
    connections: [
      ['', ['1', 'one '], ['2', 'two ']],
      ['2', ['1', 'one '], ['2', 'two '], ['3', 'three']],
    ],
    fresh: ['one ', 'two ', 'three'],
  },
  {
    name: 'whose id is not known any more',
    connections: [
      ['', 'one '],
      ['forgotten', 'one '],
    ],
    fresh: ['one ', 'one '],
  },
])('a stream $name', ({ connections, fresh }) => {
  const replay = new Replay();
  const taken = connections.flatMap(([after, ...events]) => {
    replay.reopened(after);
    return events.flatMap((event) => {
      const [id, text] = typeof event === 'string' ? ['', event] : event;
      return replay.newPieces(id, text);
    });
  });
  expect(taken).toEqual(fresh);
});

test('a text beyond what is kept to compare with is told apart by its length', () => {
  const replay = new Replay();
  const pieces = Array.from({ length: 120 }, (_, index) => `${index} `.repeat(3000));
  const take = () => pieces.flatMap((piece) => replay.newPieces('', piece));
  expect(take()).toEqual(pieces);
  replay.reopened('');
  expect(take()).toEqual([]);
  expect(replay.newPieces('', 'more')).toEqual(['more']);
});
