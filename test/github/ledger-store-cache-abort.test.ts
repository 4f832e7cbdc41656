import { expect, test } from 'vitest';
import type { CacheOperation } from '../../src/emulator/cache/index.ts';
import { abortOnRequest, endless, openCacheWorld } from './ledger-store-world.ts';

test.each<CacheOperation>(['look-up', 'download'])(
  'loading ends with the signal, while the cache does not answer a %s',
  async (operation) => {
    await using world = await openCacheWorld();
    await world.store().save('sealed', endless);
    world.server.faults[operation] = 'hang';
    const signal = abortOnRequest(world, operation);
    await expect(world.store().load(signal)).rejects.toThrow('stopped');
    expect(await world.leftovers()).toEqual([]);
    await world.server.journal.waitFor((entry) => entry.operation === operation && !!entry.endedAt);
  },
);

test.each<CacheOperation>(['create', 'upload', 'finalize'])(
  'saving ends with the signal, while the cache does not answer a %s',
  async (operation) => {
    await using world = await openCacheWorld();
    world.server.faults[operation] = 'hang';
    const signal = abortOnRequest(world, operation);
    expect(await world.store().save('sealed', signal)).toContain('there was no time left');
    expect(await world.leftovers()).toEqual([]);
    await world.server.journal.waitFor((entry) => entry.operation === operation && !!entry.endedAt);
  },
);

test('nothing is begun for a signal that aborted before', async () => {
  await using world = await openCacheWorld();
  const signal = AbortSignal.abort(new Error('over'));
  await expect(world.store().load(signal)).rejects.toBe(signal.reason);
  expect(await world.store().save('sealed', signal)).toContain('there was no time left');
  expect(world.server.journal.entries).toEqual([]);
});
