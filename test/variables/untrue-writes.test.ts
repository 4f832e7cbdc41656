import { describe, expect, it } from 'vitest';
import { memoryLedgers, outcomesOf, syncNow } from '../support/sync.ts';
import { desired, removing } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';

/** Answers with status 200 that say nothing of the write. */
const answers: Readonly<Record<string, (world: World) => Promise<string>>> = {
  'nothing at all': async () => '',
  'half an answer': async () => '{"variables":[{"id":',
  'the environment as it was': async ({ client, project }) =>
    JSON.stringify(await client.readEnvironment(project.id)),
};

const writes = [
  { operation: 'createVariable', first: [], now: [desired('IT')], removed: [], does: 'created' },
  {
    operation: 'replaceVariable',
    first: [desired('IT')],
    now: [desired('IT', { value: 'new fake' })],
    removed: [],
    does: 'replaced',
  },
  {
    operation: 'retargetVariable',
    first: [desired('IT')],
    now: [desired('IT', { preview: false })],
    removed: [],
    does: 'retargeted',
  },
  {
    operation: 'deleteVariable',
    first: [desired('IT')],
    now: [],
    removed: ['IT'],
    does: 'deleted',
  },
];
const policies = ['overwrite', 'keep', 'fail'] as const;
const cases = writes.flatMap((write, index) =>
  Object.keys(answers).map((answer, at) => ({
    ...write,
    answer,
    policy: policies[(index + at) % policies.length] ?? 'fail',
  })),
);

/** Syncs while the first answers to a write are a success that did nothing. */
async function syncUntruly(
  world: World,
  { operation, first, now, removed, answer, policy }: (typeof cases)[number],
  times: number,
) {
  const common = { projectId: world.project.id, policy, ledgers: memoryLedgers() };
  await syncNow(world, { ...common, variables: first });
  const body = (await answers[answer]?.(world)) ?? '';
  const fault = { operation, kind: 'status', status: 200, effect: false } as const;
  world.emulator.faults.add({ ...fault, times, body });
  world.emulator.journal.clear();
  const removals = removing(...removed);
  return await syncNow(world, { ...common, variables: now, removals });
}

describe.concurrent('a write of a variable that is answered with success and did nothing', () => {
  it.each(cases)('fails if it is so each time: $operation, $answer, under $policy', async (one) => {
    await using world = await startWorld();
    const { error, result } = await syncUntruly(world, one, Number.POSITIVE_INFINITY);
    expect(String(error)).toContain(
      'success, but neither the response nor a second read shows the change',
    );
    expect(outcomesOf({ result })).toEqual({ IT: 'failed' });
    expect(world.project.variables).toMatchObject(one.first.map(({ value }) => ({ value })));
    expect(world.emulator.journal.of(one.operation)).toHaveLength(2);
  });

  it.each(cases)('is sent once more: $operation, $answer, under $policy', async (one) => {
    await using world = await startWorld();
    const { error, result } = await syncUntruly(world, one, 1);
    expect(error).toBeUndefined();
    expect(outcomesOf({ result })).toEqual({ IT: one.does });
    const stored = one.now.map(({ value, preview }) => ({ value, preview }));
    expect(world.project.variables).toMatchObject(stored);
    expect(world.emulator.journal.of(one.operation)).toHaveLength(2);
  });
});
