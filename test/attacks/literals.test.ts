// Attack (secrets): A value of the input `env` (`PORT=3000`) is masked, and the log and outputs lose it everywhere
// Defense: Values of `env` are not masked: the runner has printed them already

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DialectOptions, startEmulator } from '../../emulator/index.ts';
import type { RunOptions } from '../../emulator/runner.ts';
import { startEnvSync } from '../dist/env-sync-world.ts';
import { startPullRequest } from '../dist/pull-request-world.ts';
import { runStep } from '../dist/run-step.ts';
import { projectId, refuse, startHostile } from './hostile.ts';
import { shownBy } from './shown.ts';

/** A service that quotes what it was sent and refuses it. */
const echoing = { refuse: ['createVariable'], echoValues: true } satisfies DialectOptions;

const literal = 'fake-literal-of-env';

describe.concurrent('a literal of the input env', () => {
  it('is no mask, and takes no word out of what the step says', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const commit = await project.head();
    const env = {
      NODE_ENV: 'production',
      PORT: '3000',
      LOG_LEVEL: 'info',
      STATUS: 'succeeded',
      QUEUED: 'deploying',
      ADVICE: 'deployment',
      COMMIT: commit,
      SHORT: commit.slice(0, 12),
      PROJECT: project.id,
      API: emulator.url,
    };
    const inputs = {
      'env-targets': 'production',
      env: Object.entries(env)
        .map((entry) => entry.join('='))
        .join('\n'),
    };
    const result = await runStep(emulator, project, { inputs });
    expect(result.outputs).toMatchObject({
      outcome: 'succeeded',
      'deployment-status': 'succeeded',
      'live-commit': commit,
      'commit-sha': commit,
      'project-id': project.id,
      'deployment-id': project.deployments[0]?.id,
    });
    for (const [name, value] of Object.entries(env)) {
      expect(result.masks).not.toContain(value);
      expect(result.masks).not.toContain(`${name}=${value}`);
    }
    expect(shownBy(result)).not.toContain('***');
    expect(result.summary).toContain('production');
  });

  it.each([
    ['a refusal of its id', { 'project-id': projectId }, projectId],
    ['a status word in an error', {}, 'environment'],
  ])('takes no word of ours out of an error: %s', async (_name, inputs, value) => {
    await using service = await startHostile({ environment: refuse(403) });
    const result = await service.run('', { inputs: { env: `A=${value}`, ...inputs } });
    expect(result.outputs['error']).toContain(`/v1/projects/${projectId}/environment`);
    expect(shownBy(result)).not.toContain('***');
  });

  it('takes nothing out of what a preview is called', async () => {
    await using world = await startPullRequest();
    const hostname = 'pr-7.preview.example.com';
    const env = [hostname, `https://${hostname}`, 'preview.example', 'octo-org/octo-site'];
    const result = await world.run('opened', {
      inputs: { env: env.map((value, index) => `V${index}=${value}`).join('\n') },
    });
    expect(result.outputs).toMatchObject({
      outcome: 'succeeded',
      'preview-hostname': hostname,
      'preview-url': `https://${hostname}`,
    });
    expect(shownBy(result) + JSON.stringify(world.comments())).not.toContain('***');
  });
});

describe.concurrent('a value is a mask', () => {
  it.each<[string, Partial<RunOptions>]>([
    ['env-file', { inputs: { 'env-file': 'a.env' } }],
    ['env-from', { env: { A: literal }, inputs: { 'env-from': 'A' } }],
    [
      'env-from beside env',
      { env: { A: literal }, inputs: { 'env-from': 'A', env: `B=${literal}` } },
    ],
  ])('of %s', async (_name, options) => {
    await using world = await startEnvSync(echoing);
    await writeFile(join(world.workspace, 'a.env'), `A=${literal}\n`);
    const inputs = { 'env-from': '', ...options.inputs };
    const result = await world.run({}, { ...options, inputs });
    expect(result.masks).toContain(literal);
    expect(shownBy(result)).not.toContain(literal);
  });
});
