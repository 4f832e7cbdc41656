import { describe, expect, it } from 'vitest';
import { deployed, interrupt, preview, seat, shop, startSwap, www } from './swapping.ts';

/** At most so many requests has a run that swaps two domains, each cleared and assigned: see the last test. */
const requests = 30;

const moments = Array.from({ length: requests }, (_, index) => index + 1).flatMap((n) =>
  (['cancelled', 'killed'] as const).flatMap((how) => [
    [how, 'before', n] as const,
    [how, 'after', n] as const,
  ]),
);

async function startLive() {
  const swapping = await startSwap({ dialect: { assignedElsewhere: '409' } });
  seat(swapping, { [www]: 'blue', [shop]: 'blue', [preview]: 'blue' });
  swapping.answer = () => 200;
  return swapping;
}

describe.concurrent('a swap', () => {
  it.each(moments)('that is %s right %s its request %i ends well', async (how, when, n) => {
    await using swapping = await startLive();
    const cut = await interrupt(swapping, how, n, when === 'after');
    // A run that is cancelled gives back itself what it has begun to move; one that is killed cannot.
    if (how === 'cancelled' && cut !== undefined) {
      expect(swapping.seats()).toMatchObject({ [www]: 'blue', [shop]: 'blue' });
      // What was cleared had no project until it was given back.
      const wasCleared = (hostname: string) =>
        swapping.world.emulator.journal
          .of('assignDomain')
          .some(
            ({ path, body, carriedOut }) =>
              path.includes(hostname) && carriedOut > 0 && JSON.stringify(body).includes('null'),
          );
      for (const { hostname, gap } of cut.swap?.domains ?? []) {
        expect(gap !== undefined).toBe(wasCleared(hostname));
      }
    }
    const report = await swapping.run();
    expect(report.error).toBeUndefined();
    const { swap, projectId, outcome } = report;
    expect(outcome).toBe('succeeded');
    expect(swap?.live).toBe(projectId);
    const where = projectId === swapping.blue.id ? 'blue' : 'green';
    expect(swapping.seats()).toEqual({ [www]: where, [shop]: where, [preview]: where });
    expect(deployed(swapping).at(-1)).toBe(where);
  });

  // Six looks, and then a look, a refusal, two looks, cleared, assigned.
  it.each(
    Array.from({ length: 12 }, (_, index) => index + 1).flatMap((n) => [
      [n, false] as const,
      [n, true] as const,
    ]),
  )(
    'that is cancelled at its request %i while it gathers domains (effect: %s) leaves none without a project',
    async (n, effect) => {
      await using swapping = await startLive();
      seat(swapping, { [shop]: 'green', [preview]: 'green' });
      expect(await interrupt(swapping, 'cancelled', n, effect)).toBeDefined();
      expect(Object.values(swapping.seats())).not.toContain('none');
      expect(await swapping.run()).toMatchObject({ outcome: 'succeeded' });
    },
  );

  it('sends so many requests', async () => {
    await using swapping = await startLive();
    const report = await swapping.run();
    expect(report.outcome).toBe('succeeded');
    expect(report.requests).toBeLessThanOrEqual(requests);
    expect(report.requests).toBeGreaterThan(requests - 5);
  });
});
