import { describe, expect, test } from 'vitest';
import { gather } from '../../../test/support/variables/builders.ts';
import type { SiteVariable } from '../site-file.ts';
import type { DesiredSources } from './desired.ts';

const from = (name: string, source: string, kind: 'plain' | 'secret' = 'secret'): SiteVariable => ({
  name,
  from: source,
  kind,
  line: 3,
  column: 5,
});

const own = 'are reserved';

describe('a source that the runner keeps for itself is refused', () => {
  test.each([
    ['GITHUB_SHA', 'GITHUB_SHA', 'and write GITHUB_SHA=SITE_SHA'],
    ['A=INPUT_API-KEY', 'INPUT_API-KEY', 'and write A=SITE_API_KEY'],
    ['A=STATE_x.y', 'because it may be a value', 'and write A=SITE_VALUE'],
    ['RUNNER_', 'RUNNER_', 'and write RUNNER_=SITE_'],
    ['github_pat_11Fake', 'because it may be a value', 'and write NAME=SITE_VALUE'],
  ])('in env-from: %s', (item, says, fix) => {
    const stepEnvironment = { [item.replace(/^A=/, '')]: 'FAKEVALUE' };
    const { variables, problems } = gather({ envFrom: ['B=C', item], stepEnvironment });
    const [, problem] = problems;
    expect(variables).toEqual([]);
    expect(problem?.input).toBe('env-from');
    expect(problem?.message).toMatch(/^item 2 uses /);
    for (const words of [says, own, fix]) expect(problem?.message).toContain(words);
    expect(problem?.message).toContain(`(${fix.split('=').at(-1)}: \${{ … }})`);
  });

  test.each([
    ['A', 'ACTIONS_RUNTIME_TOKEN', 'A: { from: SITE_RUNTIME_TOKEN }'],
    ['GITHUB_SHA', 'GITHUB_SHA', 'GITHUB_SHA: { from: SITE_SHA }'],
    ['A', 'Input_Api-Key', 'A: { from: SITE_VALUE }'],
  ])('in the site file: %s from %s', (name, source, fix) => {
    const stepEnvironment = { [source]: 'FAKEVALUE' };
    const { variables, problems } = gather({
      siteVariables: [from(name, source)],
      stepEnvironment,
    });
    expect(variables).toEqual([]);
    expect(problems).toMatchObject([{ input: 'config', message: expect.stringContaining(fix) }]);
    expect(problems[0]?.message).toMatch(/^line 3 uses /);
  });

  test('in the site file, although an input gives the variable', () => {
    const { problems } = gather({ env: 'A=1', siteVariables: [from('A', 'INPUT_API-KEY')] });
    expect(problems).toHaveLength(1);
  });

  test.each(['INPUTS', 'MY_GITHUB_TOKEN', 'GITHUB', 'STATEMENT', 'RUNNERUP_NAME'])(
    'but no other: %s',
    (source) => {
      const { problems } = gather({ envFrom: [source], stepEnvironment: { [source]: '1' } });
      expect(problems).toEqual([]);
    },
  );

  test('but its name may be that of a variable', () => {
    const envFrom = ['GITHUB_CLIENT_ID=CLIENT_ID'];
    const { variables, problems } = gather({ envFrom, stepEnvironment: { CLIENT_ID: '1' } });
    expect(problems).toEqual([]);
    expect(variables).toMatchObject([{ name: 'GITHUB_CLIENT_ID', value: '1' }]);
  });
});

describe('the value of a secret input is refused', () => {
  const secretInputs = ['FAKE-KEY-0123', ' FAKE TEXT\n', ''];

  test.each<[string, Partial<DesiredSources>]>([
    ['env', { env: 'A=FAKE-KEY-0123' }],
    ['env, with white space around it', { env: 'A=" FAKE-KEY-0123\\n"' }],
    ['env-from', { envFrom: ['A'], stepEnvironment: { A: 'FAKE TEXT' } }],
    ['env-file a.env', { envFiles: [{ path: 'a.env', text: 'A=FAKE-KEY-0123' }] }],
    ['config', { siteVariables: [from('A', 'B')], stepEnvironment: { B: 'FAKE-KEY-0123' } }],
  ])('%s', (name, fields) => {
    const { variables, problems } = gather({ ...fields, secretInputs });
    expect(variables).toEqual([]);
    expect(problems).toMatchObject([
      {
        input: name.replace(/,.*/, ''),
        message: expect.stringContaining('the value of A is that of a secret input'),
      },
    ]);
    expect(JSON.stringify(problems)).not.toMatch(/FAKE/);
  });

  test.each([
    ['an empty value', 'A='],
    ['a part', 'A=FAKE-KEY'],
    ['more than it', 'A=Bearer FAKE-KEY-0123'],
  ])('but not %s', (_name, env) => {
    expect(gather({ env, secretInputs }).problems).toEqual([]);
  });
});

describe('which values must not be shown', () => {
  const stepEnvironment = { FROM: 'fake from', SITE: 'fake site' };
  const given: Partial<DesiredSources> = {
    env: 'A=fake env',
    envFrom: ['B=FROM'],
    envFiles: [{ path: 'a.env', text: 'C=fake file' }],
    siteVariables: [
      from('D', 'SITE'),
      { name: 'E', value: 'open', kind: 'plain', line: 1, column: 1 },
    ],
    stepEnvironment,
  };

  test('all but those of env and those that stand in the site file', () => {
    expect(gather(given).secrets).toEqual(['fake from', 'fake file', 'fake site']);
  });

  test.each(['plain', 'secret'] as const)('whatever kind the site file says: %s', (kind) => {
    const gathered = gather({ siteVariables: [from('D', 'SITE', kind)], stepEnvironment });
    expect(gathered.secrets).toEqual(['fake site']);
    expect(gathered.variables).toMatchObject([{ kind }]);
  });

  test('not what another source has given', () => {
    const siteVariables = [from('A', 'SITE')];
    const { secrets } = gather({ env: 'A=open', siteVariables, stepEnvironment });
    expect(secrets).toEqual([]);
  });
});
