import { describe, expect, it } from 'vitest';
import { isMap, isScalar } from 'yaml';
import { addEntry, addItem, parseText } from './add-entry.ts';

describe('an entry is not added', () => {
  it.each([
    ['to a mapping that has it', 'a:\n  X: 1\n'],
    ['to one whose keys are behind question marks', 'a:\n  ? b\n  : 1\n'],
    ['to one of a text with a mistake', 'a:\n  b: "\\q"\n'],
    ['below a text that keeps the line breaks at its end', 'a:\n  b: |+\n    c\n\n'],
  ])('%s', (_, text) => {
    const parsed = parseText(text);
    const map = parsed.document.get('a', true);
    expect(isMap(map) && addEntry(parsed, map, { names: ['X'], value: {} })).toBeUndefined();
  });

  it('where another has a value', () => {
    const parsed = parseText('a: null\n');
    const { contents } = parsed.document;
    expect(
      isMap(contents) && addEntry(parsed, contents, { names: ['a', 'X'], value: {} }),
    ).toBeUndefined();
  });
});

describe('an item is not added', () => {
  it.each([
    ['to a folded text', 'a: >\n  b\n'],
    ['to a plain one in braces', '{ a: b }'],
  ])('%s', (_, text) => {
    const parsed = parseText(text);
    const scalar = parsed.document.get('a', true);
    expect(isScalar<string>(scalar) && addItem(parsed, scalar, 'X')).toBeUndefined();
  });
});
