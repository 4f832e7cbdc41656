import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import type { DesiredVariable } from '../../src/variables/intent.ts';
import { pairwise, rows } from '../support/exhaustive.ts';
import { memoryLedgers, operationsDuring, outcomesOf, syncNow, valuesOf } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => desired(`NAME_${String(index).padStart(3, '0')}`));

/** A world, and a way to sync it under `overwrite` with a ledger that lasts. */
async function startRemembering(dialect: DialectOptions = {}) {
  const world = await startWorld({ dialect });
  const ledgers = memoryLedgers();
  const sync = (variables: readonly DesiredVariable[]) =>
    syncNow(world, { projectId: world.project.id, variables, policy: 'overwrite', ledgers });
  return {
    world,
    sync,
    operations: (variables: readonly DesiredVariable[]) =>
      operationsDuring(world, () => sync(variables)),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

describe.concurrent('a second run', () => {
  const counts = rows([1, 60, 500], (count) => count < 500);
  it.each(counts)('with nothing changed is one request, for %i variables', async (count) => {
    await using setting = await startRemembering();
    const variables = many(count);
    expect(await setting.operations(variables)).toHaveLength(1 + count);
    expect(await setting.operations(variables)).toEqual(['readEnvironment']);
  });

  it('with one of 50 changed is two requests', async () => {
    await using setting = await startRemembering();
    const variables = many(50);
    await setting.sync(variables);
    const changed = variables.with(17, desired('NAME_017', { value: 'another fake value' }));
    expect(await setting.operations(changed)).toEqual(['readEnvironment', 'replaceVariable']);
    expect(valuesOf(setting.world.project)['NAME_017']).toBe('another fake value');
    expect(await setting.operations(changed)).toEqual(['readEnvironment']);
  });

  it('goes back to a former value: that is a change', async () => {
    await using setting = await startRemembering();
    for (const value of ['first fake', 'second fake', 'first fake']) {
      const operations = await setting.operations([desired('A', { value })]);
      expect(operations).toHaveLength(2);
      expect(valuesOf(setting.world.project)).toEqual({ A: value });
    }
  });

  it('that swaps the values of two variables writes both', async () => {
    await using setting = await startRemembering();
    const { value: first } = desired('A');
    const { value: second } = desired('B');
    await setting.sync([desired('A'), desired('B')]);
    await setting.sync([desired('A', { value: second }), desired('B', { value: first })]);
    expect(valuesOf(setting.world.project)).toEqual({ A: second, B: first });
  });
});

const declared = [
  desired('CREATED'),
  desired('REPLACED'),
  desired('RETARGETED', { preview: false }),
];

function prepare({ project }: World): void {
  project.setVariable({ name: 'REPLACED', value: 'old' });
  project.setVariable({ name: 'RETARGETED', value: 'old' });
}

function expectRight({ project }: World, variables: readonly DesiredVariable[]): void {
  const stored = project.variables.map(({ name, value, kind, preview, production }) => [
    name,
    { value, kind, preview, production },
  ]);
  const wanted = variables.map(({ name, value, kind, preview, production }) => [
    name,
    { value, kind, preview, production },
  ]);
  expect(stored).toHaveLength(variables.length);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(wanted));
}

const bodies = ['full', 'empty', 'no-content', 'wrong'] as const;
const allDialects = bodies.flatMap((writeBody) => [
  ...[1, 0, -5].map((firstVersion) => ({ writeBody, duplicateName: '409' as const, firstVersion })),
  { writeBody, duplicateName: 'allow' as const, firstVersion: 1 },
]);
const dialects = pairwise(allDialects, ({ writeBody, duplicateName, firstVersion }) => [
  writeBody,
  duplicateName,
  firstVersion,
]);
const title = 'with bodies $writeBody, versions from $firstVersion, a second name: $duplicateName';

describe.concurrent('where the service is another', () => {
  it.each(dialects)(`the second run is one request, ${title}`, async (one) => {
    await using setting = await startRemembering(one);
    prepare(setting.world);
    await setting.sync(declared);
    expectRight(setting.world, declared);
    expect(await setting.operations(declared)).toEqual(['readEnvironment']);
    expectRight(setting.world, declared);
  });

  it.each(
    allDialects.flatMap((dialect) =>
      dialect.duplicateName === '409'
        ? (['keep', 'fail'] as const).map((policy) => ({ ...dialect, policy }))
        : [],
    ),
  )(
    'our own writes are never taken for those of somebody else under $policy, with bodies $writeBody and versions from $firstVersion',
    async ({ policy, ...dialect }) => {
      await using world = await startWorld({ dialect });
      prepare(world);
      const ledgers = memoryLedgers();
      for (const value of ['first fake', 'second fake', 'third fake']) {
        const variables = declared.map((variable) => ({ ...variable, value }));
        const projectId = world.project.id;
        const end = await syncNow(world, { projectId, variables, policy, ledgers });
        expect(Object.values(outcomesOf(end))).not.toContain(
          policy === 'keep' ? 'kept' : 'conflict',
        );
        expectRight(world, variables);
      }
    },
  );
});
