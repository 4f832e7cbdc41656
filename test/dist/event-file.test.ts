import { execFile } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { unpacked } from './run-step.ts';

const run = promisify(execFile);

it.skipIf(process.platform === 'win32').each([
  ['a pipe', 'mkfifo'],
  ['a huge file', 'truncate', '--size=1G'],
])(
  '%s in place of the event is reported, and not read (Windows has no pipes)',
  async (_, command, ...options) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'event-'));
    const file = join(folder.path, 'event.json');
    await run(command, [...options, file]);
    const env = { PATH: process.env['PATH'], GITHUB_EVENT_PATH: file };
    const ran = run(process.execPath, [join(unpacked, 'dist/deploy.js')], { env, timeout: 60_000 });
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /GITHUB_EVENT_PATH: the event's payload is not a file of at most 64 MiB.*SD1110/,
      ),
    });
  },
);
