// Attack (git): A canceled run leaves git running
// Defense: The whole process group is killed, and its end is checked

import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { processesIn } from './processes.ts';
import { type GitWorld, projectRequests, startGitWorld } from './support.ts';

// The processes and their arguments are read in /proc, which only Linux has.
const isLinux = process.platform === 'linux';
const stall = { operation: 'git', method: 'POST', kind: 'stall', effect: false } as const;

/** More than connections buffer, so that a push of it is in its middle while nobody reads. */
const large = () => Array.from({ length: 300_000 }, () => Math.random().toString(36)).join('');

/** Has the other side fall silent at a moment. Resolves when that is reached. */
type Silence = (world: GitWorld) => Promise<unknown>;

/** The project falls silent when it is asked for a service. */
const projectSilent =
  (service: string): Silence =>
  ({ emulator }) => {
    emulator.faults.add({ ...stall, path: new RegExp(`/${service}$`) });
    return emulator.journal.waitFor(
      ({ method, path }) => method === 'POST' && path.endsWith(service),
    );
  };

const githubSilent: Silence = ({ github }) => {
  const reached = Promise.withResolvers<void>();
  github.onGit = ({ method }) => {
    if (method !== 'POST') return undefined;
    reached.resolve();
    return new Promise(() => undefined);
  };
  return reached.promise;
};

describe.skipIf(!isLinux)(
  'an abort ends git and all that it started (seen in /proc, so on Linux)',
  () => {
    test.each<[string, Silence, Record<string, string>?]>([
      ['the look', projectSilent('git-upload-pack')],
      ['the fetch from GitHub', githubSilent],
      ['the middle of the push', projectSilent('git-receive-pack'), { 'large.txt': large() }],
    ])('in %s', async (_name, fallSilent, files) => {
      await using world = await startGitWorld();
      const { pushCommit, first, leftovers, project, push, temp } = world;
      const commit = files === undefined ? first : await push(files);
      const head = await project.head();
      const controller = new AbortController();
      const silent = fallSilent(world);
      const result = pushCommit(commit, { force: 'always', signal: controller.signal });
      const ended = expect(result).rejects.toThrow('The run was cancelled.');
      await silent;
      const working = await processesIn(temp);
      expect(working.some(({ args }) => args.includes('git-remote-http'))).toBe(true);
      controller.abort(new Error('The run was cancelled.'));
      await ended;
      expect(await processesIn(temp)).toEqual([]);
      expect(await leftovers()).toEqual([]);
      expect(await project.head()).toBe(head);
    });
  },
);

test('an abort in a pause ends it', async () => {
  await using world = await startGitWorld();
  const { first: commit } = world;
  const controller = new AbortController();
  const { emulator, leftovers, steps } = world;
  emulator.faults.add({ operation: 'git', kind: 'status', status: 503, effect: false });
  const sleep = async (_milliseconds: number, signal: AbortSignal) => {
    controller.abort(new Error('The run was cancelled.'));
    signal.throwIfAborted();
  };
  const result = world.pushCommit(commit, { signal: controller.signal, clock: { sleep } });
  await expect(result).rejects.toThrow('The run was cancelled.');
  expect(steps.map(({ step }) => step)).toEqual(['read-branch', 'again']);
  expect(await leftovers()).toEqual([]);
});

test('after an abort nothing is begun', async () => {
  await using world = await startGitWorld();
  const { first: commit } = world;
  const signal = AbortSignal.abort(new Error('The run was cancelled.'));
  await expect(world.pushCommit(commit, { signal })).rejects.toThrow('The run was cancelled.');
  expect(projectRequests(world)).toEqual([]);
  expect(await world.leftovers()).toEqual([]);
});
