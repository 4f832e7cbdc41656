import { describe, expect, it } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { endsOf, type HistoryWorld, startHistory } from './history-world.ts';
import { killAt, type Side } from './kill-at.ts';

const inputsOf = ({ page }: HistoryWorld) => ({
  'on-older': 'skip',
  deploy: 'if-needed',
  'verify-url': page,
  'verify-contains': 'live: {sha}',
  env: 'NAME=value',
});

/** Runs the second commit, and kills it at its n-th request to one side. */
const kill = (world: HistoryWorld, side: Side, n: number) =>
  killAt(world, side, n, () => world.start(world.commits.second, { inputs: inputsOf(world) }));

/** What a run of the second commit asks for, where the first was deployed before. */
const requests = { service: 4, GitHub: 13 };

/** Where the most is at stake: the deployment, which has a record already. */
const edge = { side: 'service', n: 3 };

const cases = rows(
  (['service', 'GitHub'] as const).flatMap((side) =>
    Array.from({ length: requests[side] }, (_, n) => [side, n + 1] as const),
  ),
  ([side, n]) => side === edge.side && n === edge.n,
);

describe.concurrent('a run that asks our records', () => {
  it('sends so many requests', async () => {
    await using world = await startHistory();
    await world.run(world.commits.first, inputsOf(world));
    world.emulator.journal.clear();
    world.asked();
    await world.run(world.commits.second, inputsOf(world));
    const [service, github] = [
      world.emulator.journal.entries.filter(({ operation }) => operation !== 'site').length,
      world.asked().length,
    ];
    expect(service, 'to the service').toBeGreaterThanOrEqual(requests.service);
    expect(github, 'to GitHub').toBe(requests.GitHub);
  });

  it.each(cases)(
    'and is killed at request %s %i leaves at most one record, which is true',
    async (side, n) => {
      await using world = await startHistory();
      const { first, second, third } = world.commits;
      await world.run(first, inputsOf(world));
      const { outputs } = await kill(world, side, n);
      expect(outputs['outcome'] ?? 'none').not.toBe('skipped');
      // None of it is taken for good, and none for under way.
      expect(world.states().slice(1)).toSatisfy((states: string[]) =>
        [[], ['error'], ['success']].some((one) => one.join() === states.join()),
      );
      const isGood = world.states()[1] === 'success';
      expect(endsOf(world).slice(1).join()).toMatch(
        world.states().length === 1 ? /^$/ : isGood ? /^good$/ : /^(ended|undeployed)$/,
      );
      // An older run is measured by what is known to be good; a newer one is deployed.
      const again = await world.run(second, inputsOf(world));
      expect(['succeeded', 'skipped']).toContain(again.outputs['outcome']);
      expect((await world.run(third, inputsOf(world))).outputs['outcome']).toBe('succeeded');
      expect((await world.run(second, inputsOf(world))).outputs['skipped-reason']).toBe(
        'older-commit',
      );
      expect(world.states().filter((state) => state === 'success')).toHaveLength(1);
      expect(world.deployed().at(-1)).toBe(third);
      expect(world.github.violations).toEqual([]);
    },
  );
});

describe.concurrent('a run that does not ask them', () => {
  it('sends what its record needs, and no question more', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    await world.run(first);
    world.emulator.journal.clear();
    world.asked();
    await world.run(second, { 'on-older': 'deploy' });
    expect(world.asked().toSorted()).toEqual([
      // For the summary, after the deployment.
      'repos/compare-commits-with-basehead',
      'repos/create-deployment',
      'repos/create-deployment-status',
      'repos/create-deployment-status',
      'repos/create-deployment-status',
      // Whether the first ended well and is inactive, and whether its own was set inactive.
      'repos/list-deployment-statuses',
      'repos/list-deployment-statuses',
      'repos/list-deployments',
      'repos/list-deployments',
      'repos/list-deployments',
    ]);
  });
});
