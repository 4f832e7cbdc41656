import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../support/exhaustive.ts';
import { preview, shop, slot, startSwap, www } from './swapping.ts';

/** A pause in the middle of a move, in milliseconds: others see the domains apart meanwhile. */
const stall = 25_000;

it('two swaps at once leave no domain without a project, and the next one goes on', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        assignedElsewhere: fc.constantFrom('moves', '409'),
        // The second begins once so many requests of the first were sent.
        after: fc.integer({ min: 1, max: 45 }),
        isBad: fc.boolean(),
        // The request about a domain that takes long; none if it is 0.
        slow: fc.integer({ min: 0, max: 12 }),
      }),
      async ({ assignedElsewhere, after, isBad, slow }) => {
        await using swapping = await startSwap({ dialect: { assignedElsewhere } });
        slot(swapping, { [www]: 'blue', [shop]: 'blue', [preview]: 'blue' });
        const { green, world } = swapping;
        const { journal, faults } = world.emulator;
        const ended = new AbortController();
        swapping.answer = (name, project) =>
          isBad && name !== preview && project === green && green.deployments.length < 2
            ? 500
            : 200;
        if (slow > 0) {
          faults.add({
            kind: 'hold',
            path: /^\/connected-domains\/(www|shop)\.localhost/,
            after: slow - 1,
            until: () => world.host.clock.sleep(stall, new AbortController().signal),
          });
        }
        const known = journal.entries.at(-1)?.n ?? 0;
        const first = swapping.run().finally(() => ended.abort());
        await journal.waitFor(({ n }) => n >= known + after, ended.signal).catch(() => undefined);
        await Promise.all([first, swapping.run()]);
        expect(Object.values(swapping.slots())).not.toContain('none');
        swapping.answer = () => 200;
        const { outcome, error, projectId } = await swapping.run();
        expect({ outcome, error }).toEqual({ outcome: 'succeeded', error: undefined });
        const where = projectId === swapping.blue.id ? 'blue' : 'green';
        expect(swapping.slots()).toEqual({ [www]: where, [shop]: where, [preview]: where });
      },
    ),
    runs(2),
  );
});
