import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCodePoint } from '../../../test/support/any-text.ts';
import { parseDotenv } from './source.ts';

const variableName = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/);
const piece = fc.constantFrom('\n', '\r\n', '\r', '#', '=', '$', '\\', '\\n', '"', "'", '`', ' ');
const anyValue = fc
  .array(fc.oneof(piece, fc.string({ unit: anyCodePoint, maxLength: 4 })))
  .map((pieces) => pieces.join(''));

/** How a value is quoted, and what it can't have then. */
const quotings: [string, (value: string) => string, RegExp][] = [
  ['double quotes', (value) => `"${value}"`, /["\\$\r]/g],
  ['double quotes, on one line', (value) => `"${onOneLine(value)}"`, /["\\$]/g],
  ['single quotes', (value) => `'${value}'`, /['\r]/g],
  ['back quotes', (value) => `\`${value}\``, /[`\\$\r]/g],
];

function onOneLine(value: string): string {
  return value.replaceAll('\n', String.raw`\n`).replaceAll('\r', String.raw`\r`);
}

test.each(quotings)('a value in %s comes back byte for byte', (_name, quote, refused) => {
  fc.assert(
    fc.property(fc.dictionary(variableName, anyValue), (values) => {
      const written = Object.entries(values).map(([name, value]) => [
        name,
        // Nor a backslash before the closing quote.
        value.replace(refused, '').replace(/\\+$/, ''),
      ]);
      const text = written.map(([name, value = '']) => `${name}=${quote(value)}\n`).join('');
      const { entries, problems } = parseDotenv(text);
      expect(problems).toEqual([]);
      expect(entries.map(({ name, value }) => [name, value])).toEqual(written);
      expect(entries.filter(({ reference }) => reference !== undefined)).toEqual([]);
    }),
  );
});

/** Pieces of a dotenv text: how many lines each has, and what must be told of it. */
const part = fc.constantFrom(
  { text: 'A=1', lines: 1, told: 'entry' },
  { text: 'export B="x" # c', lines: 1, told: 'entry' },
  { text: 'B=x # c', lines: 1, told: 'entry' },
  { text: 'B= # c', lines: 1, told: 'entry' },
  { text: "C='one\n# two\n\nthree'", lines: 4, told: 'entry' },
  { text: 'D="a\\z\nb"', lines: 2, told: 'entry' },
  { text: 'D="a\\"\nb"', lines: 2, told: 'problem' },
  { text: '# comment "', lines: 1, told: 'nothing' },
  { text: ' \t', lines: 1, told: 'nothing' },
  { text: 'garbage', lines: 1, told: 'problem' },
  { text: 'E=a#b', lines: 1, told: 'problem' },
  { text: 'E=#b', lines: 1, told: 'problem' },
  { text: 'E=a\rb', lines: 1, told: 'problem' },
  { text: 'E=-----BEGIN FAKE', lines: 1, told: 'problem' },
  { text: "F='a\nb'c", lines: 2, told: 'problem' },
);

test('every line is an entry, a problem, a comment or blank', () => {
  fc.assert(
    fc.property(fc.array(part), fc.constantFrom('\n', '\r\n'), (parts, lineEnd) => {
      const { entries, problems } = parseDotenv(parts.map(({ text }) => text).join(lineEnd));
      const expected = { entry: [] as number[], problem: [] as number[], nothing: [] as number[] };
      let line = 1;
      for (const { lines, told } of parts) {
        expected[told as keyof typeof expected].push(line);
        line += lines;
      }
      expect(entries.map((entry) => entry.line)).toEqual(expected.entry);
      expect(problems.map((problem) => problem.line)).toEqual(expected.problem);
    }),
  );
});

test('of any text without quotes, each line that is no comment and not blank is told of', () => {
  const character = fc.constantFrom('A', '1', '=', '#', ' ', '\n', '+', '\\', 'ü');
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 40 }), (text) => {
      const { entries, problems } = parseDotenv(text);
      const told = [...entries, ...problems].map(({ line }) => line).toSorted((a, b) => a - b);
      const meant = text
        .split('\n')
        .flatMap((line, index) => (/^\s*(#|$)/.test(line) ? [] : [index + 1]));
      expect(told).toEqual(meant);
    }),
  );
});
