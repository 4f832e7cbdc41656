import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEnvSync, stored } from '../dist/env-sync-world.ts';
import { unpacked } from '../dist/run-step.ts';

const prune = { 'env-prune': 'true' };
/** A runner that does not say which file the workflow is, as Gitea's and act. */
const workflow = (name: string) => ({ github: { workflowRef: '', workflow: name } });

describe.concurrent('where the runner does not say which file a workflow is', () => {
  it("a workflow's variables are not deleted by another of equal job and step names", async () => {
    await using world = await startEnvSync();
    await world.run({ A: 'fake of one' }, workflow('One'));
    const second = await world.run({ B: 'fake of two' }, { ...workflow('Two'), inputs: prune });
    expect(second.outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(stored(world.project)).toEqual({ A: 'fake of one', B: 'fake of two' });
  });

  it('a workflow still deletes its own', async () => {
    await using world = await startEnvSync();
    await world.run({ A: 'fake', B: 'fake' }, workflow('One'));
    await world.run({ B: 'fake' }, { ...workflow('One'), inputs: prune });
    expect(stored(world.project)).toEqual({ B: 'fake' });
  });

  it('a name that looks like a file is not that file', async () => {
    await using world = await startEnvSync();
    const file = 'octo-org/octo-site/.github/workflows/deploy.yml';
    await world.run({ A: 'fake' }, { github: { workflowRef: `${file}@refs/heads/main` } });
    await world.run({ B: 'fake' }, { ...workflow(file), inputs: prune });
    expect(stored(world.project)).toEqual({ A: 'fake', B: 'fake' });
  });
});

describe.concurrent('where it says neither file nor name', () => {
  it.each([
    ['env-sync', join(unpacked, 'env-sync'), {}],
    ['deploy', unpacked, { deploy: 'false' }],
  ])('%s refuses to prune, with a sentence, before anything is sent', async (_, action, given) => {
    await using world = await startEnvSync();
    await world.run({ A: 'fake' }, workflow(''));
    const { entries } = world.emulator.journal;
    const before = entries.length;
    const inputs = { ...prune, ...given };
    const result = await world.run({ B: 'fake' }, { action, ...workflow(''), inputs });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs['error']).toMatch(/^env-prune: .*GITHUB_WORKFLOW/);
    expect(entries).toHaveLength(before);
    expect(stored(world.project)).toEqual({ A: 'fake' });
  });

  it.each(['job', 'action'])('nor which %s: it refuses, too', async (name) => {
    await using world = await startEnvSync();
    const result = await world.run({ B: 'fake' }, { github: { [name]: '' }, inputs: prune });
    expect(result.outputs['error']).toMatch(/^env-prune: /);
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('what was created is deleted by no later run', async () => {
    await using world = await startEnvSync();
    await world.run({ A: 'fake' }, workflow(''));
    for (const later of ['', 'One']) {
      await world.run({ B: 'fake' }, { ...workflow(later), inputs: prune });
    }
    await world.run({ B: 'fake' }, { inputs: prune });
    expect(stored(world.project)).toMatchObject({ A: 'fake' });
  });
});
