import { describe, expect, it } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { killAt, type Side } from './kill-at.ts';
import { type PullRequestWorld, startPullRequest } from './pull-request-world.ts';

const inputsOf = ({ project }: PullRequestWorld) => ({
  'verify-url': project.siteUrl,
  'verify-contains': 'Hello',
});

const startChecked = () => startPullRequest({ buildMs: 0, verifyMs: 0 });

/** Runs it, and kills it at its n-th request to one side. */
const kill = (world: PullRequestWorld, side: Side, n: number) =>
  killAt(world, side, n, () => world.start('opened', { inputs: inputsOf(world) }));

/** What a run asks for: the service and the site, and GitHub. */
const requests = { service: 9, GitHub: 16 };

/** Where the most is at stake that no other test shows: a look at the site, once the deployment has succeeded. */
const edge = { side: 'service', n: 8 };

const cases = rows(
  (['service', 'GitHub'] as const).flatMap((side) =>
    Array.from({ length: requests[side] }, (_, n) => [side, n + 1] as const),
  ),
  ([side, n]) => side === edge.side && n === edge.n,
);

/** How many times the site was looked at: once before the deployment, and then twice. */
const looks = ({ emulator }: PullRequestWorld) => emulator.journal.of('site').length;

/** What a killed run has to say, by what became of it. */
function truthOf(world: PullRequestWorld): RegExp {
  if (looks(world) > 1) return /The deployment succeeded\. Later steps/;
  // It is kept that a deployment is asked for before it is.
  return world.project.deployments.length === 0
    ? /No deployment was requested|A deployment was requested and may still go live/
    : /may still go live/;
}

describe.concurrent('a run with checks', () => {
  it('sends so many requests', async () => {
    await using world = await startChecked();
    const { outputs } = await world.run('opened', { inputs: inputsOf(world) });
    expect(outputs['outcome']).toBe('succeeded');
    expect(world.emulator.journal.entries.length).toBeGreaterThanOrEqual(requests.service);
    expect(world.github.journal).toHaveLength(requests.GitHub);
    expect(looks(world)).toBe(3);
  });

  it.each(cases)('and is killed at request %s %i tells what is true', async (side, n) => {
    await using world = await startChecked();
    const { outputs, post } = await kill(world, side, n);
    const told = post?.log.join('\n') ?? '';
    const [comment = '', ...others] = world.comments();
    expect(others).toEqual([]);
    const isGood = outputs['outcome'] === 'succeeded' || /killed while it reported/.test(told);
    if (!isGood) {
      expect(told).toMatch(truthOf(world));
      expect(looks(world) > 1 && told.includes('may still go live')).toBe(false);
      const words =
        looks(world) > 1 ? 'is deployed, but the run did not finish' : 'the run did not finish';
      expect(comment === '' || comment.includes(words)).toBe(true);
    }
    expect(comment.includes('is live')).toBe(isGood);
    expect([[], [isGood ? 'success' : 'error']]).toContainEqual(world.states());
    const again = await world.run('synchronize', { inputs: inputsOf(world) });
    expect(again.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    expect(JSON.parse(again.outputs['checks'] ?? '')).toMatchObject([{ held: true }]);
    expect(world.comments()).toMatchObject([expect.stringContaining('is live')]);
    expect(world.states().filter((state) => state === 'success')).toHaveLength(1);
    expect(world.states().length).toBeLessThanOrEqual(2);
    expect(world.github.violations).toEqual([]);
  });
});
