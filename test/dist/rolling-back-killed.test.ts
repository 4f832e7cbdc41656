import { describe, expect, it } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { endsOf, type HistoryWorld, repository, startHistory } from './history-world.ts';
import { killAt, type Side } from './kill-at.ts';
import { previewHostname, previewInputs, pushToPullRequest } from './preview-push.ts';

/** Inputs of a pull request's run that is undone if its checks fail. */
const inputsOf = (world: HistoryWorld) => ({
  ...previewInputs(world),
  'verify-url': world.page,
  'verify-contains': 'live: {sha}',
  'verify-timeout': '6s',
  'on-failed-checks': 'roll-back',
  'on-older': 'skip',
  env: 'NAME=value',
});

const optionsOf = (world: HistoryWorld, sha: string) => ({
  inputs: inputsOf(world),
  event: pushToPullRequest(world, sha),
});

const push = async (world: HistoryWorld, sha: string) => {
  const { inputs, ...options } = optionsOf(world, sha);
  return await world.run(sha, inputs, options);
};

/** A world in which the preview shows the first commit, whose checks were good, and the second is broken. */
async function startGood() {
  const world = await startHistory({ verifyMs: 0, revalidation: 'ignored' });
  const { first, second } = world.commits;
  const { outputs } = await push(world, first);
  expect(outputs['outcome']).toBe('succeeded');
  world.broken.add(second);
  world.emulator.journal.clear();
  world.asked();
  return world;
}

const sides = ['service before', 'service', 'GitHub'] as const;

/** Runs the broken commit, and kills it at its n-th request to one side. */
const kill = (world: HistoryWorld, side: Side, n: number) => {
  const { second } = world.commits;
  return killAt(world, side, n, () => world.start(second, optionsOf(world, second)));
};

/** What a run asks for that is rolled back. */
const requests = { 'service before': 10, service: 10, GitHub: 20 };

/** Those at which the most is at stake: the way back is asked for, the record made, and the last end is told. */
const edges = { 'service before': [9], service: [9], GitHub: [8, 20] };

const cases = rows(
  sides.flatMap((side) => Array.from({ length: requests[side] }, (_, n) => [side, n + 1] as const)),
  ([side, n]) => edges[side].includes(n),
);

const commentsOf = ({ github }: HistoryWorld) =>
  github.comments(repository, 7).map(({ body = '' }) => body);

const servedBy = ({ emulator }: HistoryWorld) =>
  emulator.world.domains.find(previewHostname)?.projectId;

describe.concurrent('a run that is rolled back', () => {
  it('sends so many requests', async () => {
    await using world = await startGood();
    expect((await push(world, world.commits.second)).outputs['outcome']).toBe('rolled-back');
    const service = world.emulator.journal.entries.filter(({ operation }) => operation !== 'site');
    expect(service.length, 'to the service').toBe(requests['service before']);
    expect(world.asked().length, 'to GitHub').toBe(requests.GitHub);
  });

  it.each(cases)('and is killed, %s, request %i', async (side, n) => {
    await using world = await startGood();
    const { first, second, third } = world.commits;
    await kill(world, side, n);
    const deployed = world.deployed();
    // At most one way back, and to nothing else than what was good.
    expect(deployed).toEqual([first, second, first].slice(0, deployed.length));
    expect(servedBy(world)).toBe(world.project.id);
    // The record of what was good stays; the other is over, and nobody takes it for good.
    const [good, ...others] = endsOf(world);
    expect(good).toBe('good');
    const ends = deployed.length > 2 ? [['rolled-back']] : [[], ['ended'], ['undeployed']];
    expect([...ends, ['rolled-back']]).toContainEqual(others);
    expect(world.states()[0]).toBe('success');
    if (others.length > 0) expect(['error', 'failure']).toContain(world.states()[1]);
    const comments = commentsOf(world);
    expect(comments).toHaveLength(1);
    const [comment = ''] = comments;
    if (comment.includes('was rolled back to')) expect(deployed).toHaveLength(3);
    if (comment.includes(`Still live, from commit <code>${first.slice(0, 7)}`)) {
      expect(deployed.at(-1)).toBe(first);
    }
    if (comment.includes('No deployment was requested')) expect(deployed).toEqual([first]);
    expect(comment).not.toContain('Deploying');
    // What comes next is measured by what was good, and ends well.
    expect((await push(world, third)).outputs['outcome']).toBe('succeeded');
    expect((await push(world, first)).outputs['skipped-reason']).toBe('older-commit');
    expect(world.states().filter((state) => state === 'success')).toHaveLength(1);
    expect(world.deployed().at(-1)).toBe(third);
    expect(servedBy(world)).toBe(world.project.id);
    expect(world.github.violations).toEqual([]);
  });
});
