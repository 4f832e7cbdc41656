import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../support/exhaustive.ts';
import { interrupt, preview, type Swapping, shop, slot, startSwap, www } from './swapping.ts';

/** What happens to one run: nothing, a cut at some request, or a site that fails at the domains. */
const fate = fc.oneof(
  fc.constant({ kind: 'whole' } as const),
  fc.constant({ kind: 'bad' } as const),
  fc.record({
    kind: fc.constantFrom('cancelled', 'killed'),
    n: fc.integer({ min: 1, max: 30 }),
    effect: fc.boolean(),
  }),
);

/** Holds each request to deploy up until it is known what its project serves then. */
function watchDeployments(swapping: Swapping): string[] {
  const { journal, faults } = swapping.world.emulator;
  const wrong: string[] = [];
  faults.add({
    kind: 'hold',
    operation: 'createDeployment',
    times: Number.POSITIVE_INFINITY,
    until: async () => {
      const path = journal.of('createDeployment').at(-1)?.path ?? '';
      const where = path.includes(swapping.blue.id) ? 'blue' : 'green';
      const served = [www, shop].filter((name) => swapping.slots()[name] === where);
      if (served.length > 0) wrong.push(`${where} was deployed to and served ${served.join()}`);
    },
  });
  return wrong;
}

async function suffer(
  swapping: Swapping,
  one: typeof fate extends fc.Arbitrary<infer T> ? T : never,
) {
  if (one.kind === 'whole') return await swapping.run();
  if (one.kind !== 'bad') return await interrupt(swapping, one.kind, one.n, one.effect);
  // What is deployed by this run works at the preview, and at no domain that it moves to.
  const { [www]: live, [shop]: other } = swapping.slots();
  const { answer } = swapping;
  swapping.answer = (name, project) => {
    const where = project === swapping.blue ? 'blue' : 'green';
    return name !== preview && where !== live ? 500 : 200;
  };
  const report = await swapping.run();
  swapping.answer = answer;
  // What was live and good stays so: a release whose checks failed never serves in its place.
  if (live === other && (live === 'blue' || live === 'green')) {
    expect(swapping.slots()).toMatchObject({ [www]: live, [shop]: live });
  }
  return report;
}

describe('whatever happens to any number of swaps', () => {
  it('the next whole one leaves all domains on the project that it deployed to, which served none', async () => {
    const moved = ['moves', '409'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...moved),
        fc.constantFrom('blue', 'green', 'none'),
        fc.array(fate, { minLength: 1, maxLength: 4 }),
        async (assignedElsewhere, before, fates) => {
          await using swapping = await startSwap({ dialect: { assignedElsewhere } });
          slot(swapping, { [www]: before, [shop]: before });
          swapping.answer = () => 200;
          const wrong = watchDeployments(swapping);
          for (const one of fates) await suffer(swapping, one);
          const { outcome, projectId, error } = await swapping.run();
          expect({ outcome, error }).toEqual({ outcome: 'succeeded', error: undefined });
          const where = projectId === swapping.blue.id ? 'blue' : 'green';
          expect(swapping.slots()).toEqual({ [www]: where, [shop]: where, [preview]: where });
          expect(wrong).toEqual([]);
        },
      ),
      runs(5),
    );
  });
});
