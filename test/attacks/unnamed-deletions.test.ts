// Attack (starting): A run deletes a live variable that something else wrote
// Defense: Only named variables are deleted

import { describe, expect, it } from 'vitest';
import { type EnvSyncWorld, startEnvSync, stored } from '../dist/env-sync-world.ts';

/**
 * Steps that no runner tells apart: each declares variables of its own for one project. What the runner says of who
 * they are is the same.
 */
const alike: readonly (readonly [string, object])[] = [
  ['two inner steps of a composite action', { github: { action: 'outer', job: 'deploy' } }],
  ['two legs of a matrix', { github: { job: 'deploy', action: '__owner_action' } }],
  ['a reusable workflow that is called twice', { github: { job: 'call', action: 'sync' } }],
  ['steps without an id, whose places change', { github: { action: '__owner_action_2' } }],
  [
    'a runner that says nothing',
    { github: { workflowRef: '', workflow: '', job: '', action: '' } },
  ],
];

/** Both steps in turn, a few times over, as runs come. */
async function takeTurns(world: EnvSyncWorld, options: object): Promise<void> {
  for (let run = 0; run < 3; run += 1) {
    for (const name of ['ONE', 'TWO']) {
      const { outputs } = await world.run({ [name]: `fake of ${name}` }, options);
      expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
    }
  }
}

describe.concurrent('nothing is deleted whose name was not given', () => {
  it.each(alike)('by %s', async (_, options) => {
    await using world = await startEnvSync();
    world.project.setVariable({ name: 'BY_HAND', value: 'stays' });
    await takeTurns(world, options);
    expect(Object.keys(stored(world.project)).sort()).toEqual(['BY_HAND', 'ONE', 'TWO']);
    expect(world.emulator.journal.of('deleteVariable')).toEqual([]);
  });

  it.each(alike)('by a name that one of %s gives, but for that name', async (_, options) => {
    await using world = await startEnvSync();
    await takeTurns(world, options);
    const inputs = { 'env-remove': 'ONE' };
    await world.run({ THREE: 'fake' }, { ...options, inputs });
    expect(Object.keys(stored(world.project)).sort()).toEqual(['THREE', 'TWO']);
  });
});
