import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { entries, withoutOutside } from '../support/messages.ts';

/** The pieces of text that a source writes out: what is between the holes of its templates, and strings with a space. */
function piecesIn(source: string): string[] {
  const pieces: string[] = [];
  const read = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as { type?: string; value?: unknown };
    if (type === 'Literal' && typeof value === 'string' && value.includes(' ')) pieces.push(value);
    if (type === 'TemplateElement') pieces.push((value as { cooked: string }).cooked);
    for (const child of Object.values(node)) read(child);
  };
  read(parseAst(source, { lang: 'ts' }));
  return pieces;
}

/** Shorter pieces are in many texts. */
const shortest = 3;

/** How many words of an example may be values, such as the name of a status. */
const mostValues = 2;

const pieces = [
  ...new Set(
    globSync('src/**/!(*.test).ts').flatMap((file) => piecesIn(readFileSync(file, 'utf8'))),
  ),
]
  .map((piece) => piece.trim())
  .filter(({ length }) => length >= shortest)
  .sort((one, other) => other.length - one.length);

/** Values that a message is about: quotations, ids, addresses, paths, inputs, statuses, names in capitals. */
const values: readonly RegExp[] = [
  /"[^"]*"/g,
  /https?:\/\/\S+/g,
  /\S*[\d/_\\]\S*/g,
  /\(state [^)]*\)/g,
  /\b[\w-]+\.(?:[\w-]+\.)*[a-z]+\b/g,
  /\b[a-z]+(?:-[a-z]+)+\b/g,
  /\b[A-Z]{2,}\w*\b|\b[A-Z]\w+Error\b/g,
];

/** A text as a pattern; a word at its edge is whole. */
const whole = (piece: string): string =>
  `${/^\w/.test(piece) ? '(?<!\\w)' : ''}${RegExp.escape(piece)}${/\w$/.test(piece) ? '(?!\\w)' : ''}`;

/** A pattern of the pieces, longest first. */
const patternOf = (some: readonly string[]): RegExp => new RegExp(some.map(whole).join('|'), 'g');

// A piece with a quotation mark is not taken for the border of a quotation.
const [quoting, others] = [true, false].map((isQuoting) =>
  patternOf(pieces.filter((piece) => piece.includes('"') === isQuoting)),
) as [RegExp, RegExp];

/** The words of an example that no source has, nor any of its values. */
function unknownWords(example: string): string[] {
  const [quotations = /$^/, ...more] = values;
  const rest = [quoting, quotations, others, ...more].reduce(
    (text, pattern) => text.replace(pattern, ' '),
    withoutOutside(example),
  );
  return [...new Set(rest.match(/[A-Za-z][a-z']{3,}/g))];
}

test.each(entries.map(({ code, example }) => [code, example]))(
  'docs/troubleshooting.md shows %s as a run prints it',
  (_code, example) => {
    const words = unknownWords(example);
    expect(words.length > mostValues ? words : []).toEqual([]);
  },
);

test.each([
  'Nothing was changed: 1 record would take the place of what this file did not declare.',
  'config: .github/site.yml line 4, column 5: this key stands in line 3 already: keep one of them.',
])('finds what no run prints: %s', (example) =>
  expect(unknownWords(example).length).toBeGreaterThan(mostValues),
);
