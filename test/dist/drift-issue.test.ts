import { expect, it } from 'vitest';
import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import type { RunOptions } from '../../emulator/runner.ts';
import { type EnvSyncWorld, now, startDrifted } from './env-sync-world.ts';
import { killAt } from './kill-at.ts';
import { readable } from './run-step.ts';

const repository = 'octo-org/octo-site';
const bot = 'github-actions[bot]';

/** The options of a run that reports drift; each has a number of its own. */
function reporting(github: GitHubStandIn, run: number, inputs = {}): Partial<RunOptions> {
  const { url: apiUrl, token } = github;
  return {
    event: { name: 'schedule', payload: {} },
    github: { repository, runId: String(run), apiUrl, token },
    inputs: { mode: 'plan', 'drift-issue': 'true', ...inputs },
  };
}

const states = (github: GitHubStandIn) =>
  github.issues.of(repository).map(({ state, reason }) => [state, reason]);

/** Runs once more, with nothing in its way: what is open then, with its number. */
async function openAfter(world: EnvSyncWorld, github: GitHubStandIn): Promise<number[]> {
  await world.run(now, reporting(github, 900));
  const open = github.issues.of(repository).filter(({ state }) => state === 'open');
  return open.map(({ number }) => number);
}

it('reports drift in an issue instead of failing, with what repairs it and without a value', async () => {
  await using world = await startDrifted();
  await using github = await startGitHub();
  const { conclusion, annotations } = await world.run(now, reporting(github, 1));
  expect(conclusion).toBe('success');
  const [issue] = github.issues.of(repository);
  expect(annotations.map(({ message }) => message).join()).toContain(`${repository}/issues/1`);
  expect(issue).toMatchObject({ author: bot, title: expect.stringContaining('have drifted') });
  for (const text of ['CHANGED', 'NEW', 'run with mode: apply', 'SD4020']) {
    expect(issue?.body).toContain(text);
  }
  for (const value of ['old fake', 'new fake']) expect(issue?.body).not.toContain(value);
  await world.run(now);
  expect((await world.run(now, reporting(github, 2))).conclusion).toBe('success');
  expect(states(github)).toEqual([['closed', 'completed']]);
  expect(github.violations).toEqual([]);
});

it('fails as before if the issue cannot be written, and says why', async () => {
  await using world = await startDrifted();
  await using github = await startGitHub();
  github.trouble = { issues: 'forbidden' };
  const failed = await world.run(now, reporting(github, 1));
  expect(failed.conclusion).toBe('failure');
  expect(readable(failed)).toContain('Add \\"issues: write\\"');
  expect(failed.outputs['error']).toContain('SD4020');
  github.trouble = undefined;
  github.withoutIssues.add(repository);
  const off = await world.run(now, reporting(github, 2));
  expect(off.conclusion).toBe('failure');
  expect(readable(off)).toContain('Issues are disabled for this repo');
});

it.each([
  [1, 'the first list'],
  [2, 'the creation'],
  [3, 'the second list'],
] as const)('leaves one issue open although a run was killed at request %i, %s', async (n, _) => {
  await using world = await startDrifted();
  await using github = await startGitHub({ token: 'ghs_fake' });
  await killAt({ ...world, github }, 'GitHub', n, async () =>
    world.start(now, reporting(github, 1)),
  );
  expect(await openAfter(world, github)).toEqual([1]);
});

it('closes the duplicate of a run that was killed before it could', async () => {
  await using world = await startDrifted();
  await using github = await startGitHub({ token: 'ghs_fake' });
  await world.run(now, reporting(github, 1));
  const [first] = github.issues.of(repository);
  github.issues.open(repository, { author: bot, title: 'Same', body: first?.body ?? '' });
  expect(await openAfter(world, github)).toEqual([1]);
  expect(states(github)[1]).toEqual(['closed', 'duplicate']);
});

it('of runs at once leaves the first issue open', async () => {
  await using world = await startDrifted();
  await using github = await startGitHub({ token: 'ghs_fake' });
  const count = 4;
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  // All have listed before the first creates.
  github.on('issues/create', () => {
    waiting += 1;
    if (waiting === count) all.resolve();
    return all.promise;
  });
  const runs = Array.from({ length: count }, (_, at) =>
    world.start(now, reporting(github, 1 + at)),
  );
  for (const { conclusion } of await Promise.all(runs.map(({ done }) => done))) {
    expect(conclusion).toBe('success');
  }
  const duplicates = Array.from({ length: count - 1 }, () => ['closed', 'duplicate']);
  expect(states(github)).toEqual([['open', null], ...duplicates]);
  expect(github.violations).toEqual([]);
});

it.each(['lost-answer', 'twice', 'empty-answer', 'late'] as const)(
  'survives %s of its creation',
  async (trouble) => {
    await using world = await startDrifted();
    await using github = await startGitHub({ token: 'ghs_fake' });
    let isFirst = true;
    github.trouble = ({ operationId }) => {
      if (operationId !== 'issues/create' || !isFirst) return undefined;
      isFirst = false;
      return trouble;
    };
    expect((await world.run(now, reporting(github, 1))).conclusion).toBe('success');
    expect(await openAfter(world, github)).toEqual([1]);
  },
);

it('writes no issue for code that is not merged, and fails for no drift', async () => {
  await using world = await startDrifted();
  await using github = await startGitHub();
  const event = { name: 'merge_group', payload: { merge_group: { head_sha: 'a'.repeat(40) } } };
  const { conclusion, log } = await world.run(now, { ...reporting(github, 1), event });
  expect(conclusion).toBe('success');
  expect(log.join('\n')).toContain('No drift issue is written');
  expect(github.journal).toEqual([]);
});

it.each([
  ['mode: apply', { mode: 'apply' }],
  ['fail-on-drift', { 'fail-on-drift': 'true' }],
])('is an error with %s', async (_, inputs) => {
  await using world = await startDrifted();
  await using github = await startGitHub();
  const { conclusion, outputs } = await world.run(now, reporting(github, 1, inputs));
  expect(conclusion).toBe('failure');
  expect(outputs['error']).toContain('drift-issue: needs mode: plan, without fail-on-drift');
  expect(github.journal).toEqual([]);
});

it.each([{}, { 'fail-on-drift': 'true' }])(
  'sends GitHub nothing without the input: %j',
  async (inputs) => {
    await using world = await startDrifted();
    await using github = await startGitHub();
    await world.run(now, reporting(github, 1, { 'drift-issue': '', ...inputs }));
    expect(github.journal).toEqual([]);
  },
);
