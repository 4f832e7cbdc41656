import { expect, test } from 'vitest';
import { inScope, type Scope } from './scope.ts';

const never = new AbortController().signal;

/** Rejects once the signal aborts. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const fails = (message: string) => () => Promise.reject(new Error(message));

test.each<[string, (scope: Scope) => Promise<unknown>, string]>([
  ['the work alone', fails('work'), 'work'],
  [
    'a part, which ends the work',
    async (scope) => {
      void scope.start(fails('part'));
      await scope.until(new Promise(() => undefined));
    },
    'part',
  ],
  [
    'a part and then the work',
    async (scope) => {
      await scope.start(fails('part')).catch(() => undefined);
      throw new Error('work');
    },
    'part',
  ],
  [
    'the work and then a guard',
    async (scope) => {
      scope.endsWith(untilAborted(scope.signal).catch(fails('guard')));
      throw new Error('work');
    },
    'guard',
  ],
  [
    'a guard and then the work',
    async (scope) => {
      scope.endsWith(Promise.reject(new Error('guard')));
      await untilAborted(scope.signal);
    },
    'guard',
  ],
])('of failures, that counts which %s', async (_, work, message) => {
  await expect(inScope(never, work)).rejects.toThrow(message);
});

test('work that returns is waited for by its guards, whose failure wins', async () => {
  const work = async (scope: Scope) => {
    scope.endsWith(Promise.resolve().then(fails('guard')));
    return 'done';
  };
  await expect(inScope(never, work)).rejects.toThrow('guard');
});

test('an end that is known counts, although the run was aborted in the same turn', async () => {
  const run = new AbortController();
  const result = await inScope(run.signal, async (scope) => {
    run.abort(new Error('canceled'));
    return await scope.until(Promise.resolve('known'));
  });
  expect(result).toBe('known');
});

test('something that never ends is left once the run is aborted', async () => {
  const run = new AbortController();
  const waiting = inScope(run.signal, (scope) => scope.until(new Promise(() => undefined)));
  run.abort(new Error('canceled'));
  await expect(waiting).rejects.toThrow('canceled');
});

test('no part outlives the scope', async () => {
  let hasEnded = false;
  const result = await inScope(never, async (scope) => {
    void scope.start(async (signal) => {
      await untilAborted(signal).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      hasEnded = true;
    });
    return 'done';
  });
  expect([result, hasEnded]).toEqual(['done', true]);
});
