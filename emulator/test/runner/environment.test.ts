import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { type RunOptions, runAction } from '../../runner.ts';
import { expression, writeAction } from './write-action.ts';

const inputs = {
  'api-key': { required: true },
  'two words': { default: 'spaced' },
  number: { default: 20 },
  flag: { default: true },
  'github-token': {
    default: `token ${expression('github.token')} in ${expression('github.repository')}`,
  },
};

async function variables(options: Omit<RunOptions, 'action'> = {}) {
  await using action = await writeAction({
    inputs,
    main: 'process.stdout.write(JSON.stringify(process.env));',
  });
  const { raw } = await runAction({ action: action.path, ...options });
  return z.record(z.string(), z.string()).parse(JSON.parse(raw.stdout));
}

describe('inputs', () => {
  test('have defaults, with expressions filled in; without default they are empty', async () => {
    const env = await variables({ github: { token: 'fake-token', repository: 'octo-org/other' } });
    expect(env).toMatchObject({
      'INPUT_API-KEY': '',
      INPUT_TWO_WORDS: 'spaced',
      INPUT_NUMBER: '20',
      INPUT_FLAG: 'true',
      'INPUT_GITHUB-TOKEN': 'token fake-token in octo-org/other',
    });
  });

  test('are given by name in any case, and not trimmed', async () => {
    const env = await variables({ inputs: { 'API-key': ' fake \n', flag: '' } });
    expect(env).toMatchObject({ 'INPUT_API-KEY': ' fake \n', INPUT_FLAG: '' });
  });

  test('that the action does not have are passed, with a warning', async () => {
    await using action = await writeAction({
      inputs: { known: { deprecationMessage: 'use another' } },
      main: "console.log('other=' + process.env.INPUT_OTHER);",
    });
    const result = await runAction({ action: action.path, inputs: { other: '1', known: '2' } });
    expect(result.annotations.map(({ level, message }) => [level, message])).toEqual([
      ['warning', "Input 'known' has been deprecated with message: use another"],
      ['warning', "Unexpected input(s) 'other', valid inputs are ['known']"],
    ]);
    expect(result.log).toContain('other=1');
  });

  test('with an expression that is not known end the run', async () => {
    await using action = await writeAction({
      inputs: { a: { default: expression('env.A') } },
      main: '',
    });
    await expect(runAction({ action: action.path })).rejects.toThrow(expression('env.A'));
  });
});

describe('the environment', () => {
  test('describes the run', async () => {
    const env = await variables({
      event: {
        name: 'pull_request',
        payload: { pull_request: { base: { ref: 'main' }, head: { ref: 'topic' } } },
      },
      github: { ref: 'refs/pull/7/merge', runId: '42', apiUrl: 'http://127.0.0.1:1' },
    });
    expect(env).toMatchObject({
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: 'http://127.0.0.1:1',
      GITHUB_BASE_REF: 'main',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_GRAPHQL_URL: 'http://127.0.0.1:1/graphql',
      GITHUB_HEAD_REF: 'topic',
      GITHUB_REF_NAME: '7/merge',
      GITHUB_REPOSITORY_OWNER: 'octo-org',
      GITHUB_RUN_ID: '42',
    });
    expect(env).not.toHaveProperty('GITHUB_TOKEN');
    expect(env).not.toHaveProperty('RUNNER_DEBUG');
  });

  test('holds nothing of the process that starts it but what a machine has', async () => {
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    vi.stubEnv('STRAY_VARIABLE', 'stray');
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    const env = await variables({ env: { GIVEN: 'given', GITHUB_SHA: 'forged' } });
    expect(env).not.toHaveProperty('STRAY_VARIABLE');
    expect(env).not.toHaveProperty('NODE_OPTIONS');
    expect(env['GIVEN']).toBe('given');
    expect(env['GITHUB_SHA']).not.toBe('forged');
  });

  test('names an event file and an empty workspace, the working folder', async () => {
    await using action = await writeAction({
      main: `import { readFileSync, readdirSync, realpathSync } from 'node:fs';
        const { GITHUB_EVENT_PATH, GITHUB_WORKSPACE } = process.env;
        console.log(JSON.stringify([
          JSON.parse(readFileSync(GITHUB_EVENT_PATH)),
          readdirSync('.'),
          realpathSync(GITHUB_WORKSPACE) === realpathSync('.'),
        ]));`,
    });
    const { raw } = await runAction({
      action: action.path,
      event: { name: 'push', payload: { after: 'abc' } },
    });
    expect(JSON.parse(raw.stdout)).toEqual([{ after: 'abc' }, [], true]);
  });
});

test('an action that is not there is refused', async () => {
  await expect(runAction({ action: 'no/such/folder' })).rejects.toThrow('ENOENT');
});
