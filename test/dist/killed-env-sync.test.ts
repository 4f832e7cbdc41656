import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../emulator/runner.ts';
import { rows } from '../support/exhaustive.ts';
import { shareProcess } from '../support/shared-process.ts';
import { type EnvSyncWorld, startEnvSync } from './env-sync-world.ts';

type Target = 'preview' | 'production';
type Declared = Readonly<Record<string, readonly [value: string, ...targets: Target[]]>>;

const before: Declared = {
  SAME: ['fake', 'preview', 'production'],
  VALUE: ['old fake', 'preview', 'production'],
  TARGETS: ['fake', 'preview', 'production'],
  BOTH: ['old fake', 'preview'],
  DROPPED: ['fake', 'preview', 'production'],
};
const now: Declared = {
  SAME: ['fake', 'preview', 'production'],
  VALUE: ['new fake', 'preview', 'production'],
  TARGETS: ['fake', 'production'],
  BOTH: ['new fake', 'production'],
  NEW: ['fake', 'preview', 'production'],
};
/** GET, POST NEW, PUT VALUE, PATCH TARGETS, PUT and PATCH BOTH, DELETE DROPPED. */
const requests = 7;

/** Starts a sync of what is declared, by a site file that the values of the step's environment come with. */
async function start(world: EnvSyncWorld, declared: Declared, launch?: RunOptions['launch']) {
  const environment = Object.fromEntries(
    Object.entries(declared).map(([name, [, ...targets]]) => [name, { from: name, targets }]),
  );
  const removed = 'DROPPED' in declared ? {} : { DROPPED: { remove: true } };
  const file = { environment: { ...environment, ...removed } };
  await writeFile(join(world.workspace, 'site.yml'), JSON.stringify(file));
  const values = Object.entries(declared).map(([name, [value]]) => [name, value]);
  return world.start(Object.fromEntries(values), {
    inputs: { 'env-from': '', config: 'site.yml' },
    ...(launch && { launch }),
  });
}

const sync = async (world: EnvSyncWorld, declared: Declared) =>
  await (await start(world, declared, shareProcess)).done;

/** Starts a sync of what is declared now, and kills it while its n-th request waits for an answer. */
async function kill(world: EnvSyncWorld, n: number, effect: boolean): Promise<void> {
  const { journal, faults } = world.emulator;
  const first = (journal.entries.at(-1)?.n ?? 0) + 1;
  const fault = faults.add({ kind: 'stall', effect, after: n - 1 });
  await using step = await start(world, now);
  await journal.waitFor((entry) => {
    const isStalled = fault.fired === 1 && entry.n >= first && entry.status === null;
    return isStalled && (!effect || entry.method === 'GET' || entry.effect);
  });
  step.kill();
  const { outputs, conclusion } = await step.done;
  expect(conclusion).toBe('failure');
  expect(outputs).toEqual({});
  expect(journal.entries.at(-1)?.n).toBeLessThan(first + requests);
}

/** What the service stores, as it is declared. */
function stored({ project }: EnvSyncWorld): Record<string, string[]> {
  const rows = project.variables.map(({ name, value, preview, production }) => [
    name,
    [value, ...(preview ? ['preview'] : []), ...(production ? ['production'] : [])],
  ]);
  expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
  return Object.fromEntries(rows);
}

/** Of what is written: created, replaced where it is to be retargeted, too, and deleted. */
const writes = [2, 5, 7];

const moments = rows(
  Array.from({ length: requests }, (_, index) => index + 1).flatMap((n) => [
    ['before', n, false] as const,
    ['after', n, true] as const,
  ]),
  ([_, n, effect]) => effect && writes.includes(n),
);

describe.concurrent('a sync that is killed', () => {
  it.each(moments)('right %s its request %i is made good by the next one', async (_, n, effect) => {
    await using world = await startEnvSync();
    world.project.setVariable({ name: 'FOREIGN', value: 'stays' });
    const foreign = world.project.variables.find(({ name }) => name === 'FOREIGN');
    const first = await sync(world, before);
    expect(first.outputs['error']).toBe('');
    await kill(world, n, effect);
    const next = await sync(world, now);
    expect(next.outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(stored(world)).toEqual({ ...now, FOREIGN: ['stays', 'preview', 'production'] });
    expect(world.project.variables.find(({ name }) => name === 'FOREIGN')).toEqual(foreign);
  });
});
