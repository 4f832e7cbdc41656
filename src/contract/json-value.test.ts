import { expect, test } from 'vitest';
import { isExcessive } from './json-value.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const many = (nodes: number) => `[${'{},'.repeat(nodes - 2)}{}]`;

test.each<[string, string, boolean]>([
  ['nothing', '', false],
  ['an object', '{"a":[1,{"b":null}]}', false],
  ['as deep as is read', nested(64), false],
  ['deeper', nested(65), true],
  ['deeper, and not closed', '{"a":'.repeat(65), true],
  ['as many as are read', many(250_000), false],
  ['more', many(250_001), true],
  ['brackets in a string', JSON.stringify('['.repeat(300_000)), false],
  ['brackets after an escaped quote', `"\\"${'['.repeat(65)}"`, false],
  ['brackets after an escaped backslash', `["\\\\",${nested(65)}]`, true],
  ['brackets in what is no JSON', '[31m\x1b'.repeat(65), false],
  ['brackets after white space', `\n ${nested(65)}`, true],
  ['a string without an end', `"${'['.repeat(65)}`, false],
])('%s', (_, text, is) => {
  expect(isExcessive(text)).toBe(is);
});
