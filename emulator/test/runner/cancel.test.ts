import { once } from 'node:events';
import { createServer } from 'node:net';
import { platform } from 'node:os';
import { describe, expect, test } from 'vitest';
import { startAction } from '../../runner.ts';
import { append, print, writeAction } from './write-action.ts';

const grace = { interruptMs: 20, terminateMs: 20 };
const shortInterrupt = { interruptMs: 20 };

/** A script that stays, and that on each of the signals says so and then does what is told. */
const stay = (reactions: Record<string, string>) =>
  [
    'setInterval(() => {}, 1000);',
    ...Object.entries(reactions).map(
      ([signal, reaction]) =>
        `process.on('${signal}', () => { console.log('got ${signal}'); ${reaction} });`,
    ),
    "console.log('ready');",
  ].join('\n');

const ready = (line: string) => line === 'ready';

if (platform() === 'win32') {
  process.stdout.write('Signals are not tested on Windows: Node cannot send them there.\n');
}

describe.skipIf(platform() === 'win32')('a cancelled step', () => {
  test.each([
    ['ends on SIGINT', { SIGINT: 'process.exit(0)' }, {}, ['got SIGINT'], 0, null],
    [
      'may take its time',
      { SIGINT: 'setTimeout(() => process.exit(0), 30)', SIGTERM: 'process.exit(3)' },
      {},
      ['got SIGINT'],
      0,
      null,
    ],
    [
      'ends on SIGTERM after the first grace period',
      { SIGINT: '', SIGTERM: 'process.exit(3)' },
      shortInterrupt,
      ['got SIGINT', 'got SIGTERM'],
      3,
      null,
    ],
    ['is killed after both', { SIGINT: '', SIGTERM: '' }, grace, [], null, 'SIGKILL'],
    ['ends by SIGINT if it has no handler', {}, {}, [], null, 'SIGINT'],
  ])('%s', async (_name, reactions, times, expected, exitCode, signal) => {
    await using action = await writeAction({ main: stay(reactions), post: print('cleaned up') });
    await using run = startAction({ action: action.path, grace: times });
    await run.waitForLine(ready);
    run.cancel();
    const result = await run.done;
    expect(result).toMatchObject({ conclusion: 'cancelled', exitCode, signal });
    expect(result.log).toEqual(expect.arrayContaining(expected));
    expect(result.log).toContain('Error: The operation was canceled.');
    expect(result.post?.log).toContain('cleaned up');
  });

  test('keeps what it wrote before', async () => {
    await using action = await writeAction({
      main: `${append('GITHUB_OUTPUT', 'outcome=cancelled\n')}\n${stay({})}`,
    });
    await using run = startAction({ action: action.path });
    await run.waitForLine(ready);
    run.cancel();
    expect((await run.done).outputs).toEqual({ outcome: 'cancelled' });
  });
});

describe('a killed step', () => {
  test('fails, and the post step gets the state that it saved', async () => {
    await using action = await writeAction({
      main: `${append('GITHUB_STATE', 'id=42\n')}\n${stay({})}`,
      post: "console.log('state ' + process.env.STATE_id);",
    });
    await using run = startAction({ action: action.path });
    await run.waitForLine(ready);
    run.kill();
    const result = await run.done;
    expect(result.conclusion).toBe('failure');
    expect(result.post?.log).toContain('state 42');
  });

  test('takes its children with it', async () => {
    await using server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const child = `require('node:net').connect(${address.port}, '127.0.0.1');`;
    await using action = await writeAction({
      main: `import { spawn } from 'node:child_process';
        spawn(process.execPath, ['--eval', ${JSON.stringify(child)}], { stdio: 'ignore' });
        ${stay({})}`,
    });
    await using run = startAction({ action: action.path });
    const [socket] = await once(server, 'connection');
    const closed = once(
      socket.resume().on('error', () => undefined),
      'close',
    );
    run.kill();
    await closed;
    expect((await run.done).conclusion).toBe('failure');
  });
});

test('waiting for a line that never comes is refused when the run ends', async () => {
  await using action = await writeAction({ main: print('something else') });
  await using run = startAction({ action: action.path });
  await expect(run.waitForLine((line) => line === 'never')).rejects.toThrow('something else');
});
