import { describe, expect, it } from 'vitest';
import { preview, shop, startSwapping, www } from './swap-world.ts';

type Swapping = Awaited<ReturnType<typeof startSwapping>>;

/** The requests by which two domains are moved: a look, a refusal, a look, cleared, assigned; each after the other. */
const moving = 10;

const moments = Array.from({ length: moving }, (_, index) => index + 1).flatMap((n) => [
  ['before', n, false] as const,
  ['after', n, true] as const,
]);

/** Kills a step while the n-th request after the one that ends the deployment waits for an answer. */
async function kill({ emulator, start }: Swapping, n: number, effect: boolean): Promise<string> {
  const { journal, faults } = emulator;
  // The first look at a domain by its name belongs to the first move.
  faults.add({
    kind: 'stall',
    effect,
    path: /^\/connected-domains\/(www|shop)\.localhost/,
    after: n - 1,
  });
  await using step = await start();
  await journal.waitFor((entry) => {
    const isMove = /^\/connected-domains\/(www|shop)\.localhost/.test(entry.path);
    const moves = journal.entries.filter(({ path }) =>
      /^\/connected-domains\/(www|shop)\.localhost/.test(path),
    );
    const isLast = moves.length === n && moves.at(-1) === entry;
    const isDone = !effect || entry.method === 'GET' || entry.carriedOut > 0;
    return isMove && isLast && entry.status === null && isDone;
  });
  step.kill();
  const { outputs, conclusion, log } = await step.done;
  expect({ outputs, conclusion }).toEqual({ outputs: {}, conclusion: 'failure' });
  return log.join('\n');
}

describe.concurrent('a step that is killed while it moves domains', () => {
  it.each(moments)(
    'right %s request %i of it: the post step gives them back, and the next run goes on',
    async (_, n, effect) => {
      await using world = await startSwapping({ assignedElsewhere: '409' });
      const log = await kill(world, n, effect);
      expect(log).toContain(`were given back to ${world.blue.id}`);
      expect(world.seats()).toEqual({ [www]: 'blue', [shop]: 'blue', [preview]: 'green' });
      const next = await world.run();
      expect(next.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
      expect(world.seats()).toEqual({ [www]: 'green', [shop]: 'green', [preview]: 'green' });
    },
  );
});
