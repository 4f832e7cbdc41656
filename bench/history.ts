import assert from 'node:assert/strict';
import { addReleases, startHistory } from '../test/dist/history-world.ts';
import type { Row } from './measurement.ts';

const lengths = [0, 30, 300];

/** How many requests GitHub gets of one run, by how many releases of the place it has recorded. */
export async function* history(): AsyncGenerator<Row> {
  const plays: Readonly<Record<string, (page: string) => Record<string, string>>> = {
    'a push': () => ({}),
    'a push that would roll back': (page) => ({
      'on-older': 'skip',
      'on-failed-checks': 'roll-back',
      'verify-url': page,
      'verify-contains': 'live: {sha}',
    }),
  };
  for (const [name, inputs] of Object.entries(plays)) {
    for (const length of lengths) {
      await using world = await startHistory();
      addReleases(world, Array(length).fill('good'));
      const { outputs } = await world.run(world.commits.second, inputs(world.page));
      assert.equal(outputs['outcome'], 'succeeded', outputs['error']);
      const values = [world.asked().length];
      yield {
        name: `${name} after ${length} releases: requests to GitHub`,
        unit: 'requests',
        values,
      };
    }
  }
}
