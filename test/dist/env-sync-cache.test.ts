import { describe, expect, it } from 'vitest';
import { startCacheServer } from '../../src/emulator/cache/index.ts';
import { startEnvSync, stored } from './env-sync-world.ts';

const variables = { A: 'fake value of a', B: 'fake value of b' };
const inputs = { 'env-ledger': 'cache' };

describe.concurrent('the ledger in the Actions cache', () => {
  it('makes the second run one request, and says nothing of how it is kept', async () => {
    await using cache = await startCacheServer();
    await using world = await startEnvSync();
    const options = { inputs, env: cache.environment };
    const first = await world.run(variables, options);
    expect(first.log.join('\n')).toContain('No ledger was found for this project and key.');
    expect(cache.entries).toHaveLength(1);
    const second = await world.run(variables, options);
    expect(second.outputs).toMatchObject({ outcome: 'synced', requests: '1' });
    const printed = first.raw.stdout + second.raw.stdout;
    expect(printed).not.toContain(cache.environment['ACTIONS_RUNTIME_TOKEN']);
    expect(printed).not.toMatch(/cache/i);
    expect(second.raw.stderr).toBe('');
  });

  it.each([
    ['in a plain shell', {}, 'This runner offers no Actions cache.'],
    [
      'where the server is gone',
      { ACTIONS_RESULTS_URL: 'http://127.0.0.1:9/', ACTIONS_RUNTIME_TOKEN: 'not-a-real-token' },
      'could not be',
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
});
