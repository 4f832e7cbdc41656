import { describe, expect, test } from 'vitest';
import { actions, type Input } from '../../src/inputs.ts';
import { readInputs } from '../../src/run/read-inputs.ts';

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

const read = (inputs: Readonly<Record<string, string>> = {}) =>
  readInputs('deploy', environmentOf({ ...required, ...inputs }));

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
      'env-kind': 'secret',
      'env-targets': { preview: true, production: true },
      'env-on-conflict': 'overwrite',
      wait: 'auto',
      'on-unconfirmed': 'warn',
      'allow-production': false,
      'on-missing-credentials': 'auto',
    });
  });

  test('and has no default is undefined', () => {
    const { values } = read();
    for (const name of ['commit-sha', 'env', 'env-from', 'env-file', 'verify-url'] as const) {
      expect(values).toHaveProperty(name, undefined);
    }
  });

  test('is no token: the default is an expression, which only the runner evaluates', () => {
    expect(read().values['github-token']).toBeUndefined();
    expect(read().secrets).toEqual(['fake-key']);
  });

  test('and is required is a problem, each of its own', () => {
    expect(readInputs('deploy', {}).problems).toEqual(
      ['api-key', 'base-url'].map((input) => ({ input, message: 'is required, and empty' })),
    );
  });
});

describe('what is given', () => {
  test('is read without the white space around it', () => {
    const { values } = read({ 'api-key': ' fake-key\n', wait: ' poll ' });
    expect(values).toMatchObject({ 'api-key': 'fake-key', wait: 'poll' });
  });

  test('is read as it is where white space is part of it', () => {
    expect(read({ env: '\n A=" 1 "\n' }).values.env).toBe('\n A=" 1 "\n');
  });

  test("is read by the runner's spelling only", () => {
    const environment = environmentOf(required);
    const { values } = readInputs('deploy', { ...environment, INPUT_ALLOW_PRODUCTION: 'true' });
    expect(values['allow-production']).toBe(false);
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
    expect(problems).toEqual([
      {
        input: 'base-url',
        message: expect.stringMatching(/^"http:\/\/api.example.com" must be https/),
      },
      { input: 'timeout', message: expect.stringMatching(/^"soon" must be a duration/) },
      { input: 'deploy', message: '"yes" must be true or false' },
      { input: 'wait', message: '"maybe" must be auto, stream, poll or none' },
    ]);
  });

  test('has no value, and the others keep theirs', () => {
    const { values } = read({ timeout: 'soon', wait: 'poll' });
    expect(values).not.toHaveProperty('timeout');
    expect(values).toMatchObject({ wait: 'poll' });
  });

  test('is shown as one short line', () => {
    const [problem] = read({ wait: `a\n::error::b${'c'.repeat(1000)}` }).problems;
    expect(problem?.message).toMatch(/^"a ::error::bc{67}…" must be/);
  });
});

describe('secrets', () => {
  const secretNames = table.filter(([, input]) => input.secret === true).map(([name]) => name);

  test("are the key, the variables, their ledger's key and the token", () => {
    expect(secretNames).toEqual(['api-key', 'env', 'env-ledger-key', 'github-token']);
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
    expect(problems).toEqual([
      { input: 'api-key', message: expect.stringMatching(/^holds a character/) },
    ]);
  });
});

describe('what is not available yet', () => {
  test.each([
    ['env-prune', 'true', 'is not available in this version yet, except as "false"'],
    ['env-ledger', '.ledger', 'is not available in this version yet, except as "cache" or "off"'],
    ['config', 'site.yml', 'is not available in this version yet: leave it out'],
    ['mode', 'plan', 'is not available in this version yet, except as "apply"'],
  ])('%s: %s is a problem', (name, text, message) => {
    expect(read({ [name]: text }).problems).toEqual([
      { input: name, message: `"${text}" ${message}` },
    ]);
  });

  test('is told without the value of a secret', () => {
    expect(read({ 'env-ledger-key': 'fake-key' }).problems).toEqual([
      { input: 'env-ledger-key', message: 'is not available in this version yet: leave it out' },
    ]);
  });

  test.each([
    ['env-prune', 'FALSE'],
    ['env-ledger', 'off'],
    ['comment', 'false'],
    ['github-deployment', 'True'],
  ])('%s: %s is no problem', (name, text) => {
    expect(read({ [name]: text }).problems).toEqual([]);
  });
});
