import { expect, test } from 'vitest';
import { EarlyEnd } from '../../src/commands/host.ts';
import { settle } from '../../src/commands/settle.ts';
import { startWorld } from '../support/world.ts';

test('an error that names a million things is cut', async () => {
  await using world = await startWorld();
  const error = new EarlyEnd(
    'failed',
    `Nothing was done: ${'www.example.com, '.repeat(1_000_000)}`,
  );
  const ended = settle(world.host, error);
  expect(ended.outcome).toBe('failed');
  expect(ended.error).toHaveLength(4000);
  expect(ended.error).toMatch(/^Nothing was done: .*…$/);
});
