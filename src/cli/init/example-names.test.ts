// Attack (command): A dotenv example file has real values, or a piece of one in the form of a name, and `init` writes
// or prints it
// Defense: Only names in capitals are taken or shown. Other lines are named by their number

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
  'PREVIEW_URL',
])('%s is left out', (name) => {
  expect(namesIn(`${name}=1\nA_KEY=2`)).toEqual({ names: ['A_KEY'], leftOut: [name] });
});

test.each([
  ['a name that is not in capitals', 'database_url=fakeValue\nA_KEY=1', 1],
  ['what looks like a key', 'A_KEY=1\nAKIA0FAKE0FAKE0FAKE0=\n', 2],
  ['a line of a key without quotes', 'A_KEY=-----BEGIN KEY-----\nfakeFAKEpart0=\n', 2],
  ['what is no line of a dotenv file', 'A_KEY=1\nfake value', 2],
])('%s is known by its line alone', (_, text, line) => {
  expect(namesIn(text)).toEqual({ names: ['A_KEY'], leftOut: [`line ${line}`] });
});

test('the lines of a value in quotes are no names', () => {
  const text = `A_KEY="-----BEGIN KEY-----\nFAKE_PART=\n-----END KEY-----"\nB_KEY=1`;
  expect(namesIn(text)).toEqual({ names: ['A_KEY', 'B_KEY'], leftOut: [] });
});
