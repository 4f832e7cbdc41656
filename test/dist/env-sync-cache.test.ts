import { describe, expect, it } from 'vitest';
import { startCacheServer } from '../../emulator/cache/index.ts';
import { startEnvSync, stored } from './env-sync-world.ts';

const variables = { A: 'fake value of a', B: 'fake value of b' };
const inputs = { 'env-ledger': 'cache' };
const gone = 'http://127.0.0.1:9/';
const token = { ACTIONS_RUNTIME_TOKEN: 'not-a-real-token' };

describe.concurrent.each(['newer', 'older'] as const)(
  'the ledger in a cache of the %s protocol',
  (protocol) => {
    it('makes the second run one request, and says nothing of how it is kept', async () => {
      await using cache = await startCacheServer({ protocol });
      await using world = await startEnvSync();
      const options = { inputs, env: cache.environment };
      const first = await world.run(variables, options);
      expect(first.log.join('\n')).toContain(
        'First run, or no record of earlier ones (expired cache, new API key or env-ledger-key). All variables are written.',
      );
      expect(cache.entries).toHaveLength(1);
      const operations = () => cache.journal.entries.map(({ operation }) => operation);
      // Before it saves, a run looks whether another one has saved meanwhile.
      expect(operations()).toEqual(['look-up', 'look-up', 'create', 'upload', 'finalize']);
      cache.journal.clear();
      const second = await world.run(variables, options);
      expect(second.outputs).toMatchObject({ outcome: 'synced', requests: '1' });
      expect(operations()).toEqual(['look-up', 'download']);
      const printed = first.raw.stdout + second.raw.stdout;
      expect(printed).not.toMatch(/fake-runtime-token|fake-run-path-secret|signature/);
      expect(printed.replace('expired cache', '')).not.toMatch(/cache/i);
      expect(second.raw.stderr).toBe('');
    });
  },
);

describe.concurrent('the ledger in the Actions cache', () => {
  it.each([
    ['in a plain shell', {}, 'This runner has no Actions cache.'],
    [
      'where the server of the newer protocol is gone',
      { ...token, ACTIONS_RESULTS_URL: gone, ACTIONS_CACHE_SERVICE_V2: 'True' },
      'GetCacheEntryDownloadURL failed: no connection: nothing is listening at that address (ECONNREFUSED)',
    ],
    [
      'where the server of the older protocol is gone',
      { ...token, ACTIONS_CACHE_URL: gone },
      'the lookup failed: no connection: nothing is listening at that address (ECONNREFUSED)',
    ],
  ])('is a sentence and no failure %s', async (_, env, sentence) => {
    await using world = await startEnvSync();
    for (const requests of ['3', '3']) {
      const { outputs, log, annotations } = await world.run(variables, { inputs, env });
      expect(outputs).toMatchObject({ outcome: 'synced', requests, error: '' });
      expect(log.join('\n')).toContain(sentence);
      expect(annotations).toEqual([]);
    }
    expect(stored(world.project)).toEqual(variables);
  });

  it('is a sentence where the server speaks neither protocol', async () => {
    await using world = await startEnvSync();
    // The service itself, which knows nothing of caches, in the place of the runner's cache.
    const env = { ...token, ACTIONS_CACHE_URL: `${world.emulator.url}/` };
    const { outputs, log } = await world.run(variables, { inputs, env });
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(log.join('\n')).toMatch(/Actions cache: the lookup returned 40\d/);
  });

  it('is asked for while the first request is on its way', async () => {
    await using cache = await startCacheServer();
    await using world = await startEnvSync();
    const until = () =>
      cache.journal.waitFor(({ operation, status }) => operation === 'look-up' && status === 200);
    world.emulator.faults.add({ operation: 'readEnvironment', kind: 'hold', until });
    const { outputs } = await world.run(variables, { inputs, env: cache.environment });
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
  });
});
