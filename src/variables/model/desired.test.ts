import { describe, expect, test } from 'vitest';
import { gather } from '../../../test/support/variables/builders.ts';
import type { DesiredSources } from './desired.ts';

/** Name and value of each variable, where there must be no problem. */
function valuesOf(fields: Partial<DesiredSources>): Record<string, string> {
  const { variables, problems } = gather(fields);
  expect(problems).toEqual([]);
  return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
}

describe('variables come', () => {
  test.each<[string, Partial<DesiredSources>, Record<string, string>]>([
    ['from nowhere', {}, {}],
    ['from env', { env: 'A=1\nB=' }, { A: '1', B: '' }],
    [
      "from the step's environment",
      { envFrom: ['A', 'B=SOURCE'], stepEnvironment: { A: '1', SOURCE: ' 2\r\n ' } },
      { A: '1', B: ' 2\r\n ' },
    ],
    [
      'from names with white space around the equals sign',
      { envFrom: ['A = SOURCE', 'B\t=SOURCE'], stepEnvironment: { SOURCE: '1' } },
      { A: '1', B: '1' },
    ],
    [
      'from sources with dots and dashes',
      { envFrom: ['A=_my.source-1'], stepEnvironment: { '_my.source-1': '1' } },
      { A: '1' },
    ],
    [
      'from names that every object has, if the step has them too',
      {
        envFrom: ['constructor', 'A=toString'],
        stepEnvironment: { constructor: '1', toString: '2' },
      },
      { constructor: '1', A: '2' },
    ],
    [
      'from files',
      {
        envFiles: [
          { path: 'a.env', text: 'A=1' },
          { path: 'b.env', text: 'B=2' },
        ],
      },
      { A: '1', B: '2' },
    ],
    [
      'from env before env-from before env-file',
      {
        env: 'A=env',
        envFrom: ['A', 'B'],
        envFiles: [{ path: 'a.env', text: 'A=file\nB=file\nC=file' }],
        stepEnvironment: { A: 'from', B: 'from' },
      },
      { A: 'env', B: 'from', C: 'file' },
    ],
    [
      'from the earlier file before the later',
      {
        envFiles: [
          { path: 'a.env', text: 'A=1' },
          { path: 'b.env', text: 'A=2\nB=2' },
        ],
      },
      { A: '1', B: '2' },
    ],
    ['once if they are given twice alike', { env: 'A=1\nA=1' }, { A: '1' }],
  ])('%s', (_name, fields, values) => {
    expect(valuesOf(fields)).toEqual(values);
  });

  test('sorted by name, with kind, targets and source', () => {
    const { variables } = gather({
      env: 'b=1',
      envFrom: ['C'],
      envFiles: [{ path: 'dir/a.env', text: 'A=2' }],
      stepEnvironment: { C: '3' },
      targets: { preview: false, production: true },
    });
    const rest = { preview: false, production: true };
    expect(variables).toEqual([
      { name: 'A', value: '2', source: 'env-file dir/a.env', kind: 'secret', ...rest },
      { name: 'C', value: '3', source: 'env-from', from: 'C', kind: 'secret', ...rest },
      { name: 'b', value: '1', source: 'env', kind: 'plain', ...rest },
    ]);
  });
});

describe('limits, in characters', () => {
  const emoji = '😀';
  test.each([
    ['a value of 5120', 'A', 'a'.repeat(5120), undefined],
    [
      'a value of 5121',
      'A',
      'a'.repeat(5121),
      'the value of A has 5121 characters; the service allows 5120',
    ],
    ['a value of 5120 emoji', 'A', emoji.repeat(5120), undefined],
    [
      'a value of 5121 emoji',
      'A',
      emoji.repeat(5121),
      'the value of A has 5121 characters; the service allows 5120',
    ],
    ['a name of 128', 'n'.repeat(128), 'x', undefined],
    ['a name of 129', 'n'.repeat(129), 'x', 'a name has 129 characters; the service allows 128'],
    ['a name of 128 emoji', emoji.repeat(128), 'x', undefined],
    ['a value with a NUL', 'A', 'a\0b', 'the value of A contains a NUL character'],
  ])('%s', (_name, name, value, message) => {
    const { problems } = gather({
      envFrom: [`${name}=SOURCE`],
      stepEnvironment: { SOURCE: value },
    });
    expect(problems).toMatchObject(message === undefined ? [] : [{ input: 'env-from', message }]);
  });
});
