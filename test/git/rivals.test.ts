// Attack (git): A push discards the project's commits
// Defense: A push is forced only to a project of `preview-projects` that the pull request uses, or where `git-force`
// allows it, and only while the head is the one that was read

import { describe, expect, test } from 'vitest';
import type { FaultSpec } from '../../emulator/index.ts';
import { rows } from '../support/exhaustive.ts';
import { type GitWorld, startGitWorld } from './support.ts';

type Moment = Pick<FaultSpec, 'method' | 'path' | 'after'>;

/** Moments at which somebody else is faster: the requests of our push, which sees the branch and then changes it. */
const moments: [string, Moment][] = [
  // The first such request is our look.
  ['before our push sees the branch', { method: 'GET', after: 1 }],
  ['after our push saw the branch', { method: 'POST', path: /git-receive-pack$/ }],
];

/** Has something happen, once, at a moment of our push, which waits for it. */
function at({ emulator }: GitWorld, moment: Moment, act: () => Promise<unknown>): void {
  emulator.faults.add({ operation: 'git', ...moment, kind: 'hold', until: act });
}

describe.each(moments)('somebody pushes %s', (name, moment) => {
  const isAfter = name === moments[1]?.[0];

  const start = async () => {
    const world = await startGitWorld();
    const first = await world.push();
    await world.dev.pushTo(await world.project.gitFolder());
    return { world, first };
  };

  // What came before that, only the lease of our push keeps; what comes after it, the server keeps by itself.
  test.skipIf(isAfter)('what the commit lacks: it is seen, and refused', async () => {
    const { world } = await start();
    await using _ = world;
    const commit = await world.push();
    const workspace = await world.copyDev();
    at(world, moment, () => world.pushToProject('By a rival'));
    const result = await world.pushCommit(commit, { workspace });
    const head = await world.project.head();
    expect(result).toMatchObject({ kind: 'refused', head, count: 1 });
    expect(result).toMatchObject({ newest: { subject: 'By a rival' } });
  });

  test.skipIf(isAfter)('a commit in between: ours is pushed on top', async () => {
    const { world } = await start();
    await using _ = world;
    const between = await world.push();
    const commit = await world.push();
    const workspace = await world.copyDev();
    at(world, moment, async () => world.dev.pushTo(await world.project.gitFolder(), between));
    const result = await world.pushCommit(commit, { workspace });
    expect(result).toMatchObject({ kind: 'pushed', forced: false });
    expect(await world.project.head()).toBe(commit);
  });

  test('the same commit: it is there', async () => {
    const { world } = await start();
    await using _ = world;
    const commit = await world.push();
    const workspace = await world.copyDev();
    at(world, moment, async () => world.dev.pushTo(await world.project.gitFolder()));
    const result = await world.pushCommit(commit, { workspace });
    // Who was first cannot be told once both had sent it.
    expect(result.kind).toBe(moment.method === 'GET' ? 'there' : 'pushed');
    expect(await world.project.head()).toBe(commit);
  });

  test.each(rows(['this head', 'always'] as const, (kind) => isAfter === (kind === 'always')))(
    'and we force (%s): theirs is kept',
    async (kind) => {
      const { world, first } = await start();
      await using _ = world;
      await world.dev.git('reset', '--quiet', '--hard', 'HEAD~1');
      const commit = await world.push();
      const workspace = await world.copyDev();
      let theirs = '';
      at(world, moment, async () => {
        theirs = await world.pushToProject();
      });
      const force = kind === 'always' ? kind : { onlyFrom: first };
      const result = world.pushCommit(commit, { workspace, force });
      if (kind === 'always') {
        await expect(result).rejects.toMatchObject({ trouble: { kind: 'rival', branch: 'main' } });
      } else {
        expect(await result).toMatchObject({ kind: 'refused', head: theirs, count: 2 });
      }
      expect(theirs).toMatch(/^[0-9a-f]{40}$/);
      expect(await world.project.head()).toBe(theirs);
      expect(await world.leftovers()).toEqual([]);
    },
  );
});
