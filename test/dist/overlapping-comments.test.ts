// Attack (reports): An older run's comment replaces a newer run's
// Defense: The comment is read before and after each edit, and the run's number decides

import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { GitHubRequest } from '../../emulator/github/index.ts';
import { rows } from '../support/exhaustive.ts';
import {
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from './pull-request-world.ts';

/** The number of the older of two runs, after a first one. */
const older = 102;

/** The run that wrote the comment last. */
const writer = (world: PullRequestWorld) =>
  world.comments().map((body) => Number(/ run=(\d+) /.exec(body)?.[1]));

const isEnd = (body: string) => body.includes('7 is live');

/** Acts once, at the first request that is so. What it gives back can be waited for. */
function once(is: (request: GitHubRequest) => boolean, act: () => Promise<unknown>) {
  const { promise: done, resolve, reject } = Promise.withResolvers<unknown>();
  let isBegun = false;
  const hook = async (request: GitHubRequest) => {
    if (isBegun || !is(request)) return 0;
    isBegun = true;
    await act().then(resolve, reject);
    return 0;
  };
  return { hook, done };
}

describe("a newer run's words stay, although an older run", () => {
  /** Lets a run of a greater number begin and end. */
  const newer = async (world: PullRequestWorld) => {
    const { outputs } = await world.run('synchronize', { github: { runId: '103' } });
    expect(outputs['outcome']).toBe('succeeded');
  };
  const run = async (world: PullRequestWorld, runId = older) => {
    const { outputs } = await world.run('synchronize', { github: { runId: String(runId) } });
    expect(outputs['outcome']).toBe('succeeded');
  };

  it.each([
    ['comments', 'issues/list-comments'],
    ['user', 'users/get-authenticated'],
  ] as const)('is answered late when it asks for the %s', async (_, operation) => {
    await using world = await startPullRequest();
    await run(world, 101);
    const isAsked = ({ operationId }: GitHubRequest) => operationId === operation;
    const meanwhile = once(isAsked, () => newer(world));
    world.github.latency = meanwhile.hook;
    await Promise.all([run(world), meanwhile.done]);
    expect(writer(world)).toEqual([103]);
    expect(world.comments()[0]).toSatisfy(isEnd);
    expect(world.github.violations).toEqual([]);
  });

  it.each(rows(['last', 'first'], 1))(
    'is answered late when it reads the comment (%s words)',
    async (which) => {
      await using world = await startPullRequest();
      await run(world, 101);
      let reads = 0;
      const isRead = ({ operationId }: GitHubRequest) => {
        if (operationId === 'issues/get-comment') reads += 1;
        const [body = ''] = world.comments();
        return reads > 0 && (which === 'first' || body.includes(`run=${older} `));
      };
      const meanwhile = once(isRead, () => newer(world));
      world.github.on('issues/get-comment', meanwhile.hook);
      await Promise.all([run(world), meanwhile.done]);
      expect(writer(world)).toEqual([103]);
      expect(world.comments()[0]).toSatisfy(isEnd);
    },
  );

  it.each(rows(['lost-answer', 'empty-answer'] as const, 1))(
    'gets no good answer to its own words (%s), and looks again',
    async (trouble) => {
      await using world = await startPullRequest();
      await run(world, 101);
      let isLost = false;
      world.github.trouble = ({ operationId, body }) => {
        const isOurs = operationId === 'issues/update-comment' && isEnd(Object(body).body);
        if (isLost || !isOurs) return undefined;
        isLost = true;
        return trouble;
      };
      const isLook = () => isLost;
      const meanwhile = once(isLook, () => newer(world));
      world.github.on('issues/get-comment', meanwhile.hook);
      await Promise.all([run(world), meanwhile.done]);
      expect(writer(world)).toEqual([103]);
      expect(world.comments()[0]).toSatisfy(isEnd);
    },
  );

  it.each(['first', 'last'])(
    'has its %s words arrive after those of the newer one',
    async (which) => {
      await using world = await startPullRequest();
      await run(world, 101);
      const { github } = world;
      const held = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      const isWriting = ({ body }: GitHubRequest) => {
        const words = String(Object(body).body);
        return words.includes(`run=${older} `) && isEnd(words) === (which === 'last');
      };
      const holding = once(isWriting, () => {
        held.resolve();
        return ended.promise;
      });
      github.on('issues/update-comment', holding.hook);
      const isWritten = () => writer(world)[0] === 103 && isEnd(world.comments()[0] ?? '');
      const letGo = async () => {
        ended.resolve();
        while (writer(world)[0] !== older) await nextTurn();
      };
      github.on('issues/get-comment', once(isWritten, letGo).hook);
      // Its last words must not be on their way while the newer run looks: nothing could put that right.
      const over = Promise.withResolvers<void>();
      const until = () => over.promise;
      if (which === 'first') {
        world.emulator.faults.add({ operation: 'createDeployment', kind: 'hold', until });
      }
      const running = run(world);
      await held.promise;
      await newer(world);
      over.resolve();
      ended.resolve();
      await running;
      expect(writer(world)).toEqual([103]);
      expect(world.comments()[0]).toSatisfy(isEnd);
      expect(github.comments(repository, number)).toHaveLength(1);
    },
  );
});
