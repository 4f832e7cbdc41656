import { execFile } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { unpacked } from './run-step.ts';

const run = promisify(execFile);

it.skipIf(process.platform === 'win32')(
  'a pipe in place of the event is reported, and not waited for (Windows has none)',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'event-'));
    const pipe = join(folder.path, 'event.json');
    await run('mkfifo', [pipe]);
    const env = { PATH: process.env['PATH'], GITHUB_EVENT_PATH: pipe };
    const ran = run(process.execPath, [join(unpacked, 'dist/deploy.js')], { env, timeout: 60_000 });
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/GITHUB_EVENT_PATH: the event's payload is not a file.*SD1110/),
    });
  },
);
