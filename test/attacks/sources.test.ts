// Attack (secrets): A file of the workspace makes the action write the API key, a token or the ledger's key to the
// project
// Defense: Sources that begin with `INPUT_`, `STATE_`, `ACTIONS_`, `GITHUB_` or `RUNNER_`, in any case, are refused in
// a site file and in `env-from`, before any request. A pasted token with such a prefix (`github_pat_…`) is not quoted
// Attack (secrets): The API key, a token or the ledger's key is written to the project under another name (`env: X: ${{
// github.token }}`, or in a file)
// Defense: A variable with the value of a secret input, apart from white space, is refused, from any source. A value
// that only contains one is allowed: only the workflow can have built it

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../emulator/runner.ts';
import { startEnvSync } from '../dist/env-sync-world.ts';
import { startStep } from '../dist/run-step.ts';
import { shownBy } from './shown.ts';

const own = {
  'INPUT_API-KEY': 'the key itself',
  'INPUT_GITHUB-TOKEN': 'fake-token-of-github-0123',
  'INPUT_ENV-LEDGER-KEY': 'fake-key-of-the-ledger-0123',
  STATE_PROJECT: 'fake-state-0123',
  ACTIONS_RUNTIME_TOKEN: 'fake-runtime-token-0123',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'fake-id-token-0123',
  GITHUB_TOKEN: 'fake-token-in-the-environment-0123',
  RUNNER_SECRET: 'fake-runner-secret-0123',
  'input_api-key': 'as Windows would find it',
  Actions_Runtime_Token: 'likewise',
};
const names = Object.keys(own);

/** A step whose environment holds what the runner gives it, and what it could give it elsewhere. */
const step: Partial<RunOptions> = {
  env: own,
  inputs: {
    'github-token': own['INPUT_GITHUB-TOKEN'],
    'env-ledger-key': own['INPUT_ENV-LEDGER-KEY'],
    'env-from': '',
  },
};

const site = (from: string) => ({ environment: { STOLEN: { from, kind: 'plain' } } });

/** What the error says to write instead. */
const renamed = (source: string) =>
  source
    .replace(/^[a-z]+_/i, 'SITE_')
    .toUpperCase()
    .replaceAll('-', '_');

describe.concurrent('what only the action may know', () => {
  it('is not written to the project by a site file', async () => {
    await using world = await startEnvSync();
    const variables = names.map((from, index) => [`STOLEN_${index}`, { from, kind: 'plain' }]);
    const environment = Object.fromEntries(variables);
    await writeFile(join(world.workspace, 'site.yml'), JSON.stringify({ environment }));
    const result = await world.run({}, { ...step, inputs: { ...step.inputs, config: 'site.yml' } });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(world.emulator.journal.entries).toEqual([]);
    const told = result.log.filter((line) => line.startsWith('× config: site.yml line 1 uses'));
    expect(told).toHaveLength(names.length);
    for (const [index, source] of names.entries()) {
      const name = source === source.toUpperCase() ? renamed(source) : 'SITE_VALUE';
      expect(told[index]).toContain(
        `(${name}: \${{ … }}) and write STOLEN_${index}: { from: ${name} }`,
      );
    }
    for (const value of [world.emulator.key, ...Object.values(own)]) {
      expect(shownBy(result)).not.toContain(value);
    }
  });

  it('is not written by env-from either', async () => {
    await using world = await startEnvSync();
    const items = names.flatMap((source, index) => [source, `STOLEN_${index}=${source}`]);
    const inputs = { ...step.inputs, 'env-from': items.join('\n') };
    const result = await world.run({}, { ...step, inputs });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(world.emulator.journal.entries).toEqual([]);
    const told = result.log.filter((line) => line.startsWith('× env-from: item'));
    expect(told).toHaveLength(items.length);
    for (const line of told) expect(line).toMatch(/uses .*=SITE_\w+\. \(SD1203\)$/);
  });

  it('is not even looked for under the name of the variable', async () => {
    await using world = await startEnvSync();
    const file = { environment: { ACTIONS_RUNTIME_TOKEN: {} } };
    await writeFile(join(world.workspace, 'site.yml'), JSON.stringify(file));
    const { outputs } = await world.run(
      {},
      { ...step, inputs: { ...step.inputs, config: 'site.yml' } },
    );
    expect(outputs['error']).toContain('ACTIONS_RUNTIME_TOKEN: { from: SITE_RUNTIME_TOKEN }');
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('is refused in a file although an input gives the variable', async () => {
    await using world = await startEnvSync();
    await writeFile(join(world.workspace, 'site.yml'), JSON.stringify(site('INPUT_API-KEY')));
    const inputs = { ...step.inputs, config: 'site.yml', env: 'STOLEN=fake' };
    const { outputs } = await world.run({}, { ...step, inputs });
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
  });

  it.each(['push', 'pull_request_target'])('is refused by deploy, on %s', async (name) => {
    await using world = await startEnvSync();
    await writeFile(join(world.workspace, 'site.yml'), JSON.stringify(site('INPUT_API-KEY')));
    const head = { sha: 'a'.repeat(40), ref: 'topic', repo: { full_name: 'stranger/site' } };
    const payload = { after: 'a'.repeat(40), number: 7, pull_request: { number: 7, head } };
    const running = await startStep(world.emulator, world.project, {
      workspace: world.workspace,
      event: { name, payload },
      inputs: { config: 'site.yml', deploy: 'false', comment: 'false' },
    });
    const { outputs } = await running.done;
    expect(outputs['error']).toContain('INPUT_API-KEY');
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('is not told when it was pasted, although it begins like a name of the runner', async () => {
    await using world = await startEnvSync();
    const pasted = 'github_pat_11FAKE0123456789_notARealToken';
    const result = await world.run({}, { inputs: { 'env-from': pasted } });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(
      shownBy(result)
        .split(/^Failed/m)
        .at(-1),
    ).not.toContain(pasted);
  });
});

it.each(['ACTIONS_RUNTIME_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'] as const)(
  'the value of %s is written under no other name',
  async (name) => {
    await using world = await startEnvSync();
    const inputs = { 'env-from': 'A=HARMLESS' };
    const env = { [name]: own[name], HARMLESS: own[name] };
    const result = await world.run({}, { inputs, env });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(result.outputs['error']).toContain('a token of the CI');
    expect(shownBy(result)).not.toContain(own[name]);
    expect(world.emulator.journal.entries).toEqual([]);
  },
);

describe.concurrent('the value of a secret input', () => {
  const ledgerKey = 'fake-key-of-the-ledger-0123';
  const token = 'fake-token-of-github-0123';
  const inputs = { 'env-ledger-key': ledgerKey, 'github-token': token, 'env-from': '' };

  it.each<[string, (value: string) => Partial<RunOptions>]>([
    ['env-from', (value) => ({ inputs: { 'env-from': 'A=HARMLESS' }, env: { HARMLESS: value } })],
    [
      'env-from, with a line’s end',
      (value) => ({ inputs: { 'env-from': 'A=HARMLESS' }, env: { HARMLESS: ` ${value}\n` } }),
    ],
    ['env', (value) => ({ inputs: { env: `A="${value}"` } })],
    ['env-file', () => ({ inputs: { 'env-file': 'a.env' } })],
    ['the site file', () => ({ inputs: { config: 'value.yml' } })],
    [
      'a source that the site file names',
      (value) => ({ inputs: { config: 'from.yml' }, env: { HARMLESS: value } }),
    ],
  ])('is written under no name: by %s', async (_name, declaring) => {
    await using world = await startEnvSync();
    for (const value of [world.emulator.key, ledgerKey, token]) {
      const files = {
        'a.env': `A='${value}'\n`,
        'value.yml': JSON.stringify({ environment: { A: { value, kind: 'plain' } } }),
        'from.yml': JSON.stringify({ environment: { A: { from: 'HARMLESS' } } }),
      };
      for (const [name, text] of Object.entries(files)) {
        await writeFile(join(world.workspace, name), text);
      }
      const options = declaring(value);
      const result = await world.run({}, { ...options, inputs: { ...inputs, ...options.inputs } });
      expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
      expect(result.outputs['error']).toContain('the value of A is that of a secret input');
      expect(shownBy(result)).not.toContain(value);
    }
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('may be a part of a value: only the workflow can put it there', async () => {
    await using world = await startEnvSync();
    const npmrc = `//npm.example.com/:_authToken=${token}`;
    const { outputs } = await world.run({ NPMRC: npmrc }, { inputs: { 'github-token': token } });
    expect(outputs['outcome']).toBe('synced');
    expect(world.project.variables).toMatchObject([{ name: 'NPMRC', value: npmrc }]);
  });
});
