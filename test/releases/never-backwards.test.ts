import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import { runs } from '../support/exhaustive.ts';
import { startWorld } from '../support/world.ts';
import { type Attempt, commits, repository, stagesOf, startSite } from './histories.ts';

/** Plays runs, one stage of one of them at a time, and gives what became of the site. */
async function play(begin: Attempt, runs: readonly Attempt[], turns: readonly number[]) {
  await using world = await startWorld({ timeout: 1e9 });
  await using github = await startGitHub();
  await using site = await startSite();
  for (const [age, commit] of commits.entries()) {
    const parents = commits.slice(Math.max(0, age - 1), age);
    github.commits.set(`${repository}@${commit}`, { parents });
  }
  for (const stage of stagesOf(world, github, site, begin, runs.length)) await stage();
  const waiting = runs.map((one, n) => stagesOf(world, github, site, one, n));
  const step = async (n: number) => {
    const stages = waiting[n];
    const stage = stages?.shift();
    if (stage !== undefined && !(await stage())) stages?.splice(0);
  };
  for (const turn of turns) await step(turn % runs.length);
  for (const [n, stages] of waiting.entries()) while (stages.length > 0) await step(n);
  expect(github.violations).toEqual([]);
  return site;
}

test('whatever the order of runs, what is live at the end is not older than what was good', async () => {
  const attempt = fc.record({
    age: fc.nat(5),
    isGood: fc.boolean(),
    ifNeeded: fc.boolean(),
    rotates: fc.boolean(),
  });
  const attempts = fc.array(attempt, { minLength: 2, maxLength: 5 });
  const order = fc.array(fc.nat(4), { minLength: 25, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(attempts, order, async (made, turns) => {
      // Something is good at first, so that there is a way back.
      const begin = { age: 0, isGood: true, ifNeeded: false, rotates: false };
      const { live, good, told } = await play(begin, made, turns);
      expect(live.at(-1)?.age ?? -1).toBeGreaterThanOrEqual(Math.max(-1, ...good));
      for (const one of told) expect(one).toMatch(/^(\d) .* \1$/);
    }),
    runs(4),
  );
}, 600_000);
