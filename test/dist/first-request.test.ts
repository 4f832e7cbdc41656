import { mkdtempDisposable, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startEmulator } from '../../emulator/index.ts';
import { actions as actionTable } from '../../src/inputs.ts';
import { compiled } from '../support/places.ts';
import { runStep, unpacked } from './run-step.ts';

const probe = new URL('first-request-probe.mjs', import.meta.url).href;
const probed = z.object({
  files: z.array(z.string()),
  later: z.array(z.string()),
  modules: z.array(z.string()),
  printed: z.string(),
  /** What formats spans of time: to make one takes as long as a tenth of a start. */
  formats: z.number(),
});

/** Plays a step of an action, and tells what it had loaded and printed when its first request was written. */
async function play(folder: string, inputs: Readonly<Record<string, string>>) {
  await using emulator = await startEmulator();
  const project = await emulator.world.createProject();
  await using temp = await mkdtempDisposable(join(tmpdir(), 'first-request-'));
  const file = join(temp.path, 'probe.json');
  const result = await runStep(emulator, project, {
    action: join(unpacked, folder),
    inputs: { 'github-deployment': '', 'project-id': project.id, ...inputs },
    env: {
      NODE_COMPILE_CACHE: compiled,
      FIRST_REQUEST_FILE: file,
      FAKE_SECRET: 'fake secret of this step',
    },
    nodeArgs: ['--import', probe],
    post: false,
  });
  expect(result.conclusion, result.log.join('\n')).toBe('success');
  const requests = emulator.journal.entries.length;
  return { ...probed.parse(JSON.parse(await readFile(file, 'utf8'))), requests, key: emulator.key };
}

const dist = join(unpacked, 'dist');

/** What an action and its post step begin with, of a few lines each. */
const entries = ['post.js', ...Object.keys(actionTable).map((name) => `${name}.js`)];

const sizeOf = async (files: readonly string[]) => {
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(dist, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** What both actions with variables load at their start: a file more takes each of them longer. */
const variables = 'shared-variables-model-source.js';

const actions: [folder: string, inputs: Record<string, string>, starts: string[]][] = [
  ['.', { deploy: 'false', 'env-from': 'FAKE_SECRET' }, [variables, 'actions-deploy.js']],
  ['env-sync', { 'env-from': 'FAKE_SECRET' }, [variables, 'actions-env-sync.js']],
  [
    'domains',
    { check: 'example.com', 'project-id': '' },
    ['actions-domains.js', 'domains-intent.js'],
  ],
  ['projects', { 'project-id': '' }, ['actions-projects.js']],
  ['message', { content: 'Hello', wait: 'none' }, ['actions-message.js']],
];

test.for(actions)(
  '%s: what the first request does not need is loaded after it',
  async ([folder, inputs, starts]) => {
    const { files, later, modules, printed, formats, key, requests } = await play(folder, inputs);
    const all = (await readdir(dist)).filter(
      (name) => name.endsWith('.js') && !entries.includes(name),
    );
    const first = files.filter((name) => all.includes(name));
    expect(first).toEqual(['index.js', ...starts]);
    // Most of what a run loads comes later, and another action's code does not come at all.
    expect(later.filter((name) => all.includes(name)).length).toBeGreaterThan(2);
    expect(await sizeOf(first)).toBeLessThan((await sizeOf(all)) / 2);
    expect(files.length + later.length).toBeLessThan(all.length);
    const loaded = modules.map((name) => name.split(' ').at(-1));
    expect(loaded).not.toContain('http2');
    expect(loaded).not.toContain('tls');
    expect(loaded).not.toContain('crypto');
    expect(loaded).not.toContain('fs/promises');
    expect(formats).toBe(0);
    expect(printed).toContain(`::add-mask::${key}`);
    if ('env-from' in inputs) expect(printed).toContain('::add-mask::fake secret of this step');
    expect(requests).toBeGreaterThan(0);
  },
);
