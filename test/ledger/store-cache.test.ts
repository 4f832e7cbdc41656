import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { endless, openCacheWorld, operationsOf, protocols } from './store-world.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each(protocols)('the ledger in a cache of the %s protocol', (protocol) => {
  test.each([
    ['a short text', 'sealed'],
    ['200 kB that cannot be compressed', randomBytes(150_000).toString('base64')],
    ['line ends, other scripts and a byte order mark', '\ufeffa\r\nb\rc\n\u{1f600}'],
    ['the largest text', 'x'.repeat(1024 * 1024)],
  ])('%s comes back as it was saved', async (_, text) => {
    await using world = await openCacheWorld({ protocol });
    expect(await world.store().load(endless)).toEqual({ absent: 'none' });
    expect(await world.store().save(text, endless)).toBeUndefined();
    const loaded = await world.store().load(endless);
    expect('text' in loaded && loaded.text === text).toBe(true);
  });

  test('the token goes to the service, and to no signed address', async () => {
    await using world = await openCacheWorld({ protocol });
    await world.store().save('sealed', endless);
    await world.store().load(endless);
    const { entries } = world.server.journal;
    const carried = entries.map(({ operation, headers }) => [operation, headers.authorization]);
    const token = `Bearer ${world.server.environment['ACTIONS_RUNTIME_TOKEN']}`;
    expect(carried).toEqual([
      ['create', token],
      // The older service takes the content itself.
      ['upload', protocol === 'newer' ? undefined : token],
      ['finalize', token],
      ['look-up', token],
      ['download', undefined],
    ]);
  });

  test('an entry is the sealed text as it is, under a key that names the run', async () => {
    await using world = await openCacheWorld({ protocol });
    await world.store().save('sealed', endless);
    const [entry] = world.server.entries;
    expect(entry?.key).toMatch(/^site-deploy-ledger-[0-9a-f]{32}-42-[0-9a-f-]{36}$/);
    expect(entry?.version).toMatch(/^[0-9a-f]{64}$/);
    expect(entry?.content?.toString()).toBe('sealed');
  });

  test('the newest of several is loaded, and each has a key of its own', async () => {
    await using world = await openCacheWorld({ protocol });
    for (const text of ['first', 'second', 'third']) await world.store().save(text, endless);
    expect(await world.store().load(endless)).toEqual({ text: 'third' });
    expect(new Set(world.server.entries.map(({ key }) => key)).size).toBe(3);
  });

  test('a second look of one store reads a content only if it is another', async () => {
    await using world = await openCacheWorld({ protocol });
    await world.store().save('first', endless);
    const store = world.store();
    await store.load(endless);
    world.server.journal.clear();
    expect(await store.load(endless)).toEqual({ text: 'first' });
    expect(operationsOf(world)).toEqual(['look-up']);
    await world.store().save('second', endless);
    expect(await store.load(endless)).toEqual({ text: 'second' });
  });

  test.each([
    ['another project', ['project-1'], ['project-2']],
    ['a longer name', ['project-1'], ['project-1', 'x']],
    ['the same characters, parted elsewhere', ['a-b', 'c'], ['a', 'b-c']],
  ])('the ledger of %s is not seen', async (_, saved, looked) => {
    await using world = await openCacheWorld({ protocol });
    await world.store({ parts: saved }).save('sealed', endless);
    expect(await world.store({ parts: looked }).load(endless)).toEqual({ absent: 'none' });
  });

  test('a pull request sees its own ledger first, then that of the base', async () => {
    await using world = await openCacheWorld({ protocol });
    await world.store().save('of main', endless);
    world.server.access.scopes = ['refs/pull/1/merge', 'refs/heads/main'];
    expect(await world.store().load(endless)).toEqual({ text: 'of main' });
    await world.store().save('of the pull request', endless);
    expect(await world.store().load(endless)).toEqual({ text: 'of the pull request' });
    world.server.access.scopes = ['refs/heads/main'];
    expect(await world.store().load(endless)).toEqual({ text: 'of main' });
  });

  test('an entry whose upload was never completed is not seen', async () => {
    await using world = await openCacheWorld({ protocol });
    world.server.faults.finalize = { status: 400 };
    await world.store().save('sealed', endless);
    expect(world.server.entries[0]?.content?.toString()).toBe('sealed');
    expect(await world.store().load(endless)).toEqual({ absent: 'none' });
  });

  test('a cache that is reached through a proxy only is reached', async () => {
    await using world = await openCacheWorld({ protocol, host: 'cache.example' });
    for (const name of ['http_proxy', 'https_proxy', 'no_proxy']) {
      vi.stubEnv(name, world.server.environment[name]);
      vi.stubEnv(name.toUpperCase(), undefined);
    }
    expect(await world.store().save('sealed', endless)).toBeUndefined();
    expect(await world.store().load(endless)).toEqual({ text: 'sealed' });
    const hosts = world.server.journal.entries.map(({ headers }) => headers.host);
    expect(new Set(hosts)).toEqual(new Set(['cache.example']));
  });
});

test('act knows a run by the address alone: without a token none is sent', async () => {
  await using world = await openCacheWorld({ protocol: 'older' });
  const { ACTIONS_RUNTIME_TOKEN: _, ...environment } = world.server.environment;
  await world.store({ environment }).load(endless);
  const [looked] = world.server.journal.of('look-up');
  expect(looked?.headers).not.toHaveProperty('authorization');
});
