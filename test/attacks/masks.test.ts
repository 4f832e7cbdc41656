// Attack (secrets): A file marks a secret as plain, and the service returns it
// Defense: Values that come from the step's environment or from `env-file` are always masked. `value:` in a file is
// public
// Attack (secrets): A mask hides a public address in the report
// Defense: The exact hostname or origin of a domain that the run reports is never masked

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEnvSync } from '../dist/env-sync-world.ts';
import { startPullRequest } from '../dist/pull-request-world.ts';
import { runStep } from '../dist/run-step.ts';
import { shownBy } from './shown.ts';

const secret = 'not-a-real-stripe-key-0123456789';
const env = { PROD_STRIPE_KEY: secret };

/** A service that quotes what it was sent and refuses it. */
const echoing = { refuse: ['createVariable'], echoValues: true };

const variable = { from: 'PROD_STRIPE_KEY', kind: 'plain' };
const site = JSON.stringify({ environment: { STRIPE_KEY: variable } });

describe.concurrent('a file that calls a value of the step plain does not lift its mask', () => {
  it('in env-sync', async () => {
    await using world = await startEnvSync(echoing);
    await writeFile(join(world.workspace, 'site.yml'), site);
    const options = { env, inputs: { config: 'site.yml', 'env-from': '' } };
    const result = await world.run({}, options);
    expect(result.outputs['error']).toContain('***');
    expect(result.masks).toContain(secret);
    expect(shownBy(result)).not.toContain(secret);
    expect(world.emulator.journal.of('createVariable')[0]?.body).toMatchObject({ kind: 'plain' });
  });

  it('in deploy', async () => {
    await using world = await startEnvSync(echoing);
    await writeFile(join(world.workspace, 'site.yml'), site);
    const { workspace, project } = world;
    const inputs = { config: 'site.yml', deploy: 'false' };
    const result = await runStep(world.emulator, project, { workspace, env, inputs });
    expect(result.outputs['error']).toContain('***');
    expect(result.masks).toContain(secret);
    expect(shownBy(result)).not.toContain(secret);
  });
});

describe.concurrent('a value is shown', () => {
  it.each(['B=quite open, in an input', 'B="quite open, in an input"'])(
    'of the input env: %s',
    async (env) => {
      await using world = await startEnvSync(echoing);
      const result = await world.run({}, { inputs: { env } });
      expect(result.outputs['error']).toContain('quite open, in an input');
      expect(result.masks).not.toContain('quite open, in an input');
    },
  );

  it('that stands in the site file', async () => {
    await using world = await startEnvSync(echoing);
    const open = { A: { value: 'quite open, in the file', kind: 'plain' } };
    await writeFile(join(world.workspace, 'site.yml'), JSON.stringify({ environment: open }));
    const result = await world.run({}, { inputs: { config: 'site.yml', 'env-from': '' } });
    expect(shownBy(result)).toContain(open.A.value);
    expect(result.masks).not.toContain(open.A.value);
  });

  it('of env-file never', async () => {
    await using world = await startEnvSync(echoing);
    await writeFile(join(world.workspace, 'a.env'), `A=${secret}\n`);
    const result = await world.run({}, { inputs: { 'env-from': '', 'env-file': 'a.env' } });
    expect(result.outputs['error']).toContain('***');
    expect(shownBy(result)).not.toContain(secret);
  });
});

describe.concurrent('a value that is exactly the address of a domain that the run tells of', () => {
  const hostname = 'pr-7.preview.example.com';

  it('does not hide it in a deploy of a pull request', async () => {
    await using world = await startPullRequest();
    const preview = 'https://pr-7.preview.example.com';
    const result = await world.run('opened', {
      env: { PUBLIC_ORIGIN: preview },
      inputs: { 'env-from': 'PUBLIC_ORIGIN' },
    });
    expect(result.outputs).toMatchObject({ outcome: 'succeeded', 'preview-url': preview });
    expect(result.masks).not.toContain(preview);
  });

  it.each([
    ['an address with more in it', `https://${hostname}/?key=fake-key-0123456789`],
    ['user and password', `https://user:fake-password@${hostname}`],
    ['the address of another domain', 'https://internal.example.net'],
  ])('but nothing else is shown: %s', async (_name, value) => {
    await using world = await startPullRequest(echoing);
    const inputs = { 'env-from': 'ADDRESS' };
    const result = await world.run('opened', { env: { ADDRESS: value }, inputs });
    expect(result.outputs['error']).toContain('***');
    expect(result.masks).toContain(value);
    expect(shownBy(result)).not.toContain(value);
  });
});
