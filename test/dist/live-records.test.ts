// Attack (reports): A live release is recorded as `inactive`
// Defense: Only a newer record that ended well replaces it; checked before and after the success, and earlier records
// become inactive only then

import { describe, expect, it } from 'vitest';
import type { ActionResult } from '../../emulator/runner.ts';
import { rows } from '../support/exhaustive.ts';
import { type HistoryWorld, recorded, repository, startHistory } from './history-world.ts';

type Inputs = Record<string, string>;

/** Runs a commit, and lets others play once its record is there, before its deployment has any effect. */
async function around(
  world: HistoryWorld,
  commit: string,
  inputs: Inputs,
  meanwhile: () => Promise<unknown>,
): Promise<ActionResult> {
  const isRecorded = recorded(world, commit);
  const until = async () => {
    await isRecorded;
    await meanwhile();
  };
  world.emulator.faults.add({ operation: 'createDeployment', kind: 'hold', until });
  return await world.run(commit, inputs);
}

/** The last state of each record, by its commit, oldest first. */
const statesByCommit = ({ github, commits }: HistoryWorld) =>
  github.deployments(repository).map(({ sha, statuses }) => {
    const [name] = Object.entries(commits).find(([, commit]) => commit === sha) ?? [];
    return `${name} ${statuses.at(-1)?.state}`;
  });

const skip = { 'on-older': 'skip' };
const deploy = { 'on-older': 'deploy' };

describe.concurrent('a live release stays recorded as live, although an older commit made a newer record', () => {
  const ends: [string, Inputs, 'success' | 'failure' | 'never', string, string][] = [
    ['was skipped', skip, 'success', 'skipped', 'inactive'],
    ['failed', deploy, 'failure', 'failed', 'failure'],
    ['timed out', { ...deploy, timeout: '2s' }, 'never', 'timed-out', 'error'],
    ['was not waited for', { ...deploy, wait: 'none' }, 'success', 'accepted', 'inactive'],
  ];
  // Those whose own record stays, and as what: the rest of them is in test/releases/never-backwards.test.ts.
  it.each(rows(ends, 2))('and %s', async (_, inputs, end, outcome, state) => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(first);
    world.emulator.dialect.deploymentEnds = ({ commit }) => (commit === second ? end : 'success');
    let older: ActionResult | undefined;
    const newer = await around(world, third, inputs === skip ? skip : deploy, async () => {
      older = await world.run(second, inputs);
    });
    expect([older?.outputs['outcome'], newer.outputs['outcome']]).toEqual([outcome, 'succeeded']);
    expect(statesByCommit(world)).toEqual(['first inactive', 'third success', `second ${state}`]);
    expect(world.github.violations).toEqual([]);
  });

  it('and was killed', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(first);
    world.emulator.dialect.deploymentEnds = ({ commit }) =>
      commit === second ? 'never' : 'success';
    await around(world, third, deploy, async () => {
      const isRecorded = recorded(world, second);
      await using older = await world.start(second, { inputs: deploy });
      await isRecorded;
      older.kill();
      await older.done;
    });
    expect(statesByCommit(world).slice(0, 2)).toEqual(['first inactive', 'third success']);
    expect(statesByCommit(world)[2]).not.toContain('success');
  });

  it('and is under way: that is left alone, and takes the place at its own end', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(first);
    const ended = Promise.withResolvers<void>();
    let older: Promise<ActionResult> | undefined;
    await around(world, third, deploy, async () => {
      const isRecorded = recorded(world, second);
      const until = () => ended.promise;
      world.emulator.faults.add({ operation: 'createDeployment', kind: 'hold', until });
      older = world.run(second, deploy);
      await isRecorded;
    });
    const states = statesByCommit(world);
    ended.resolve();
    expect(states).toEqual(['first inactive', 'third success', 'second in_progress']);
    expect((await older)?.outputs['outcome']).toBe('succeeded');
    expect(statesByCommit(world)).toEqual(['first inactive', 'third inactive', 'second success']);
  });
});

describe.concurrent('a run that a newer one overtook with success', () => {
  it('does not take the place back', async () => {
    await using world = await startHistory();
    const { second, third } = world.commits;
    await around(world, second, {}, () => world.run(third));
    expect(statesByCommit(world)).toEqual(['second inactive', 'third success']);
  });

  it('between its last look and its own words does not, either', async () => {
    await using world = await startHistory();
    const { second, third } = world.commits;
    let isHeld = false;
    world.github.on('repos/create-deployment-status', async ({ body }) => {
      if (isHeld || Object(body).state !== 'success') return;
      isHeld = true;
      await world.run(third);
    });
    await world.run(second);
    expect(statesByCommit(world)).toEqual(['second inactive', 'third success']);
  });

  it.each(rows(['lost-answer', 'late'] as const, 1))(
    'while GitHub says nothing of its own success (%s) does not, either',
    async (trouble) => {
      await using world = await startHistory();
      const { second, third } = world.commits;
      let isLost = false;
      world.github.trouble = ({ operationId, body }) => {
        const isSuccess = operationId?.endsWith('create-deployment-status') && !isLost;
        if (!isSuccess || Object(body).state !== 'success') return undefined;
        isLost = true;
        return trouble;
      };
      let isPlayed = false;
      world.github.on('repos/list-deployment-statuses', async () => {
        if (!isLost || isPlayed) return;
        isPlayed = true;
        await world.run(third);
      });
      await world.run(second);
      expect(isPlayed).toBe(true);
      expect(statesByCommit(world)).toEqual(['second inactive', 'third success']);
    },
  );
});
