import { describe, expect, test } from 'vitest';
import { gather } from '../../../test/support/variables/builders.ts';
import type { DesiredSources } from './desired.ts';

const named = (name: string) => ({ name, line: 3, column: 5 });

test('the input and the site file name what is deleted; the input counts first', () => {
  const siteRemovals = [named('B'), named('C')];
  const { removals, problems } = gather({ envRemove: ['A', 'B'], siteRemovals });
  expect(problems).toEqual([]);
  expect([...removals]).toEqual([
    ['A', 'env-remove'],
    ['B', 'env-remove'],
    ['C', 'config'],
  ]);
});

describe('a name that is declared, too, is a problem and is not deleted', () => {
  test.each<[string, string, Partial<DesiredSources>]>([
    ['env-remove', 'env-from', { envRemove: ['A'], envFrom: ['A'], stepEnvironment: { A: '1' } }],
    [
      'env-remove',
      'config',
      {
        envRemove: ['A'],
        siteVariables: [{ ...named('A'), from: 'A', kind: 'secret' }],
        stepEnvironment: { A: '1' },
      },
    ],
    ['config', 'env', { siteRemovals: [named('A')], env: 'A=1' }],
  ])('by %s, in %s', (input, source, fields) => {
    const { removals, problems } = gather(fields);
    const message = `A is both removed and declared (in ${source}): keep one`;
    expect(problems).toEqual([{ input, code: 'SD1211', message }]);
    expect([...removals]).toEqual([]);
  });
});

test.each([`"A"`, `'A'`, '[A]', '$A', '- A', 'A]'])('a name is written alone: %s', (item) => {
  const message = `${item} must be a name alone, without a dash, quotes, brackets, a colon or $`;
  expect(gather({ envRemove: [item] }).problems).toEqual([
    { input: 'env-remove', code: 'SD1206', message },
  ]);
  // The site file has names as keys, which YAML quotes.
  expect(gather({ siteRemovals: [named('"A"')] }).problems).toEqual([]);
});

test('a value that was written behind a name is not shown', () => {
  const message = '"NAME=…" is not a valid variable name';
  expect(gather({ envRemove: ['NAME=fake-secret-value'] }).problems).toEqual([
    { input: 'env-remove', code: 'SD1206', message },
  ]);
});

test("a stranger's site file deletes only what env-remove names", () => {
  const foreign = { isForeign: true, siteRemovals: [named('A')] };
  expect(gather(foreign).problems).toMatchObject([
    { input: 'config', code: 'SD1204', message: expect.stringMatching(/^line 3 deletes A\./) },
  ]);
  expect(gather({ ...foreign, envRemove: ['A'] }).problems).toEqual([]);
});
