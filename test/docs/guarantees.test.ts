import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { namedTests, type TestResults, wrongIn } from '../../scripts/guarantees.ts';
import { root } from './snippets.ts';

const page = readFileSync(join(root, 'docs/guarantees.md'), 'utf8');
const promises = page.split('\n').filter((line) => /^\| (?!---|promise \|)/.test(line));

test('at most forty promises are on the page, each with when, or why not', () => {
  expect(promises.length).toBeLessThanOrEqual(40);
  for (const promise of promises) {
    const [, text = '', when = '', not = '', ...rest] = promise
      .split('|')
      .map((cell) => cell.trim());
    expect(rest).toHaveLength(2);
    const isPromised = !text.startsWith('**Not promised:** ');
    expect(when === '', text).toBe(!isPromised);
    expect(isPromised || not !== '', text).toBe(true);
    expect(!isPromised || namedTests(promise).length > 0, text).toBe(true);
  }
});

test('each link to a test has its name', () => {
  const named = namedTests(page);
  expect(named.filter(({ file, name }) => name === '' && !file.startsWith('docs/'))).toEqual([]);
  expect(named.length).toBe(page.match(/\.test\.ts/g)?.length);
});

/** Results of tests in one file, as Vitest writes them. */
const resultsOf = (file: string, tests: Readonly<Record<string, string>>): TestResults => ({
  testResults: [
    {
      name: `/folder/${file}`,
      assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
    },
  ],
});

const link = (name: string) => `Above.\n| a | b | c | [1](../test/a/b.test.ts "${name}") |`;

test.each<[string, Record<string, string>]>([
  ['it is so', { 'it is so': 'passed', 'it is so, too': 'failed' }],
  ['it is so (%s), for $a.b', { 'it is so (a), for b': 'passed', 'it is so (b), for c': 'passed' }],
])('"%s" is there, ran and passed: %j', (name, tests) => {
  expect(
    wrongIn(link(name), [resultsOf('c.test.ts', {}), resultsOf('test/a/b.test.ts', tests)]),
  ).toEqual([]);
});

test.each<[string, string, Record<string, string>, string]>([
  ['another name', 'it is so', { 'it was so': 'passed' }, 'no test has the name "it is so"'],
  ['a part of a name', 'it is', { 'it is so': 'passed' }, 'no test has the name "it is"'],
  ['a failure', 'it is so', { 'it is so': 'failed' }, '"it is so" is failed'],
  [
    'a row that was skipped',
    'so: %s',
    { 'so: a': 'passed', 'so: b': 'skipped' },
    '"so: b" is skipped',
  ],
])('%s is wrong, and has its line', (_, name, tests, wrong) => {
  expect(wrongIn(link(name), [resultsOf('test/a/b.test.ts', tests)])).toEqual([
    `docs/guarantees.md:2: test/a/b.test.ts: ${wrong}`,
  ]);
});

test('a test of the same name in another file is none', () => {
  expect(wrongIn(link('a'), [resultsOf('test/c.test.ts', { a: 'passed' })])).toHaveLength(1);
});
