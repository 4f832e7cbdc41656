import { describe, expect, test } from 'vitest';
import { runAction } from '../../runner.ts';
import { append, expression, print, writeAction } from './write-action.ts';

describe('the post step', () => {
  test.each([
    ['no condition', undefined, 0, true],
    ['no condition, after a failure', undefined, 1, true],
    ['always()', 'always()', 1, true],
    ['success()', 'success()', 0, true],
    ['success(), after a failure', 'success()', 1, false],
    ['failure()', 'failure()', 0, false],
    ['failure(), after a failure', expression('failure()'), 1, true],
    ['!cancelled(), after a failure', '!cancelled()', 1, true],
    ['cancelled(), after a failure', 'cancelled()', 1, false],
  ])('%s', async (_name, postIf, exitCode, runs) => {
    await using action = await writeAction({
      main: `process.exitCode = ${exitCode};`,
      post: print('cleaned up'),
      ...(postIf === undefined ? {} : { 'post-if': postIf }),
    });
    const result = await runAction({ action: action.path });
    expect(result).toMatchObject({ exitCode, conclusion: exitCode === 0 ? 'success' : 'failure' });
    expect(result.post !== undefined).toBe(runs);
  });

  test('is left out on demand', async () => {
    await using action = await writeAction({ main: '', post: print('cleaned up') });
    expect(await runAction({ action: action.path, post: false })).not.toHaveProperty('post');
  });

  test('runs although the main script is missing', async () => {
    await using action = await writeAction({ post: print('cleaned up') });
    const result = await runAction({ action: action.path });
    expect(result).toMatchObject({ conclusion: 'failure', exitCode: null });
    expect(result.log.at(-1)).toMatch(/^Error: File not found: '.*main\.mjs'$/);
    expect(result.post?.log).toContain('cleaned up');
  });
});

describe('the pre step', () => {
  test('runs before the main step and hands its state on', async () => {
    await using action = await writeAction({
      pre: append('GITHUB_STATE', 'id=1\n'),
      main: "console.log('state ' + process.env.STATE_id);",
    });
    const result = await runAction({ action: action.path });
    expect(result.pre?.conclusion).toBe('success');
    expect(result.log).toContain('state 1');
  });

  test('keeps the main step from running if it fails, not the post step', async () => {
    await using action = await writeAction({
      pre: 'process.exitCode = 2;',
      main: print('main ran'),
      post: print('cleaned up'),
    });
    const result = await runAction({ action: action.path });
    expect(result).toMatchObject({ conclusion: 'failure', exitCode: 2 });
    expect(result.log).not.toContain('main ran');
    expect(result.post?.log).toContain('cleaned up');
  });
});
