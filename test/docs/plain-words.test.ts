import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { proseOf } from './prose.ts';
import { root } from './snippets.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const { files, words, allowed } = z
  .strictObject({
    files: z.array(z.string()),
    words: z.array(z.strictObject({ not: z.array(z.string()).min(1), but: z.string() })),
    allowed: z.array(z.strictObject({ text: z.string(), why: z.string() })),
  })
  .parse(parse(read('test/docs/plain-words.yml')));

const patternOf = (expressions: readonly string[]): RegExp =>
  new RegExp(`(?<![\\w-])(?:${expressions.join('|')})(?![\\w-])`, 'gi');

const rules = words.map(({ not, but }) => ({ pattern: patternOf(not), but }));

/** Any of the expressions: few lines have one, and only these are tried with each rule. */
const suspicious = patternOf(words.flatMap(({ not }) => not));

const withoutAllowed = (text: string): string =>
  allowed.reduce((rest, one) => rest.replaceAll(one.text, ''), text);

/** The words of a text that have a plainer one, with that one. */
const findIn = (text: string): string[] =>
  (text.search(suspicious) < 0 ? [] : rules).flatMap(({ pattern, but }) =>
    [...withoutAllowed(text).matchAll(pattern)].map(([word]) => `${word} (${but})`),
  );

const findInFile = (path: string): string[] =>
  proseOf(path, read(path)).flatMap(({ line, text }) =>
    findIn(text).map((found) => `${path}:${line}: ${found}`),
  );

const paths = files.flatMap((pattern) =>
  globSync(pattern, { cwd: root }).map((path) => path.replaceAll('\\', '/')),
);

test.each(paths)('%s has plain words', (path) => {
  expect(findInFile(path)).toEqual([]);
});

test('each glob finds files, and each exception is used', () => {
  expect(files.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([]);
  const all = paths.map(read).join('\n');
  expect(allowed.filter(({ text }) => !all.includes(text))).toEqual([]);
});

test.each([
  '1 of 3 checks did not hold',
  'mend it, and settle it on the service',
  'ask the server',
  "the commit's way, by which the commit is brought",
  'what was seen, or a look at it',
  'it says so in words, and tells you',
  'what stands there',
  'what becomes of it, and how it ended',
  'goes live backwards',
  'what has to be granted',
  'undeclared, and left in place',
  'the site is live at the domains',
  'carried out, and acted on',
  'moved back if need be',
  'the rooms of the house',
  'beside the footing',
  'our records',
  'changed at the service',
  'a word that no table has',
  'Nobody, and whoever else',
  'the licence, of a colour that was recognised',
])('finds the words of: %s', (text) => expect(findIn(text)).not.toEqual([]));

test.each([
  ['a.md', 'Plain.\n\n```text\nIt says so.\n```\n`held` and [a](look.md) say', ['6: say']],
  ['a.md', '<!-- inputs deploy -->\nsays\n<!-- /inputs deploy -->\nsaid', ['4: said']],
  ['a.md', '<!-- measured: size -->\nholds\n<!-- end of size -->', []],
  [
    'a.yml',
    '# It says so.\nname: A look\nrun: echo says # told\n',
    ['1: says', '3: told', '2: look'],
  ],
  ['a.yml', 'description: |\n  Plain.\n  It says `says`.\n', ['3: says']],
  ['a.ts', "const a = 'it says';\nconst says = `it is told`;\n", ['1: says', '2: told']],
  ['a.ts', "const a = ['Seen', 'asked'];\n", ['1: Seen']],
  [
    'a.ts',
    `const a = safe\`held\${x === 'asked' ? 'told' : 'a look'}\`;\n`,
    ['1: held', '1: look'],
  ],
])('reads the prose of %s alone: %j', (path, text, expected) => {
  const found = proseOf(path, text).flatMap((one) =>
    findIn(one.text).map((word) => `${one.line}: ${word.split(' ')[0]}`),
  );
  expect(found).toEqual(expected);
});
