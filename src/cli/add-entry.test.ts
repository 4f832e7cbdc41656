import { describe, expect, it } from 'vitest';
import type { Path } from '../site-file/position.ts';
import { addEntry } from './add-entry.ts';

describe('an entry is not added', () => {
  it.each<[where: string, text: string, path?: Path]>([
    ['to a mapping that has it', 'a:\n  X: 1\n'],
    ['to one in braces', 'a: { b: 1 }\n'],
    ['to one that an alias uses, too', 'a: &all\n  b: 1\nc: *all\n'],
    ['to an alias', 'c: &all\n  b: 1\na: *all\n'],
    [
      'to one in a part that an alias uses, too',
      'a: &all\n  b:\n    c: 1\nd: *all\n',
      ['a', 'b', 'X'],
    ],
    ['to one of a text with a mistake', 'a:\n  b: "\\q"\n'],
    ['to one of a text with a merge key', 'a:\n  <<: { c: 1 }\n'],
    ['below a text that keeps the line breaks at its end', 'a:\n  b: |+\n    c\n\n'],
    ['in a list', 'a:\n  - b\n'],
    ['in place of a value', 'a: null\n'],
    ['in a text of several lines', 'a: |\n  b\n'],
    ['below another mapping in braces', '{ b: 1 }\n'],
  ])('%s', (_, text, path = ['a', 'X']) => {
    expect(addEntry(text, path, {})).toBeUndefined();
  });
});
