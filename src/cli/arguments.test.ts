// Attack (command): A secret that is pasted as a flag, as a command or without a flag is quoted in the error
// Defense: Only what is nearly a known flag or command is quoted

import { describe, expect, it, test } from 'vitest';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { type Outcome, outcomes } from '../kernel/outcome.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { readArguments } from './arguments.ts';
import { actionNames, inputsOf, isList, variableOf } from './commands.ts';
import { exitStatus } from './exit-status.ts';
import { help } from './help.ts';
import { dotenv } from './outputs.ts';
import { isOnlyOnGitHub } from './refused.ts';

describe('a command line', () => {
  it('gives the texts of inputs', () => {
    const args = ['deploy', '--project-id', 'a', '--deploy=false', '--json', '--report', 'r.md'];
    expect(readArguments(args)).toMatchObject({
      kind: 'run',
      command: 'deploy',
      inputs: { 'project-id': 'a', deploy: 'false' },
      settings: { json: true, report: 'r.md' },
    });
  });

  it('joins the lines of a list, and takes values that begin with a dash after =', () => {
    const args = ['env-sync', '--env', 'A=1', '--env', 'B=2', '--env-from=-x'];
    expect(readArguments(args)).toMatchObject({ inputs: { env: 'A=1\nB=2', 'env-from': '-x' } });
  });

  it('names files of secrets', () => {
    expect(readArguments(['deploy', '--api-key-file', '-'])).toMatchObject({
      files: { 'api-key': '-' },
    });
  });

  it.each([
    [['deploy', '--projct-id', 'a'], 'there is no flag --projct-id; did you mean "--project-id"?'],
    [['deploy', '--zzzzzzzzzzzz'], '; "site-deploy deploy --help" lists all'],
    [['env-sync', '--commit-sha', 'a'], 'env-sync has no flag --commit-sha; "site-deploy env-sync'],
    [['deploy', '-p', 'a'], 'each flag is written --NAME'],
    [['deplo'], 'there is no command deplo; did you mean "deploy"?'],
    [['deploy', '--project-id', 'a', '--project-id', 'b'], '--project-id is given twice'],
    [['deploy', '--report', 'a', '--report', 'b'], '--report is given twice'],
    [['deploy', '--project-id'], '--project-id needs a value'],
    [['deploy', '--project-id', '--json'], '--project-id needs a value'],
    [['deploy', '--json=1'], '--json takes no value'],
    [['env-sync', '--env-file', 'a'], 'because Node has an option of that name: set SITE_ENV_FILE'],
    [['deploy', 'a'], 'there is a value without a flag'],
    [['add-variable'], 'name the variable first: site-deploy add-variable STRIPE_KEY'],
    [
      ['add-variable', '--into', 'A'],
      'name the variable first: site-deploy add-variable STRIPE_KEY',
    ],
    [['add-variable', 'A', 'B'], 'there is a second NAME: run add-variable once for each'],
    [['deploy', '--', 'a'], 'there is a value without a flag'],
  ])('%j is refused', (args, message) => {
    expect(() => readArguments(args)).toThrow(message);
  });

  const pasted = 'sk_live_notARealKey0123456789';
  it.each([
    [['deploy', `--${pasted}`]],
    [['deploy', `--${pasted}=x`]],
    [['deploy', `--api_key_${pasted}`]],
    [['deploy', `--api-kye=${pasted}`]],
    [['deploy', `--api-kye`, pasted]],
    [['deploy', `--api-key=${pasted}`]],
    [['deploy', `-${pasted}`]],
    [['deploy', `-k${pasted}`]],
    [['deploy', `-s=${pasted}`]],
    [['deploy', pasted]],
    [['deploy', '--', pasted]],
    [['deploy', `--json=${pasted}`]],
    [['deploy', `--pull-request=${pasted}`, `--pull-request=${pasted}`]],
    [[pasted]],
    [['help', pasted]],
    [[`--${pasted}`, 'deploy']],
    [[`--api-key=${pasted}`, 'deploy']],
    [[`-${pasted}`]],
  ])('%j is refused without what may be a secret in it', (args) => {
    const read = () => readArguments(args);
    expect(read).toThrow();
    for (const part of ['sk_live', 'notARealKey', '0123456789', 'sk', '-s ']) {
      expect(read).not.toThrow(part);
    }
  });

  const secrets = actionNames.flatMap((command) =>
    Object.entries(inputsOf(command)).flatMap(([name, { secret }]) =>
      secret === true ? [[command, name] as const] : [],
    ),
  );

  it.each(secrets)('%s refuses --%s, whose value it does not repeat', (command, name) => {
    const value = 'not-a-real-secret';
    const read = () => readArguments([command, `--${name}`, value]);
    expect(read).toThrow(variableOf(name));
    expect(read).not.toThrow(value);
  });
});

/** Values of which a list takes one. */
const items = ['a', '00000000-0000-4000-8000-000000000000', 'www.example.com', 'OWNER'];
const pair = '00000000-0000-4000-8000-000000000000\n00000000-0000-4000-8000-000000000001';

test.each(actionNames)('each list among the inputs of %s may be given several times', (command) => {
  const lists = Object.entries(inputsOf(command)).filter(([, { schema }]) =>
    [...items, pair].some((item) => {
      const read = schema(item);
      return 'value' in read && Array.isArray(read.value);
    }),
  );
  expect(lists.filter(([name]) => !isList(name) && name !== 'env-file')).toEqual([]);
});

test.each(actionNames)(
  'the help of %s names each input, its variable, and no value of a secret',
  (command) => {
    const text = help(command);
    const available = Object.entries(inputsOf(command)).filter(
      ([name]) => !isOnlyOnGitHub(command, name),
    );
    for (const [name, { secret }] of available) {
      if (name === 'env-file') expect(text).toMatch(/^ {2}SITE_ENV_FILE$/m);
      else
        expect(text).toContain(
          `--${name}${secret ? '-file FILE' : ' VALUE'}  (${variableOf(name)})`,
        );
    }
    expect(text).not.toContain('${{');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  },
);

test('the help of a command has its usage, and only how inputs are given that it has', () => {
  expect(help('init')).toContain('Each input is a flag or an environment variable');
  expect(help('init')).not.toContain('--env-from');
  expect(help('add-variable')).toContain('\nUsage: site-deploy add-variable NAME ');
  expect(help('add-variable')).not.toContain('Each input');
});

test('each outcome has its exit status', () => {
  const all = Object.keys(outcomes) as Outcome[];
  const statuses = all.map((outcome) => [outcome, exitStatus({ outcome, fails: true })]);
  const own = statuses.filter(([, status]) => status !== 1);
  expect(Object.fromEntries(own)).toEqual({
    'timed-out': 4,
    cancelled: 130,
    conflict: 3,
  });
  expect(exitStatus({ outcome: 'conflict', fails: false })).toBe(0);
  expect(exitStatus({ outcome: 'failed', fails: true, isWrong: true })).toBe(2);
});

test('a dotenv file has only plain values, at most 20, under names that are no inputs', () => {
  const linesOf = (outputs: object, error?: Diagnostic) =>
    dotenv({ action: 'deploy', outputs: { outcome: 'synced', ...outputs }, error }).split('\n');
  const outputs = {
    url: 'https://a.b/c?d=e',
    drift: false,
    requests: 2,
    text: 'two words',
    plan: { digest: 'a', changes: [] },
    none: undefined,
    lines: 'a\nb',
  };
  const error = diagnose('SD9001', unsafeText('two words'));
  expect(linesOf(outputs, error)).toEqual([
    'SITE_OUT_OUTCOME=synced',
    'SITE_OUT_URL=https://a.b/c?d=e',
    'SITE_OUT_DRIFT=false',
    'SITE_OUT_REQUESTS=2',
    'SITE_OUT_ERROR_CODE=SD9001',
    '',
  ]);
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`n-${index}`, 'x']));
  expect(linesOf(many)).toHaveLength(21);
});
