import { describe, expect, test } from 'vitest';
import { gather, plainVariable } from '../../../test/support/variables/builders.ts';
import type { SiteVariable } from '../site-file.ts';
import type { DesiredSources } from './desired.ts';

/** A variable of the site file whose value is in the step's environment. */
const from = (
  name: string,
  fields: Partial<Extract<SiteVariable, { from: string }>> = {},
): SiteVariable => ({
  name,
  from: name,
  kind: 'secret',
  line: 3,
  column: 5,
  ...fields,
});

test('a value comes from the step, or stands in the file', () => {
  const { variables, problems } = gather({
    siteVariables: [from('A', { from: 'SOURCE' }), plainVariable('B', '')],
    stepEnvironment: { SOURCE: ' 1\r\n' },
  });
  expect(problems).toEqual([]);
  expect(variables).toMatchObject([
    { name: 'A', value: ' 1\r\n', from: 'SOURCE', kind: 'secret', source: 'config' },
    { name: 'B', value: '', kind: 'plain', source: 'config' },
  ]);
});

describe('kind and targets', () => {
  const rest: Partial<DesiredSources> = {
    stepEnvironment: { A: '1' },
    targets: { preview: false, production: true },
  };

  test.each<[string, Parameters<typeof from>[1], object]>([
    ['are those of the inputs where the file says none', {}, { kind: 'secret', preview: false }],
    [
      'are those of the file',
      { kind: 'plain', targets: ['preview'] },
      { kind: 'plain', preview: true, production: false },
    ],
    [
      'are both runtimes if it names both',
      { targets: ['preview', 'production'] },
      { preview: true, production: true },
    ],
  ])('%s', (_name, fields, expected) => {
    const { variables } = gather({ ...rest, siteVariables: [from('A', fields)] });
    expect(variables).toMatchObject([{ name: 'A', ...expected }]);
  });

  test('of a variable that an input gives are those of the inputs', () => {
    const siteVariables = [from('A', { kind: 'secret', targets: ['preview'] })];
    const { variables } = gather({ ...rest, env: 'A=2', siteVariables });
    expect(variables).toEqual([
      { name: 'A', value: '2', source: 'env', kind: 'plain', preview: false, production: true },
    ]);
  });
});

describe('every source wins over those behind it', () => {
  const given = {
    env: { env: 'A=env' },
    'env-from': { envFrom: ['A=FROM'] },
    'env-file a.env': { envFiles: [{ path: 'a.env', text: 'A=file' }] },
    config: { siteVariables: [from('A', { from: 'SITE' })] },
  } satisfies Record<string, Partial<DesiredSources>>;
  const order = Object.keys(given);
  const stepEnvironment = { FROM: 'env-from', SITE: 'config' };

  test.each(order.map((source, index) => [source, order.slice(index)] as const))(
    '%s wins over %j',
    (source, present) => {
      const fields = Object.entries(given).filter(([name]) => present.includes(name));
      const all = Object.assign({ stepEnvironment }, ...fields.map(([, one]) => one));
      expect(gather(all)).toMatchObject({ variables: [{ name: 'A', source }], problems: [] });
    },
  );
});

describe('a problem of the site file', () => {
  const lacks = `line 3: KEY is not in the step's environment. Add it to the step's env: (KEY: \${{ secrets.KEY }})`;
  test.each<[string, Record<string, string>, string]>([
    ['is missing', {}, lacks],
    ['is empty', { KEY: '' }, "line 3: KEY is empty. Set the secret that the step's env: takes"],
    ['is only what every object has', Object.create({ KEY: 'inherited' }), lacks],
  ])('a source that %s', (_name, stepEnvironment, words) => {
    const { variables, problems } = gather({ siteVariables: [from('KEY')], stepEnvironment });
    expect(variables).toEqual([]);
    expect(problems).toMatchObject([
      { input: 'config', code: 'SD1202', message: expect.stringContaining(words) },
    ]);
  });

  test('an expression as a source', () => {
    const { problems } = gather({ siteVariables: [from('A', { from: 'secrets.KEY' })] });
    const message = `line 3: write KEY without "secrets.", and add it to the step's env: (KEY: \${{ secrets.KEY }})`;
    expect(problems).toEqual([{ input: 'config', code: 'SD1202', message }]);
  });
});

describe("a stranger's site file", () => {
  const step = { SOURCE: 'not-a-real-secret', OTHER: 'another' };
  const foreign = (fields: Partial<DesiredSources>) =>
    gather({ isForeign: true, stepEnvironment: step, ...fields });

  test.each<[string, readonly string[], boolean]>([
    ['nothing', [], false],
    ['another source', ['OTHER'], false],
    ['its name for another source', ['SOURCE=OTHER'], false],
    ['the source in other letters', ['source'], false],
    ['the source', ['SOURCE'], true],
    ['the source under another name', ['X=SOURCE'], true],
  ])('where env-from names %s', (_name, envFrom, isTaken) => {
    const siteVariables = [from('A', { from: 'SOURCE' })];
    const { variables, problems } = foreign({
      siteVariables,
      envFrom,
      stepEnvironment: { ...step, source: 'lower' },
    });
    expect(variables.some(({ name }) => name === 'A')).toBe(isTaken);
    expect(problems).toHaveLength(isTaken ? 0 : 1);
    if (!isTaken) expect(problems[0]).toMatchObject({ input: 'config' });
    if (!isTaken) expect(problems[0]?.message).toMatch(/^line 3 .*SOURCE.*env-from/);
  });

  test('is not told whether the step has the source', () => {
    const siteVariables = [from('A', { from: 'SOURCE' })];
    const there = foreign({ siteVariables });
    const missing = foreign({ siteVariables, stepEnvironment: {} });
    expect(missing.problems).toEqual(there.problems);
  });

  test('may give values of its own, and repeat what an input gives', () => {
    const siteVariables = [plainVariable('A', 'open'), from('B', { from: 'SOURCE' })];
    const { variables, problems } = foreign({ siteVariables, env: 'B=of the input' });
    expect(problems).toEqual([]);
    expect(variables.map(({ name, value }) => [name, value])).toEqual([
      ['A', 'open'],
      ['B', 'of the input'],
    ]);
  });
});
