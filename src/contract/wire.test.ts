import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { inWords } from './wire.ts';

const shape = z.strictObject({
  text: z.string().min(1).max(3),
  count: z.int().min(2).max(5),
  word: z.enum(['one', 'two']),
  list: z.array(z.string()).min(1).max(2),
  flag: z.boolean(),
});

const good = { text: 'a', count: 2, word: 'one', list: ['a'], flag: true };

describe('what is wrong with a field', () => {
  test.each<[object, string]>([
    [{ text: undefined }, 'text is missing'],
    [{ text: 1 }, 'text must be a string'],
    [{ text: '' }, 'text must not be empty'],
    [{ text: 'four' }, 'text must have at most 3 characters'],
    [{ count: '2' }, 'count must be a number'],
    [{ count: 2.5 }, 'count must be a whole number'],
    [{ count: 1 }, 'count must be at least 2'],
    [{ count: 6 }, 'count must be at most 5'],
    [{ word: 'three' }, 'word must be one or two'],
    [{ list: {} }, 'list must be a list'],
    [{ list: [] }, 'list must not be empty'],
    [{ list: ['a', 'b', 'c'] }, 'list must have at most 2 items'],
    [{ flag: 'yes' }, 'flag must be true or false'],
    [{ more: 1 }, ' has unknown fields: more'],
  ])('%o', (fields, words) => {
    const { error } = shape.safeParse({ ...good, ...fields }, { error: inWords });
    const [issue] = error?.issues ?? [];
    expect(`${issue?.path.join('.')} ${issue?.message}`).toBe(words);
  });
});
