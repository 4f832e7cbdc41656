import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sendTo } from './support.ts';

function start(...args: string[]) {
  return spawn(process.execPath, ['src/emulator/cli.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

// Windows has no signal that a child process can catch.
test.skipIf(process.platform === 'win32').for(['SIGINT', 'SIGTERM'] as const)(
  'prints what a user needs and stops on %s',
  async (signal) => {
    const child = start('--build-ms', '0');
    const exited = once(child, 'exit');
    const rows = new Map<string, string>();
    for await (const line of createInterface(child.stdout)) {
      const [, name, value] = /^ {2}(\w+ ?\w*) {2,}(\S+)$/.exec(line) ?? [];
      if (name && value) rows.set(name.trim(), value);
      if (line.startsWith('Press Ctrl+C')) break;
    }
    expect([...rows.keys()]).toEqual(['base URL', 'API key', 'project id', 'git URL', 'site']);
    const id = rows.get('project id');
    const headers = { 'x-api-key': rows.get('API key') ?? '' };
    const listed = await sendTo(rows.get('base URL') ?? '', 'GET', '/v1/projects', { headers });
    expect(listed.json).toMatchObject([{ projectId: id, name: 'sample' }]);
    expect(rows.get('git URL')).toContain(`/git/${id}.git`);
    expect(rows.get('site')).toContain(`//${id}.localhost:`);
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
  },
);

test.for([
  { name: 'a port that is no number', args: ['--port', 'high'], says: /--port must be/ },
  { name: 'a negative time', args: ['--build-ms=-1'], says: /--build-ms must be/ },
  { name: 'an unknown option', args: ['--prot', '1'], says: /--prot/ },
])('$name is refused with the usage', async ({ args, says }) => {
  const child = start(...args);
  const exited = once(child, 'exit');
  const complaint = await text(child.stderr);
  expect(await exited).toEqual([2, null]);
  expect(complaint).toMatch(says);
  expect(complaint).toContain('--build-ms <number>');
});

test('help is shown on request', async () => {
  const child = start('--help');
  const exited = once(child, 'exit');
  expect(await text(child.stdout)).toContain('--port <number>');
  expect(await exited).toEqual([0, null]);
});
