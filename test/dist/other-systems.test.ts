import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../emulator/runner.ts';
import { type EnvSyncWorld, startEnvSync, stored } from './env-sync-world.ts';

const preload = new URL('other-system.mjs', import.meta.url).href;
const variables = { A: 'fake value of a' };

/** How functions of files fail on the other system. */
type Faults = Record<string, { code?: string; codes?: string[]; insteadOf?: string }>;

/** Options of a run on a system that answers so. */
const on = (faults: Faults) => ({
  nodeArgs: ['--import', preload],
  env: { OTHER_SYSTEM: JSON.stringify(faults) },
});

/** Below a file Windows says that there is nothing, and has no word for why. */
const windows: Faults = { realpath: { code: 'ENOENT', insteadOf: 'ENOTDIR' } };

async function write({ workspace }: EnvSyncWorld, name: string, text: string) {
  await mkdir(dirname(join(workspace, name)), { recursive: true });
  await writeFile(join(workspace, name), text);
}

describe.concurrent('a ledger that another program has open, as Windows tells it', () => {
  test('for a moment: it is saved', async () => {
    await using world = await startEnvSync();
    const codes = ['EACCES', 'EBUSY', 'EPERM'];
    const { outputs } = await world.run(variables, on({ rename: { codes } }));
    expect(outputs['outcome']).toBe('synced');
    expect(await readdir(dirname(world.ledger))).toEqual(['ledger']);
    expect((await world.run(variables)).outputs['requests']).toBe('1');
  });

  test('for longer: the run says so, leaves no draft, and the old ledger stays', async () => {
    await using world = await startEnvSync();
    await world.run(variables);
    const before = await world.readLedger();
    const now = { A: 'another fake value' };
    const { outputs, log } = await world.run(now, on({ rename: { code: 'EPERM' } }));
    expect(outputs['outcome']).toBe('synced');
    expect(log.join('\n')).toContain("can't be written (EPERM)");
    expect(await readdir(dirname(world.ledger))).toEqual(['ledger']);
    expect(await world.readLedger()).toBe(before);
    expect(stored(world.project)).toEqual(now);
  });

  test('and so is the draft: why it was not written is told all the same', async () => {
    await using world = await startEnvSync();
    const faults = { rename: { code: 'ENOSPC' }, rm: { code: 'EPERM' } };
    const { log } = await world.run(variables, on(faults));
    expect(log.join('\n')).toContain("can't be written (ENOSPC)");
  });
});

describe.concurrent.each<[string, () => Partial<RunOptions>]>([
  ['here', () => ({})],
  ['on Windows', () => on(windows)],
])('a path below a file, %s,', (_, system) => {
  test('is told in the same words: a ledger', async () => {
    await using world = await startEnvSync();
    await write(world, 'file.txt', 'file');
    const inputs = { 'env-ledger': 'file.txt/ledger' };
    const { log, outputs } = await world.run(variables, { inputs, ...system() });
    expect(outputs['outcome']).toBe('synced');
    expect(log.join('\n')).toContain('"file.txt/ledger" is below something that is not a folder');
  });

  test('is told in the same words: files of inputs', async () => {
    await using world = await startEnvSync();
    await write(world, 'file.txt', 'file');
    const inputs = { 'env-file': 'file.txt/env', config: 'file.txt/site' };
    const { outputs } = await world.run(variables, { inputs, ...system() });
    expect(outputs['error']).toMatch(/env-file: .*file.txt\/env.*does not exist/);
    expect(outputs['error']).toMatch(/config: .*file.txt\/site.*does not exist/);
    expect(world.emulator.journal.entries).toEqual([]);
  });
});

const dotenv = 'FIRST=fake one\n# A note\nSECOND="fake\ntwo"\n';
const siteFile =
  'environment:\n  FIRST:\n    kind: plain\n    value: fake one\n  SECOND:\n    kind: plain\n    value: |\n      fake\n      two\n';

test.each([
  ['env-file', 'prod.env', dotenv],
  ['config', 'site.yml', siteFile],
])(
  '%s: a checkout with the line ends of Windows, and a byte order mark, means the same',
  async (input, name, text) => {
    const results: unknown[] = [];
    for (const content of [text, `\ufeff${text.replaceAll('\n', '\r\n')}`]) {
      await using world = await startEnvSync();
      await write(world, name, content);
      const { outputs } = await world.run({}, { inputs: { [input]: name, 'env-from': '' } });
      results.push([outputs['outcome'], outputs['error'], stored(world.project)]);
    }
    expect(results[0]).toEqual(['synced', '', { FIRST: 'fake one', SECOND: expect.any(String) }]);
    expect(results[1]).toEqual(results[0]);
  },
);
