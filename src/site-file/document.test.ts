import { expect, test } from 'vitest';
import { type ErrorCode, LineCounter, YAMLParseError } from 'yaml';
import { mistakesIn } from '../../test/support/site-file/builders.ts';
import { syntaxMistakes } from './document.ts';

const section = (record: string) => `registered-domains:\n  a.com:\n    dns:\n      - ${record}\n`;

const misplaced = 'unexpected text: is a quote, a comma or a line break missing before it?';
const unclosed = 'a closing quote, ] or }, a comma, or the "-" of a list is missing';
const inQuotes = 'a text that starts with this character needs quotes';
const noAnchor = 'a text that starts with * needs quotes; an alias needs an earlier anchor (&)';
const crooked =
  'wrong indentation, or a missing ] or } before this: entries of the same level start in the same column';
const noTag = 'tags (!) are not supported: remove this one';

test.each([
  ['an unquoted @', section('{ type: A, name: @, content: x }'), `line 4, column 26: ${inQuotes}`],
  ['an unquoted @ behind a byte order mark', '\ufeffa: @b', `line 1, column 4: ${inQuotes}`],
  ['an unquoted back quote', 'a: `b`', `line 1, column 4: ${inQuotes}`],
  [
    'an unquoted *',
    section('{ type: A, name: *, content: x }'),
    'line 4, column 26: a text that starts with * or & needs quotes',
  ],
  [
    'an unquoted wildcard',
    section('{ type: A, name: *.a.com, content: x }'),
    `line 4, column 26: ${noAnchor}`,
  ],
  [
    'an alias before its anchor',
    'environment:\n  A: *b\n  C: &b {}',
    `line 2, column 6: ${noAnchor}`,
  ],
  ['an alias within its own anchor', 'environment: &a { A: *a }', `line 1, column 22: ${noAnchor}`],
  [
    'an unquoted text with a colon',
    'a: b: c',
    'line 1, column 4: a mapping or list can\'t start here: start it on a new line, or put a text that contains ": " in quotes',
  ],
  ['an unclosed quote', 'a:\n  b: "c\n', `line 3, column 1: ${unclosed}`],
  ['an unclosed bracket', 'a: [b\nc: d', `line 2, column 1: ${crooked}`],
  [
    'a stray bracket, which makes strays of all that follows,',
    'environment:\n]  A: |\n    x\n    y\n  B: {}\nconnected-domains: {}\n',
    `line 2, column 1: ${misplaced}`,
  ],
  [
    'a second document after strays of many lines',
    'a\n: |\n  b\n  c\n\n---\n{}',
    `line 2, column 1: ${misplaced}`,
    'line 6, column 1: the file must be a single document: remove the part that starts here',
  ],
  ['a text after a quote', 'a: "b" c', `line 1, column 8: ${misplaced}`],
  [
    'a key without a colon',
    'environment\na: 1',
    'line 1, column 1: a key and its ":" must be on one line; is a ":" missing?',
  ],
  ['a tab', 'a:\n\tb: 1', 'line 2, column 1: indentation with a tab: use spaces'],
  ['crooked columns', 'environment:\n    A: {}\n  B: {}', `line 3, column 1: ${crooked}`],
  [
    'an unknown escape',
    'a: "\\q"',
    'line 1, column 5: unknown escape: write \\\\, or use single quotes',
  ],
  [
    'a second document',
    'environment: {}\n---\nenvironment: {}',
    'line 2, column 1: the file must be a single document: remove the part that starts here',
  ],
  ['an unknown tag', 'a: !secret b', `line 1, column 4: ${noTag}`],
  ['a tag for bytes', 'a: !!binary aGVsbG8=', `line 1, column 4: ${noTag}`],
  [
    'an unknown directive',
    '%FAKE 1\n---\na: 1',
    'line 1, column 1: unknown directive: remove the line that starts with %',
  ],
  ['a list as a key', '? [a]\n: 1', 'line 1, column 3: a key must be a string'],
  [
    'a merge key',
    'environment:\n  A: &a { kind: plain }\n  B: { <<: *a }',
    'line 3, column 8: merge keys (<<) are not supported: write out the keys',
  ],
  [
    'deep nesting',
    '[\n'.repeat(50_000),
    expect.stringMatching(/^line \d+, column 1: lists or mappings are nested too deeply$/),
  ],
  [
    'mistakes on two lines',
    'a: "b" c\nd: @e',
    `line 1, column 8: ${misplaced}`,
    `line 2, column 4: ${inQuotes}`,
  ],
])('%s is a mistake', (_name, text, ...mistakes) => {
  expect(mistakesIn(text)).toEqual(mistakes);
});

test('YAML 1.1 is read as 1.2, in which yes is a text', () => {
  expect(mistakesIn('%YAML 1.1\n---\nregistered-domains: { a.com: { renewal: yes } }')).toEqual([
    'line 3, column 41: renewal must be true or false',
  ]);
});

test('aliases within bounds are read, and beyond them a mistake at the first', () => {
  const aliases = (count: number) =>
    `environment:\n  A: &a { kind: plain }\n${Array.from({ length: count }, (_, index) => `  B${index}: *a\n`).join('')}`;
  expect(mistakesIn(aliases(5_000))).toEqual([]);
  expect(mistakesIn(aliases(5_001))).toEqual([
    'line 5003, column 10: aliases (*) expand to too many values: write them out',
  ]);
});

test('aliases of aliases are counted for all that they stand for', () => {
  const lines = Array.from('bcdefgh', (name, index) => {
    const before = 'abcdefgh'[index];
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`)}]`;
  });
  const mistakes = mistakesIn(['a: &a [x, x, x, x, x, x, x, x, x]', ...lines].join('\n'));
  expect(mistakes).toContain(
    'line 5, column 8: aliases (*) expand to too many values: write them out',
  );
});

test('an error that only follows from another is not told', () => {
  const lines = new LineCounter();
  for (const lineStart of [0, 10, 20]) lines.addNewLine(lineStart);
  const error = (offset: number, code: ErrorCode) =>
    new YAMLParseError([offset, offset + 1], code, 'a message that may quote a value');
  const placesOf = (...errors: YAMLParseError[]) =>
    syntaxMistakes(errors, lines).map(({ line, column }) => [line, column]);

  const onTwoLines = [error(22, 'BAD_INDENT'), error(14, 'BAD_INDENT'), error(12, 'BAD_INDENT')];
  expect(placesOf(...onTwoLines)).toEqual([
    [2, 3],
    [3, 3],
  ]);
  expect(placesOf(...onTwoLines, error(25, 'RESOURCE_EXHAUSTION'))).toEqual([[3, 6]]);
});
