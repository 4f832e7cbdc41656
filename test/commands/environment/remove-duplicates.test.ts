import { describe, expect, it } from 'vitest';
import { unsafeText } from '../../../src/kernel/text/safe.ts';
import { removeDuplicates } from '../../../src/variables/delete-variable.ts';
import { EnvironmentMatcher } from '../../../src/variables/evaluate.ts';
import type { WriteContext } from '../../../src/variables/perform.ts';
import { desired } from '../../support/variables.ts';
import { startWorld, type World } from '../../support/world.ts';

/** Makes a variable of one name twice, and gives what removes one of them. */
async function startTwice(world: World) {
  const { client, project, host } = world;
  const { name, value, kind, preview, production } = desired('TWICE');
  const body = { name, value, kind, preview, production };
  await client.createVariable(project.id, body);
  const latest = await client.createVariable(project.id, body);
  const context: WriteContext = {
    client,
    projectId: project.id,
    policy: 'overwrite',
    versionStep: 1,
    versionsMove: false,
    environmentMatcher: new EnvironmentMatcher(latest, []),
    pause: (milliseconds) => host.clock.sleep(milliseconds, host.signal),
    latest,
  };
  const ids = latest.variables.map(({ id }) => id);
  const remove = (kept: string | undefined, creates = 2) =>
    removeDuplicates(context, [{ name: unsafeText(name), creates, kept }], new Set());
  return { ids, remove };
}

describe.concurrent('of a variable that a late answer has made twice', () => {
  it.each([
    ['first', 0],
    ['second', 1],
  ])('the %s is kept, if it is the one that is remembered as ours', async (_name, index) => {
    await using world = await startWorld({ dialect: { duplicateName: 'allow' } });
    const { ids, remove } = await startTwice(world);
    expect(await remove(ids[index])).toEqual({ left: [] });
    expect(world.project.variables.map(({ id }) => id)).toEqual([ids[index]]);
  });

  it('one is removed, if none is remembered', async () => {
    await using world = await startWorld({ dialect: { duplicateName: 'allow' } });
    const { remove } = await startTwice(world);
    expect(await remove(undefined)).toEqual({ left: [] });
    expect(world.project.variables).toHaveLength(1);
  });

  it('none is removed, if this run cannot have made both', async () => {
    await using world = await startWorld({ dialect: { duplicateName: 'allow' } });
    const { remove } = await startTwice(world);
    expect(await remove(undefined, 1)).toEqual({ left: ['TWICE'] });
    expect(world.project.variables).toHaveLength(2);
  });

  it('and whose removal is answered with nothing, it is gone nevertheless', async () => {
    await using world = await startWorld({ dialect: { duplicateName: 'allow' } });
    const { ids, remove } = await startTwice(world);
    world.emulator.dialect.writeBody = 'empty';
    expect(await remove(ids[0])).toEqual({ left: [] });
    expect(world.project.variables.map(({ id }) => id)).toEqual([ids[0]]);
  });
});
