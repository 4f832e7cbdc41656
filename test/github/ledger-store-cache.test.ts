import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { endless, openCacheWorld } from './ledger-store-world.ts';

describe('the ledger in the Actions cache', () => {
  test.each([
    ['a short text', 'sealed'],
    ['an empty text', ''],
    ['200 kB that cannot be compressed', randomBytes(150_000).toString('base64')],
    ['line ends, other scripts and a byte order mark', '\ufeffa\r\nb\rc\n\u{1f600}'],
  ])('%s comes back as it was saved', async (_, text) => {
    await using world = await openCacheWorld();
    expect(await world.store().save(text, endless)).toBeUndefined();
    const loaded = await world.store().load(endless);
    expect('text' in loaded && loaded.text === text).toBe(true);
    expect(await world.leftovers()).toEqual([]);
  });

  test('comes back from a host of Azure too, which the client treats in another way', async () => {
    await using world = await openCacheWorld({ onAzure: true });
    expect(await world.store().save('sealed', endless)).toBeUndefined();
    expect(await world.store().load(endless)).toEqual({ text: 'sealed' });
    const downloads = world.server.journal.of('download').map(({ method }) => method);
    expect(downloads).toEqual(['HEAD', 'GET']);
  });

  test('the newest of several is loaded, and each has a key of its own', async () => {
    await using world = await openCacheWorld();
    for (const text of ['first', 'second', 'third']) await world.store().save(text, endless);
    expect(await world.store().load(endless)).toEqual({ text: 'third' });
    const keys = world.server.entries.map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toMatch(/^site-deploy-ledger-[0-9a-f]{32}-42-[0-9a-f-]{36}$/);
  });

  test.each([
    ['another project', ['project-1'], ['project-2']],
    ['a longer name', ['project-1'], ['project-1', 'x']],
    ['the same characters, parted elsewhere', ['a-b', 'c'], ['a', 'b-c']],
  ])('the ledger of %s is not seen', async (_, saved, looked) => {
    await using world = await openCacheWorld();
    await world.store({ parts: saved }).save('sealed', endless);
    expect(await world.store({ parts: looked }).load(endless)).toEqual({ absent: 'none' });
  });

  test('a pull request sees its own ledger first, then that of the base', async () => {
    await using world = await openCacheWorld();
    await world.store().save('of main', endless);
    world.server.access.scopes = ['refs/pull/1/merge', 'refs/heads/main'];
    expect(await world.store().load(endless)).toEqual({ text: 'of main' });
    await world.store().save('of the pull request', endless);
    expect(await world.store().load(endless)).toEqual({ text: 'of the pull request' });
    world.server.access.scopes = ['refs/heads/main'];
    expect(await world.store().load(endless)).toEqual({ text: 'of main' });
  });

  test('two steps that work at once on one machine do not disturb each other', async () => {
    await using world = await openCacheWorld();
    const names = ['one', 'two', 'three'];
    const turns = names.map(async (name) => {
      const store = world.store({ parts: [name] });
      await store.save(`of ${name}`, endless);
      return store.load(endless);
    });
    expect(await Promise.all(turns)).toEqual(names.map((name) => ({ text: `of ${name}` })));
  });

  test('no line of the client, and none of its debug lines, gets into the log', async () => {
    await using world = await openCacheWorld();
    const { href } = new URL('../../src/github/ledger-store/cache.ts', import.meta.url);
    const step = join(world.environment['RUNNER_TEMP'] ?? '', 'step.mjs');
    await writeFile(
      step,
      `import { cacheStore } from ${JSON.stringify(href)};
const script = ${JSON.stringify(world.script)};
const store = cacheStore({ environment: process.env, parts: ['p'], runId: '1', script });
const signal = new AbortController().signal;
const results = [await store.save('sealed', signal), await store.load(signal)];
process.exitCode = JSON.stringify(results) === '[null,{"text":"sealed"}]' ? 0 : 1;`,
    );
    const environment = { ...world.environment, RUNNER_DEBUG: '1' };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [step], {
      env: environment,
    });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
    expect(world.server.entries).toHaveLength(1);
  });
});
