import { describe, expect, it } from 'vitest';
import { contentsOf, type DomainsWorld, startDomains } from '../support/domains.ts';
import { rows } from '../support/exhaustive.ts';

const site = {
  'connected-domains': { 'www.example.com': { project: 'self' } },
  'registered-domains': {
    'example.com': {
      renewal: false,
      project: 'self',
      dns: [
        { type: 'A', name: '@', content: '203.0.113.10' },
        { type: 'A', name: '@', content: '203.0.113.11' },
        { type: 'TXT', name: 'www', content: 'new', replaces: 'old' },
      ],
    },
  },
};

/** GET twice, then connect, create twice, update, assign, renewal, bind. */
const requests = 9;

/** A service that ignores idempotency keys, so that nothing but looking first saves from duplicates. */
async function startSite(): Promise<DomainsWorld> {
  const world = await startDomains({ idempotency: 'ignore' });
  world.emulator.world.registerDomain('example.com');
  world.emulator.world.registered
    .get('example.com')
    .zone.put({ type: 'TXT', name: 'www', content: 'old' });
  return world;
}

/** Starts an apply, and kills it while its n-th request waits for an answer. */
async function kill(world: DomainsWorld, n: number, effect: boolean): Promise<void> {
  const { journal, faults } = world.emulator;
  const fault = faults.add({ kind: 'stall', effect, after: n - 1 });
  await using step = await world.start(site);
  await journal.waitFor(
    (entry) =>
      fault.fired === 1 &&
      entry.status === null &&
      (!effect || entry.method === 'GET' || entry.effect),
  );
  step.kill();
  const { outputs, conclusion } = await step.done;
  expect({ outputs, conclusion }).toEqual({ outputs: {}, conclusion: 'failure' });
  expect(journal.entries.length).toBeLessThanOrEqual(Math.max(n, 2));
}

/** The first record that is created: the one write that would be there twice. */
const created = 4;

const moments = rows(
  Array.from({ length: requests }, (_, index) => index + 1).flatMap((n) => [
    ['before', n, false] as const,
    ['after', n, true] as const,
  ]),
  ([_, n, effect]) => effect && n === created,
);

describe.concurrent('an apply that is killed', () => {
  it.each(moments)('right %s its request %i is made good by the next one', async (_, n, effect) => {
    await using world = await startSite();
    const { emulator, project } = world;
    await kill(world, n, effect);
    const next = await world.run(site);
    expect(next.outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(contentsOf(emulator, 'example.com')).toEqual([
      'A @ 203.0.113.10',
      'A @ 203.0.113.11',
      'TXT www new',
    ]);
    expect(emulator.world.domains.all).toMatchObject([
      { hostname: 'www.example.com', projectId: project.id },
    ]);
    expect(emulator.world.registered.all).toMatchObject([
      { autoRenew: false, boundProjectId: project.id },
    ]);
  });

  it('would have sent so many requests, and is empty when it runs again', async () => {
    await using world = await startSite();
    expect((await world.run(site)).outputs['requests']).toBe(String(requests));
    const again = await world.run(site, { inputs: { mode: 'plan' } });
    expect(again.outputs).toMatchObject({ drift: 'false', requests: '2' });
  });
});
