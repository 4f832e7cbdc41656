// Attack (secrets): Something is printed before the masks
// Defense: Inputs are masked first, variables before the log opens

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../emulator/git/git.ts';
import { type EmulatedProject, startEmulator } from '../../emulator/index.ts';
import { readable, runStep } from './run-step.ts';

const variables = {
  API_TOKEN: 'not-a-real-token-0123456789',
  TLS_KEY: '-----BEGIN FAKE KEY-----\nbm90IGEga2V5IGF0IGFsbA==\n-----END FAKE KEY-----\n',
  TRICKY: `emoji 👩‍👩‍👧 "quotes" 'single' $HOME # hash a=b \\ and a tab\t.`,
};

async function pushChange(project: EmulatedProject, headline: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'site-clone-'));
  try {
    await git(['clone', '--quiet', project.gitUrl, folder]);
    const page = join(folder, 'index.html');
    await writeFile(page, (await readFile(page, 'utf8')).replace(/<h1>.*<\/h1>/, headline));
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
    await git(['-C', folder, ...author, 'commit', '--quiet', '--all', '--message', 'Change']);
    await git(['-C', folder, 'push', '--quiet', 'origin', 'HEAD']);
    return await git(['-C', folder, 'rev-parse', 'HEAD']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('a pushed commit', () => {
  it('goes live with its variables, and the step tells so', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    project.setVariable({ name: 'API_TOKEN', value: 'old', production: false });
    const headline = '<h1>Pushed just now</h1>';
    const sha = await pushChange(project, headline);
    const result = await runStep(emulator, project, {
      inputs: {
        'env-from': 'API_TOKEN\nTLS_KEY\nRENAMED=TRICKY',
        'verify-url': project.siteUrl,
        'verify-contains': 'Pushed just now',
      },
      env: variables,
      secrets: Object.values(variables),
    });
    expect(result.conclusion).toBe('success');
    expect(result.raw.stderr).toBe('');

    const stored = project.variables.map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(stored)).toEqual({
      API_TOKEN: variables.API_TOKEN,
      TLS_KEY: variables.TLS_KEY,
      RENAMED: variables.TRICKY,
    });
    expect(project.variables).toHaveLength(3);
    expect(project.deployments.map(({ commit, status }) => [commit, status])).toEqual([
      [sha, 'succeeded'],
    ]);
    const page = await fetch(project.sitePathUrl);
    expect(await page.text()).toContain(headline);

    const { journal } = emulator;
    const [post] = journal.of('createDeployment');
    expect(post?.body).toEqual({
      versionId: sha,
      idempotencyKey: expect.stringMatching(/^sd-[0-9a-f]{64}$/),
    });
    const writes = journal.entries.filter(({ operation }) => /Variable$/.test(operation));
    expect(writes).toHaveLength(4);
    for (const { endedAt } of writes) expect(endedAt).toBeLessThanOrEqual(post?.at ?? 0);

    expect(result.outputs).toMatchObject({
      outcome: 'succeeded',
      'deployment-id': project.deployments[0]?.id,
      'deployment-status': 'succeeded',
      'commit-sha': sha,
      'project-id': project.id,
      drift: 'false',
      error: '',
    });
    expect(JSON.parse(result.outputs['env-summary'] ?? '')).toMatchObject({
      created: 2,
      replaced: 1,
      retargeted: 1,
    });
    const service = journal.entries.filter(
      ({ operation }) => operation !== 'site' && operation !== 'git',
    );
    expect(Number(result.outputs['requests'])).toBe(service.length);
    expect(result.summary).toContain('### Variables');
    expect(result.post?.log.join()).not.toContain('Warning');
  });

  it('leaves no secret anywhere, and masks before it says anything', async () => {
    await using emulator = await startEmulator({
      dialect: { echoValues: true, hostileText: variables.API_TOKEN, refuse: ['createDeployment'] },
    });
    const project = await emulator.world.createProject();
    const result = await runStep(emulator, project, {
      inputs: { 'env-from': Object.keys(variables).join() },
      env: variables,
    });
    expect(result.conclusion).toBe('failure');
    const shown = readable({ ...result, log: result.log.slice(result.log.indexOf('')) });
    for (const secret of [emulator.key, ...Object.values(variables)]) {
      const lines = secret.split('\n').filter(Boolean);
      for (const line of [secret, ...lines]) expect(shown).not.toContain(line);
    }
    const lines = result.raw.stdout.split('\n');
    const firstOther = lines.findIndex((line) => !line.startsWith('::add-mask::'));
    const masks = lines.filter((line) => line.startsWith('::add-mask::'));
    expect(firstOther).toBe(masks.length);
    expect(lines.slice(firstOther).join('\n')).not.toContain(variables.API_TOKEN);
    expect(result.masks).toEqual(expect.arrayContaining([emulator.key, variables.API_TOKEN]));
  });

  it('asks with the same idempotency key on a retry, and with another in every other run', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const github = { runId: '1', runAttempt: '1' };
    const bodies = async () => {
      emulator.journal.clear();
      emulator.faults.add({ operation: 'createDeployment', kind: 'reset-after' });
      await runStep(emulator, project, { github, inputs: { wait: 'none' } });
      return emulator.journal.of('createDeployment').map(({ body }) => JSON.stringify(body));
    };
    const [first, retry] = await bodies();
    const [second] = await bodies();
    expect(retry).toBe(first);
    expect(second).not.toBe(first);
    expect(project.deployments).toHaveLength(2);
  });
});
