// Attack (flooding): Thousands of names that differ only in case
// Defense: Ten warnings; the others are counted

import { describe, expect, test } from 'vitest';
import { gather, plainVariable } from '../../../test/support/variables/builders.ts';
import { printed } from '../../kernel/diagnostic.ts';
import type { DesiredSources } from './desired.ts';

describe('the same name twice in one source with different values', () => {
  test.each<[string, string, Partial<DesiredSources>]>([
    ['env', 'env', { env: 'A=FAKE1\nA=FAKE2' }],
    [
      'env-from',
      'env-from',
      { envFrom: ['A=X', 'A=Y'], stepEnvironment: { X: 'FAKE1', Y: 'FAKE2' } },
    ],
    ['one file', 'env-file a.env', { envFiles: [{ path: 'a.env', text: 'A=FAKE1\nA=FAKE2' }] }],
    [
      'config',
      'config',
      { siteVariables: [plainVariable('A', 'FAKE1'), plainVariable('A', 'FAKE2')] },
    ],
  ])('is a problem in %s', (_name, input, fields) => {
    const message = 'A is declared twice with different values: keep one';
    expect(gather(fields).problems).toMatchObject([{ input, message }]);
  });
});

describe('names that differ only by case', () => {
  test.each<[string, Partial<DesiredSources>, string[]]>([
    ['none', { env: 'A=1\nB=2' }, []],
    ['in one source', { env: 'KEY=1\nKey=1' }, ['KEY (env) and Key (env)']],
    [
      'in two sources',
      { env: 'key=1', siteVariables: [plainVariable('KEY', '2')] },
      ['KEY (config) and key (env)'],
    ],
    ['three of them', { env: 'ab=1\naB=2\nAb=3' }, ['Ab (env) and aB (env) and ab (env)']],
    ['the very same name', { env: 'A=1', siteVariables: [plainVariable('A', '2')] }, []],
  ])('are warned of: %s', (_name, fields, told) => {
    const { variables, problems, warnings } = gather(fields);
    expect(problems).toEqual([]);
    expect(warnings.map(printed)).toEqual(
      told.map((names) => `${names} differ only by case: they are different variables. (SD1208)`),
    );
    expect(new Set(variables.map(({ name }) => name)).size).toBe(variables.length);
  });

  test('are told in part if a file has them by the thousand', () => {
    const names = Array.from({ length: 3000 }, (_, index) => [`N${index}`, `n${index}`]);
    const siteVariables = names.flat().map((name) => plainVariable(name, ''));
    const { warnings } = gather({ siteVariables });
    expect(warnings).toHaveLength(11);
    expect(warnings.at(-1)?.text).toBe('2990 more groups of names differ only by case.');
  });
});
