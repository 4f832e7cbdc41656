import { describe, expect, test } from 'vitest';
import type { FaultSpec } from '../../emulator/index.ts';
import { rows } from '../support/exhaustive.ts';
import { githubRequests, startGitWorld } from './support.ts';

const force = 'always';
const receive = { operation: 'git', method: 'POST', path: /git-receive-pack$/ };

/** Curl itself tries once more on a connection that it had used before: so that git sees it, it breaks twice. */
const twice = { times: 2 };

describe.concurrent('the push is tried again after', () => {
  const faults: [string, FaultSpec][] = [
    ['one that broke in the middle', { ...receive, ...twice, kind: 'cut-request', bytes: 300 }],
    ['a connection that broke before it', { ...receive, ...twice, kind: 'reset-before' }],
    ['a busy service', { ...receive, kind: 'status', status: 503, effect: false }],
    ['a limit', { ...receive, kind: 'status', status: 429, effect: false }],
  ];
  // One of an answer; one of the connection is tried in vain below.
  test.each(rows(faults, (_, index) => index === 2))('%s', async (_name, fault) => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const template = await world.project.head();
    const workspace = await world.copyDev();
    world.emulator.faults.add(fault);
    const result = await world.pushCommit(commit, { workspace, force });
    expect(result).toEqual({ kind: 'pushed', from: template, forced: true });
    expect(await world.project.head()).toBe(commit);
    const steps = world.steps.map(({ step }) => step);
    const once = ['push', 'again', 'read-branch'];
    expect(steps).toEqual([...['read-branch', 'fetch-branch'], ...once, 'push']);
    expect(world.steps).toContainEqual({
      step: 'again',
      pause: 750,
      detail: expect.stringMatching(/^(error|fatal): /),
    });
  });
});

describe.concurrent('a push whose answer is lost counts if it took effect', () => {
  const faults: [string, FaultSpec][] = [
    ['git sees it', { ...receive, ...twice, kind: 'reset-after' }],
    ['curl tries again itself', { ...receive, kind: 'reset-after' }],
    ['the answer is an error', { ...receive, kind: 'status', status: 502, effect: true }],
    ['the answer makes no sense', { ...receive, kind: 'not-json' }],
    ['the answer breaks off', { ...receive, kind: 'cut-body' }],
  ];
  // No answer at all, and one that begins.
  test.each(rows(faults, 2))('%s', async (_name, fault) => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const template = await world.project.head();
    const workspace = await world.copyDev();
    world.emulator.faults.add(fault);
    const result = await world.pushCommit(commit, { workspace, force });
    expect(result).toEqual({ kind: 'pushed', from: template, forced: true });
    expect(await world.project.head()).toBe(commit);
    expect(world.steps.filter(({ step }) => step === 'push')).toHaveLength(1);
  });
});

test('a slow service is waited for', async () => {
  await using world = await startGitWorld();
  const { first: commit } = world;
  world.emulator.faults.add({ operation: 'git', times: 99, kind: 'slow-body', durationMs: 200 });
  world.github.latency = 20;
  expect(await world.pushCommit(commit, { force })).toMatchObject({ kind: 'pushed' });
  expect(world.steps.filter(({ step }) => step === 'again')).toEqual([]);
});

describe.concurrent('in vain', () => {
  test('the project is looked at four times', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    world.emulator.faults.add({ operation: 'git', times: 99, kind: 'reset-before' });
    await expect(world.pushCommit(commit)).rejects.toMatchObject({
      trouble: { kind: 'project', fault: 'broken' },
      message: expect.stringMatching(/Could not connect to .* Cause: /),
    });
    const pauses = world.steps.flatMap((step) => (step.step === 'again' ? [step.pause] : []));
    expect(pauses).toEqual([750, 1500, 3000]);
    expect(await world.leftovers()).toEqual([]);
  });

  test('a branch that breaks while it is read is not told as one that was never reached', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const fetching = { operation: 'git', method: 'POST', path: /git-upload-pack$/ };
    world.emulator.faults.add({ ...fetching, kind: 'cut-body', bytes: 20, times: 99 });
    await expect(world.pushCommit(commit, { force })).rejects.toMatchObject({
      trouble: { kind: 'project', fault: 'cut-off' },
      message: expect.stringMatching(/broke while reading\. Rerun the job\./),
    });
  });

  test('the push is tried four times, and looked for once more', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const head = await world.project.head();
    const workspace = await world.copyDev();
    const cut = { kind: 'cut-request', bytes: 300 } as const;
    world.emulator.faults.add({ ...receive, ...cut, times: 99 });
    await expect(world.pushCommit(commit, { workspace, force })).rejects.toMatchObject({
      trouble: { kind: 'project', fault: 'cut-off', during: 'push' },
      message: expect.stringMatching(
        /^The connection to the project's repository broke during the push\. Rerun the job\./,
      ),
    });
    const told = world.steps.map(({ step }) => step);
    expect(told.filter((step) => step === 'push')).toHaveLength(4);
    expect(told.filter((step) => step === 'read-branch')).toHaveLength(5);
    expect(await world.project.head()).toBe(head);
  });

  test('a page answers that is no repository', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    world.emulator.faults.add({ operation: 'git', times: 99, kind: 'not-json' });
    await expect(world.pushCommit(commit)).rejects.toThrow(/is this a git repository/);
  });
});

describe.concurrent('GitHub', () => {
  test('is asked again after a pack that broke off', async () => {
    await using world = await startGitWorld();
    const commit = await world.push({ 'noise.txt': Math.random().toString(36).repeat(999) });
    // Which of git's requests brings the pack depends on its version; each of them is tried again.
    world.github.brokenPacks = [40, 40, 40];
    expect(await world.pushCommit(commit, { force })).toMatchObject({ kind: 'pushed' });
    expect(world.steps.filter(({ step }) => step === 'again').length).toBeGreaterThan(0);
    expect(world.github.brokenPacks).toEqual([]);
  });

  test.each(rows(['server-error', 'unavailable', 'reset'] as const, 1))(
    'is asked again in %s',
    async (trouble) => {
      await using world = await startGitWorld();
      const { first: commit } = world;
      let times = 2;
      world.github.trouble = () => {
        times -= 1;
        return times >= 0 ? trouble : undefined;
      };
      expect(await world.pushCommit(commit, { force })).toMatchObject({ kind: 'pushed' });
      expect(world.steps.filter(({ step }) => step === 'again').length).toBeGreaterThan(0);
    },
  );

  test('is given up after four tries', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    world.github.trouble = { git: 'unavailable' };
    await expect(world.pushCommit(commit)).rejects.toMatchObject({
      trouble: { kind: 'source', fault: 'busy', lack: 'nothing' },
      message: expect.stringMatching(
        /Could not fetch the commit from .* Rerun the job.*It returned 503/,
      ),
    });
    expect(githubRequests(world)).toHaveLength(4);
  });
});
