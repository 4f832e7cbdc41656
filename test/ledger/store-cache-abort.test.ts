import { describe, expect, test } from 'vitest';
import type { CacheOperation } from '../../emulator/cache/index.ts';
import { abortOnRequest, endless, openCacheWorld, protocols } from './store-world.ts';

const silences = ['hang', 'stall'] as const;

const loading = silences.flatMap((fault) =>
  (['look-up', 'download'] as const).map((operation) => ({ fault, operation })),
);
// An answer without a body cannot stall in it, as those of the older service to an upload and its end.
const saving = silences.flatMap((fault) =>
  (['create', 'upload', 'finalize'] as const).map((operation) => ({ fault, operation })),
);

describe.each(protocols)('with a cache of the %s protocol', (protocol) => {
  const has = ({ fault, operation }: { fault: string; operation: CacheOperation }) =>
    fault === 'hang' ||
    (operation !== 'upload' && !(protocol === 'older' && operation === 'finalize'));

  test.each(loading)(
    'loading ends with the signal, at a $operation that meets a $fault',
    async (given) => {
      await using world = await openCacheWorld({ protocol });
      await world.store().save('sealed', endless);
      world.server.faults[given.operation] = given.fault;
      const signal = abortOnRequest(world, given.operation);
      await expect(world.store().load(signal)).rejects.toThrow('stopped');
      await world.server.journal.waitFor(
        ({ operation, endedAt }) => operation === given.operation && endedAt !== null,
      );
    },
  );

  test.each(saving.filter(has))(
    'saving ends with the signal, at a $operation that meets a $fault',
    async (given) => {
      await using world = await openCacheWorld({ protocol });
      world.server.faults[given.operation] = given.fault;
      const signal = abortOnRequest(world, given.operation);
      expect(await world.store().save('sealed', signal)).toContain('no time left');
      await world.server.journal.waitFor(
        ({ operation, endedAt }) => operation === given.operation && endedAt !== null,
      );
    },
  );

  test.each(loading)(
    'loading ends after its time, at a $operation that meets a $fault',
    async (given) => {
      await using world = await openCacheWorld({ protocol });
      await world.store().save('sealed', endless);
      world.server.faults[given.operation] = given.fault;
      const store = world.store({ times: { load: 500, save: 30_000, pause: 0 } });
      const absent = expect.stringContaining('Actions cache: no response within 0.5s.');
      expect(await store.load(endless)).toEqual({ absent });
    },
  );

  test.each(saving.filter(has))(
    'saving ends after its time, at a $operation that meets a $fault',
    async (given) => {
      await using world = await openCacheWorld({ protocol });
      world.server.faults[given.operation] = given.fault;
      const store = world.store({ times: { load: 30_000, save: 500, pause: 0 } });
      expect(await store.save('sealed', endless)).toContain(
        'Actions cache: no response within 0.5s.',
      );
    },
  );

  test('nothing is begun for a signal that aborted before', async () => {
    await using world = await openCacheWorld({ protocol });
    const signal = AbortSignal.abort(new Error('over'));
    await expect(world.store().load(signal)).rejects.toBe(signal.reason);
    expect(await world.store().save('sealed', signal)).toContain('no time left');
    expect(world.server.journal.entries).toEqual([]);
  });
});
