import { describe, expect, test } from 'vitest';
import { inputIn } from '../github/runner/runner.ts';
import type { Input } from '../inputs/input.ts';
import { type ActionName, actions } from '../inputs.ts';
import { readInputs } from './read-values.ts';

const id = '9f1c6d1e-5f0a-4b4e-8c1d-2f1b3c4d5e6f';
const required = {
  'api-key': 'fake-key',
  'base-url': 'https://api.example.com',
  'project-id': id,
};

/** The environment that the runner makes of these inputs. */
const environmentOf = (inputs: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text]),
  );

const givenOf = (inputs: Readonly<Record<string, string>>) => inputIn(environmentOf(inputs));

const read = (inputs: Readonly<Record<string, string>> = {}) =>
  readInputs(actions.deploy.inputs, givenOf({ ...required, ...inputs }));

const table = Object.entries<Input>(actions.deploy.inputs);

describe('what is not given', () => {
  test.each([
    ['is absent', {}],
    ['is empty', Object.fromEntries(table.map(([name]) => [name, '']))],
    ['is white space', { timeout: ' \n', wait: ' ', 'env-from': '\n', 'verify-url': '\t' }],
  ])('has its default when it %s', (_name, inputs) => {
    const { values, problems } = read({ ...inputs, ...required });
    expect(problems).toEqual([]);
    expect(values).toMatchObject({
      ...required,
      timeout: 1_200_000,
      deploy: true,
      mode: 'apply',
      'env-targets': { preview: true, production: true },
      'env-on-conflict': 'overwrite',
      wait: 'auto',
      strict: false,
      'allow-production': false,
    });
  });

  test('and has no default is undefined', () => {
    const { values } = read();
    for (const name of ['commit-sha', 'env', 'env-from', 'env-file', 'verify-url'] as const) {
      expect(values).toHaveProperty(name, undefined);
    }
  });

  test('is no token: the default is an expression, which only the runner evaluates', () => {
    expect(read().values?.['github-token']).toBeUndefined();
    expect(read().secrets).toEqual(['fake-key']);
  });

  test('and is required is a problem, each of its own', () => {
    expect(readInputs(actions.deploy.inputs, givenOf({})).problems).toMatchObject(
      ['api-key', 'base-url'].map((input) => ({ input, message: 'is required but empty' })),
    );
  });
});

describe('what is given', () => {
  test('is read without the white space around it', () => {
    const { values } = read({ 'api-key': ' fake-key\n', wait: ' poll ' });
    expect(values).toMatchObject({ 'api-key': 'fake-key', wait: 'poll' });
  });

  test('is read as it is where white space is part of it', () => {
    expect(read({ env: '\n A=" 1 "\n' }).values?.env).toBe('\n A=" 1 "\n');
  });

  test("is read by the runner's spelling only", () => {
    const given = inputIn({ ...environmentOf(required), INPUT_ALLOW_PRODUCTION: 'true' });
    const { values } = readInputs(actions.deploy.inputs, given);
    expect(values?.['allow-production']).toBe(false);
  });
});

describe('what is wrong', () => {
  test('is told all at once, in the order of the table, with the value and what is allowed', () => {
    const { problems } = read({
      'base-url': 'http://api.example.com',
      timeout: 'soon',
      deploy: 'yes',
      wait: 'maybe',
    });
    expect(problems).toMatchObject([
      {
        input: 'base-url',
        message: expect.stringMatching(/^"http:\/\/api.example.com" must use https/),
      },
      { input: 'timeout', message: expect.stringMatching(/^"soon" must be a duration/) },
      { input: 'deploy', message: '"yes" must be true, false or if-needed' },
      { input: 'wait', message: '"maybe" must be auto, stream, poll or none' },
    ]);
  });

  test('has no value, and the others keep theirs', () => {
    const inputs = read({ timeout: 'soon', wait: 'poll' });
    expect(inputs.values).toBeUndefined();
    expect(inputs.with(['timeout'], ({ timeout }) => timeout)).toBeUndefined();
    expect(inputs.with(['wait'], ({ wait }) => wait)).toBe('poll');
    expect(inputs.with(['wait', 'timeout'], ({ wait }) => wait)).toBeUndefined();
  });

  test('is shown as one short line', () => {
    const [problem] = read({ wait: `a\n::error::b${'c'.repeat(1000)}` }).problems;
    expect(problem?.message).toMatch(/^"a ::error::bc{67}…" must be/);
  });
});

describe('secrets', () => {
  const secretNames = table.filter(([, input]) => input.secret === true).map(([name]) => name);

  test("are the key, the ledger's key and the tokens", () => {
    expect(secretNames).toEqual(['api-key', 'git-token', 'env-ledger-key', 'github-token']);
  });

  test.each(secretNames)('the value of %s is a secret, and in no problem', (name) => {
    const marker = 'FAKE SECRET\u0007';
    const { secrets, problems } = read({ [name]: marker, timeout: 'soon' });
    expect(secrets).toContain(marker);
    expect(JSON.stringify(problems)).not.toContain('FAKE');
  });

  test('are known even where they are wrong', () => {
    const { secrets, problems } = read({ 'api-key': 'fake key' });
    expect(secrets).toEqual(['fake key']);
    expect(problems).toMatchObject([
      { input: 'api-key', message: expect.stringMatching(/^contains a character/) },
    ]);
  });
});

describe.each(Object.keys(actions) as ActionName[])('%s', (name) => {
  const inputs = Object.entries<Input>(actions[name].inputs);
  const needed = inputs.filter(([, { required: is }]) => is === true).map(([input]) => input);

  test('needs nothing but what is required', () => {
    const samples = new Map(Object.entries(required));
    const given = needed.map((input) => [input, samples.get(input) ?? 'any text']);
    expect(readInputs(actions[name].inputs, givenOf(Object.fromEntries(given))).problems).toEqual(
      [],
    );
  });

  test('tells of all that is required and missing at once', () => {
    expect(readInputs(actions[name].inputs, givenOf({})).problems).toMatchObject(
      needed.map((input) => ({ input, message: 'is required but empty' })),
    );
  });

  test('keeps the key, and whatever else is secret, out of every problem', () => {
    const all = Object.fromEntries(inputs.map(([input]) => [input, 'FAKE\u0007']));
    const { problems, secrets } = readInputs(actions[name].inputs, givenOf(all));
    const hidden = inputs.filter(([, { secret }]) => secret === true).map(([input]) => input);
    expect(hidden).toContain('api-key');
    expect(secrets).toHaveLength(hidden.length);
    for (const { input, message } of problems) {
      if (hidden.includes(input)) expect(message).not.toContain('FAKE');
    }
  });
});

describe('what env-sync reads beside', () => {
  const readSync = (inputs: Readonly<Record<string, string>> = {}) =>
    readInputs(actions['env-sync'].inputs, givenOf({ ...required, ...inputs }));

  test('has its default when it is not given', () => {
    expect(readSync().values).toMatchObject({
      mode: 'apply',
      'env-on-conflict': 'overwrite',
      'env-ledger': 'cache',
      'fail-on-drift': false,
      'expected-plan': undefined,
      'max-changes': undefined,
    });
  });

  test('is what keeps a plan from being applied', () => {
    const digest = 'AB'.repeat(32);
    const given = { 'fail-on-drift': 'true', 'expected-plan': digest, 'max-changes': '30%' };
    expect(readSync(given).values).toMatchObject({
      'fail-on-drift': true,
      'expected-plan': digest.toLowerCase(),
      'max-changes': { percent: 30 },
    });
  });

  test('is checked', () => {
    const { problems } = readSync({ 'expected-plan': 'latest', 'max-changes': 'few' });
    expect(problems).toMatchObject([
      {
        input: 'expected-plan',
        message: expect.stringMatching(/^"latest" must be the whole output/),
      },
      { input: 'max-changes', message: expect.stringMatching(/^"few" must be a number/) },
    ]);
  });
});

test.for([
  'https://octo:fake-pass@api.example.com',
  'https://octo:fake-pass/word@api.example.com',
  'https:octo:fake-pass@api.example.com',
  'https:/octo:fake-pass@api.example.com',
  String.raw`https:\\octo:fake-pass@api.example.com`,
  'octo:fake-pass@api.example.com',
])('a wrong value is quoted without what stands before its last @: %s', (url) => {
  const read = readInputs(actions.deploy.inputs, givenOf({ 'base-url': url }));
  const problem = read.problems.find(({ input }) => input === 'base-url');
  expect(problem?.message).toMatch(/^"[a-z:/\\]*\*\*\*@api\.example\.com" must/);
});

test.each([
  ['', 0],
  ['0', 0],
  ['0s', 0],
  ['5m', 300_000],
  ['true', undefined],
])('how long domains follows a verification: "%s"', (wait, milliseconds) => {
  const given = givenOf({ ...required, wait });
  expect(readInputs(actions.domains.inputs, given).get('wait')).toBe(milliseconds);
});
