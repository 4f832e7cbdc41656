import { describe, expect, it } from 'vitest';
import { also, rows } from '../support/exhaustive.ts';
import { preview, shop, startSwapping, www } from './swap-world.ts';

type Swapping = Awaited<ReturnType<typeof startSwapping>>;

/** The requests by which two domains are moved: a look, a refusal, two looks, cleared, assigned. */
const moving = 12;

/** Where the first domain was cleared, and the last assigned. */
const writes = [5, 12];

const moments = rows(
  Array.from({ length: moving }, (_, index) => index + 1).flatMap((n) => [
    ['before', n, false] as const,
    ['after', n, true] as const,
  ]),
  ([_, n, effect]) => effect && writes.includes(n),
);

/** Requests about one of the domains alone: the first of them is the look before the first move. */
const path = /^\/connected-domains\/(www|shop)\.localhost/;

/** Kills a step while its n-th request of the move waits for an answer. Gives what the post step says. */
async function kill(
  { emulator, start }: Swapping,
  n: number,
  effect: boolean,
  post = true,
): Promise<string> {
  const { journal, faults } = emulator;
  const fault = faults.add({ kind: 'stall', effect, path, after: n - 1 });
  await using step = await start({ post });
  await journal.waitFor((entry) => {
    const isDone = !effect || entry.method === 'GET' || entry.carriedOut > 0;
    return fault.fired === 1 && path.test(entry.path) && entry.status === null && isDone;
  });
  step.kill();
  const { outputs, conclusion, post: after } = await step.done;
  expect({ outputs, conclusion }).toEqual({ outputs: {}, conclusion: 'failure' });
  return after?.log.join('\n') ?? '';
}

describe.concurrent('a step that is killed while it moves domains', () => {
  it.each(moments)(
    'right %s request %i of it: the post step gives them back, and the next run goes on',
    async (_, n, effect) => {
      await using world = await startSwapping({ assignedElsewhere: '409' });
      const log = await kill(world, n, effect);
      expect(log).toContain(`were moved back to ${world.blue.id}`);
      expect(world.slots()).toEqual({ [www]: 'blue', [shop]: 'blue', [preview]: 'green' });
      const next = await world.run();
      expect(next.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
      expect(world.slots()).toEqual({ [www]: 'green', [shop]: 'green', [preview]: 'green' });
    },
  );

  also(
    'with its runner: the next run finds a domain that nobody has, and gathers them',
    async () => {
      await using world = await startSwapping({ assignedElsewhere: '409' });
      await kill(world, 5, true, false);
      expect(world.slots()).toMatchObject({ [www]: 'none', [shop]: 'blue' });
      const next = await world.run();
      expect(next.outputs).toMatchObject({ outcome: 'succeeded', 'project-id': world.green.id });
      expect(next.summary).toContain('An interrupted move was completed first');
      expect(world.slots()).toEqual({ [www]: 'green', [shop]: 'green', [preview]: 'green' });
    },
  );

  it('once they have moved: the post step leaves them there if another run deploys to the former project', async () => {
    await using world = await startSwapping();
    // No check ends before the step is killed.
    world.emulator.faults.add({ kind: 'stall', effect: false, operation: 'site', after: 4 });
    await using step = await world.start({ post: true });
    await step.waitForLine((line) => line.startsWith(`${shop} moved to`));
    world.emulator.world.assignDomain(preview, world.blue.id);
    step.kill();
    const { post } = await step.done;
    expect(post?.log.join('\n')).toContain(
      `The domains were moved to ${world.green.id} and not moved back, because another run or a user moved the preview's domain`,
    );
    expect(world.slots()).toEqual({ [www]: 'green', [shop]: 'green', [preview]: 'blue' });
  });
});
