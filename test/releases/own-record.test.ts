import { expect, test } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import type { Sha } from '../../src/contract/commit.ts';
import { startWorld } from '../support/world.ts';
import { commits, recorderOf, repository } from './histories.ts';

const whole = AbortSignal.timeout(60_000);
const end = { outcome: 'failed', phases: [], requests: 0, durationMs: 0 } as const;

test.each([
  ['is being created', undefined],
  ['was created, and the response was lost,', 'lost-answer'],
] as const)('a record that %s when it is given up is ended with the run', async (_, trouble) => {
  await using world = await startWorld();
  await using github = await startGitHub();
  const commit = commits[0] as Sha;
  github.commits.set(`${repository}@${commit}`, { parents: [] });
  if (trouble !== undefined) github.trouble = { 'repos/create-deployment': trouble };
  const { recorder } = recorderOf(world, github, commit, '1');
  const creating = recorder.ensureCreated();
  recorder.giveUp();
  await creating;
  await recorder.finish(end, { start: whole, whole });
  const states = github.deployments(repository).map(({ statuses }) => statuses.at(-1)?.state);
  expect(states).toEqual(['failure']);
});

test('a record that exists is not waited for until it is in progress', async () => {
  await using world = await startWorld();
  await using github = await startGitHub();
  const commit = commits[0] as Sha;
  github.commits.set(`${repository}@${commit}`, { parents: [] });
  const { promise: waited, resolve } = Promise.withResolvers<void>();
  github.on('repos/create-deployment-status', async ({ body }) => {
    if (Object(body).state === 'in_progress') await waited;
  });
  const { recorder } = recorderOf(world, github, commit, '1');
  const clock = { ...world.host.clock, sleep: () => new Promise<void>(() => undefined) };
  await recorder.awaitCreated(clock);
  expect(github.deployments(repository).map(({ statuses }) => statuses)).toEqual([[]]);
  resolve();
  await recorder.finish(end, { start: whole, whole });
  const states = github.deployments(repository).map(({ statuses }) => statuses.map((s) => s.state));
  expect(states).toEqual([['in_progress', 'failure']]);
});

test('a record that was not requested when it is given up is never created', async () => {
  await using world = await startWorld();
  await using github = await startGitHub();
  const { recorder } = recorderOf(world, github, commits[0] as Sha, '1');
  recorder.giveUp();
  await recorder.ensureCreated();
  await recorder.finish(end, { start: whole, whole });
  expect(github.deployments(repository)).toEqual([]);
});

test.each([
  ['once the run has ended is never created', true, []],
  ['while the run ends is ended with it', false, ['failure']],
] as const)('a record that a run asks for %s', async (_, isOver, expected) => {
  await using world = await startWorld();
  await using github = await startGitHub();
  const commit = commits[0] as Sha;
  github.commits.set(`${repository}@${commit}`, { parents: [] });
  const { recorder } = recorderOf(world, github, commit, '1');
  const finishing = recorder.finish(end, { start: whole, whole });
  if (isOver) await finishing;
  await recorder.ensureCreated();
  await finishing;
  const states = github.deployments(repository).map(({ statuses }) => statuses.at(-1)?.state);
  expect(states).toEqual(expected);
});
