import { expect, test } from 'vitest';
import { sha } from '../../src/contract/commit.ts';
import { GitFailure } from '../../src/push/model/git-failure.ts';
import type { Pusher } from '../../src/push/push-commit.ts';
import type { PushResult } from '../../src/push/result.ts';
import type { Clock } from '../../src/service/clock.ts';
import { runDeploy } from '../support/deploy.ts';
import { warningsIn } from '../support/read-report.ts';
import { startWorld, type World } from '../support/world.ts';

const unknown = sha('f'.repeat(40));

/** Says that the commit was brought, without doing so: the service never knows it. */
const pusher = (brought: PushResult): Pusher => ({ branch: 'main', push: async () => brought });
const pushed = pusher({ kind: 'pushed', from: null, forced: false });

/** A clock in which a pause takes no time of ours. */
function driven(onSleep = () => undefined as unknown) {
  const pauses: number[] = [];
  let now = Date.now();
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds, signal) => {
      onSleep();
      signal.throwIfAborted();
      pauses.push(milliseconds);
      now += milliseconds;
    },
  };
  return { clock, pauses };
}

const within = (world: World, clock: Clock): World => ({
  ...world,
  started: clock.now(),
  host: { ...world.host, clock },
});

const warnings = ({ told }: World) => warningsIn(told);

test('a commit that is not seen within a minute ends the run, and the branch is doubted', async () => {
  await using world = await startWorld();
  const { clock, pauses } = driven();
  const request = { commit: unknown, pusher: pushed, wait: 'none' } as const;
  const report = await runDeploy(within(world, clock), request);
  expect(report).toMatchObject({ outcome: 'failed', pushed: true });
  expect(report.error).toContain('unknown_version');
  expect(warnings(world)).toEqual([
    expect.stringMatching(/a minute later.*set git-branch to that/),
  ]);
  expect(pauses.slice(0, 5)).toEqual([500, 1000, 2000, 4000, 5000]);
  const total = pauses.reduce((sum, pause) => sum + pause);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThanOrEqual(60_000);
  expect(world.emulator.journal.of('createDeployment')).toHaveLength(pauses.length + 1);
});

test('a commit is waited for, too, where the response to its first request was lost, which is told', async () => {
  await using world = await startWorld();
  const { clock } = driven(() => {
    world.emulator.dialect.unknownVersionId = 'accept-and-fail';
  });
  const operation = 'createDeployment';
  world.emulator.faults.add({ operation, kind: 'reset-after' });
  world.emulator.faults.add({ operation, kind: 'status', status: 404, effect: false });
  const request = { commit: unknown, pusher: pushed, wait: 'none' } as const;
  const report = await runDeploy(within(world, clock), request);
  expect(report.outcome).toBe('accepted');
  expect(report.release?.uncertainty).toMatch(
    /may be deployed twice: .* got lost, .* another key\./,
  );
});

test('a run that is cancelled while it waits says what is left', async () => {
  await using world = await startWorld();
  const { clock } = driven(() => world.abort('cancelled'));
  const request = { commit: unknown, pusher: pushed, wait: 'none' } as const;
  const report = await runDeploy(within(world, clock), request);
  expect(report.outcome).toBe('cancelled');
  expect(report.error).toMatch(/The commit was pushed to the project's repository\. \(SD9002\)$/);
  expect(report.error).not.toContain('may still go live');
});

test('a run that is cancelled while git pushes says what may be left', async () => {
  await using world = await startWorld();
  const push: Pusher['push'] = async ({ signal }) => {
    world.abort('cancelled');
    signal.throwIfAborted();
    throw new Error('it goes on');
  };
  const report = await runDeploy(world, { commit: unknown, pusher: { branch: 'main', push } });
  expect(report.outcome).toBe('cancelled');
  expect(report.error).toContain('The commit may have been pushed');
  expect(world.emulator.journal.of('createDeployment')).toEqual([]);
});

test.for<[string, Partial<World['emulator']['dialect']>, Pusher]>([
  ['the commit was there', {}, pusher({ kind: 'there', head: unknown })],
  ['another deployment runs', { overlappingDeployments: '409' }, pushed],
])('nothing is waited for where %s', async ([, dialect, how]) => {
  await using world = await startWorld({ dialect: { ...dialect, buildMs: 3_600_000 } });
  const { clock, pauses } = driven();
  const isBusy = dialect.overlappingDeployments !== undefined;
  const commit = isBusy ? sha(await world.project.head()) : unknown;
  if (isBusy) await runDeploy(world, { commit, wait: 'none' });
  const again = { ...within(world, clock), keyFor: () => 'another key' };
  const report = await runDeploy(again, { commit, pusher: how, wait: 'none' });
  expect(report.outcome).toBe('failed');
  expect(pauses).toEqual([]);
});

test('a failed write ends the run, and a failed push is told beside it', async () => {
  await using world = await startWorld();
  world.emulator.faults.add({
    operation: 'createVariable',
    kind: 'status',
    status: 400,
    effect: false,
  });
  const fails: Pusher = {
    branch: 'main',
    push: () => Promise.reject(new GitFailure({ kind: 'no-git' })),
  };
  const variable = {
    name: 'A',
    value: 'b',
    kind: 'plain',
    preview: true,
    production: true,
    source: 'env',
  } as const;
  const report = await runDeploy(world, { variables: [variable], pusher: fails });
  expect(report.outcome).toBe('failed');
  expect(report.error).toContain('400');
  expect(report).not.toHaveProperty('pushed');
  expect(warnings(world).join()).toContain('git-url needs git, which is not installed');
  expect(world.emulator.journal.of('createDeployment')).toEqual([]);
  expect(report.phases.map(({ name }) => name)).toContain('push');
});
