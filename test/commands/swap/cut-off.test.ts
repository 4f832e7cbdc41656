import { describe, expect, it } from 'vitest';
import { rows } from '../../support/exhaustive.ts';
import { deployed, interrupt, preview, shop, slot, startSwap, www } from './swapping.ts';

/**
 * So many requests has a run that swaps two domains, each cleared and assigned: see the last test. The preview's domain
 * is looked at apart: while it is verified, as often as that takes.
 */
const requests = { 'but looks at the preview': 23, 'look at the preview': 3 };

type Counted = keyof typeof requests;

const paths: Readonly<Record<Counted, RegExp>> = {
  'but looks at the preview': new RegExp(`^(?!/connected-domains/${preview}$)`),
  'look at the preview': new RegExp(`^/connected-domains/${preview}$`),
};

/**
 * Writes that leave something else to the next run: the preview assigned, the deployment, the first domain cleared and
 * assigned, the second one cleared. A run that is cancelled ends its work itself.
 */
function isEdge(how: 'cancelled' | 'killed', when: 'before' | 'after', n: number): boolean {
  if (when === 'before') return n === 1 && how === 'killed';
  return (how === 'cancelled' ? [6, 14, 20] : [8, 14, 15, 20]).includes(n);
}

const moments = rows(
  (Object.keys(requests) as Counted[]).flatMap((counted) =>
    Array.from({ length: requests[counted] }, (_, index) => index + 1).flatMap((n) =>
      (['cancelled', 'killed'] as const).flatMap((how) => [
        [how, 'before', n, counted] as const,
        [how, 'after', n, counted] as const,
      ]),
    ),
  ),
  ([how, when, n, counted]) =>
    counted === 'look at the preview'
      ? when === 'after' && n === (how === 'killed' ? 3 : 2)
      : isEdge(how, when, n),
);

async function startLive() {
  const swapping = await startSwap({ dialect: { assignedElsewhere: '409' } });
  slot(swapping, { [www]: 'blue', [shop]: 'blue', [preview]: 'blue' });
  swapping.answer = () => 200;
  return swapping;
}

describe.concurrent('a swap', () => {
  it.each(moments)(
    'that is %s right %s its request %i (%s) ends well',
    async (how, when, n, counted) => {
      await using swapping = await startLive();
      const cut = await interrupt(swapping, how, n, when === 'after', paths[counted]);
      expect(cut).toBeDefined();
      // A run that is cancelled gives back itself what it has begun to move; one that is killed cannot.
      if (how === 'cancelled') {
        expect(swapping.slots()).toMatchObject({ [www]: 'blue', [shop]: 'blue' });
        // What was cleared had no project until it was given back.
        const wasCleared = (hostname: string) =>
          swapping.world.emulator.journal
            .of('assignDomain')
            .some(
              ({ path, body, carriedOut }) =>
                path.includes(hostname) && carriedOut > 0 && JSON.stringify(body).includes('null'),
            );
        for (const { hostname, gap } of cut?.swap?.domains ?? []) {
          expect(gap !== undefined).toBe(wasCleared(hostname));
        }
      }
      const report = await swapping.run();
      expect(report.error).toBeUndefined();
      const { swap, projectId, outcome } = report;
      expect(outcome).toBe('succeeded');
      expect(swap?.live).toBe(projectId);
      const where = projectId === swapping.blue.id ? 'blue' : 'green';
      expect(swapping.slots()).toEqual({ [www]: where, [shop]: where, [preview]: where });
      expect(deployed(swapping).at(-1)).toBe(where);
    },
  );

  // A look, a refusal, two looks, cleared, assigned.
  it.each(
    rows(
      Array.from({ length: 6 }, (_, index) => index + 1).flatMap((n) => [
        [n, false] as const,
        [n, true] as const,
      ]),
      ([n, effect]) => (effect ? n > 4 : n === 1),
    ),
  )(
    'that is cancelled at request %i while it gathers a domain (effect: %s) leaves none without a project',
    async (n, effect) => {
      await using swapping = await startLive();
      slot(swapping, { [shop]: 'green', [preview]: 'green' });
      const reconciled = /^\/connected-domains\/www\./;
      expect(await interrupt(swapping, 'cancelled', n, effect, reconciled)).toBeDefined();
      expect(Object.values(swapping.slots())).not.toContain('none');
      expect(await swapping.run()).toMatchObject({ outcome: 'succeeded' });
    },
  );

  it('sends so many requests', async () => {
    await using swapping = await startLive();
    const report = await swapping.run();
    expect(report.outcome).toBe('succeeded');
    const asked = swapping.world.emulator.journal.entries.map(({ path }) => path);
    const count = (path: RegExp) => asked.filter((one) => path.test(one)).length;
    expect(count(paths['but looks at the preview'])).toBe(requests['but looks at the preview']);
    expect(count(paths['look at the preview'])).toBeGreaterThanOrEqual(
      requests['look at the preview'],
    );
    expect(report.requests).toBe(asked.length);
  });
});
