// Attack (command): A dotenv example file has real values, or a piece of one in the form of a name, and `init` writes
// or prints it
// Defense: Only names in capitals are taken. Other lines are named by their number

import { expect, test } from 'vitest';
import { namesIn } from './example-names.ts';

test.each<[text: string, names: string[]]>([
  ['', []],
  [
    '# A comment\nSTRIPE_KEY=\n\nexport DATABASE_URL="a" # b\nNODE_ENV=x',
    ['STRIPE_KEY', 'DATABASE_URL', 'NODE_ENV'],
  ],
  ['\ufeffA_KEY=1\r\nB_KEY=2\r\nA_KEY=3\r\n', ['A_KEY', 'B_KEY']],
  ['TOKEN=# where to get it\nURL=$BASE/x', ['TOKEN', 'URL']],
])('%j has the names %j', (text, names) => {
  expect(namesIn(text)).toEqual({ names, leftOut: [] });
});

test.each([
  'NODE_OPTIONS',
  'GITHUB_TOKEN',
  'SITE_API_KEY',
  'PATH',
  'CI',
  'HTTPS_PROXY',
  'LD_PRELOAD',
  'INPUT_NAME',
])('%s is left out, by its name', (name) => {
  expect(namesIn(`${name}=1\nA_KEY=2`)).toEqual({
    names: ['A_KEY'],
    leftOut: [expect.stringContaining(`${name} is left out`)],
  });
});

test.each([
  ['a name that is not in capitals', 'database_url=fakeValue\nA_KEY=1', 'line 1'],
  ['what looks like a key', 'A_KEY=1\nAKIA0FAKE0FAKE0FAKE0=\n', 'line 2'],
  ['a line of a key without quotes', 'A_KEY=-----BEGIN KEY-----\nfakeFAKEpart0=\n', 'line 2'],
  ['what is no line of a dotenv file', 'A_KEY=1\nfake value', 'line 2'],
])('%s is named by its line alone', (_, text, line) => {
  const { names, leftOut } = namesIn(text);
  expect(names).toEqual(['A_KEY']);
  expect(leftOut.join()).toMatch(new RegExp(`^${line}: no name in capitals`));
  expect(leftOut.join()).not.toMatch(/fake/i);
});

test('a name of the form that the secrets of previews have is left out', () => {
  expect(namesIn('PREVIEW_URL=1\nURL=2')).toEqual({
    names: ['URL'],
    leftOut: ['PREVIEW_URL is left out: the secrets of previews begin so'],
  });
});

test('the lines of a value in quotes are no names', () => {
  const text = `A_KEY="-----BEGIN KEY-----\nFAKE_PART=\n-----END KEY-----"\nB_KEY=1`;
  expect(namesIn(text)).toEqual({ names: ['A_KEY', 'B_KEY'], leftOut: [] });
});
