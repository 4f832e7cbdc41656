import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/actions/post/journal.ts';
import { unsafeText } from '../../src/kernel/text/safe.ts';
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

/** Runs the post step of a step that ended with an unexpected error. */
async function runPost(state: Record<string, string>): Promise<string> {
  const env = { PATH: process.env['PATH'], STATE_reported: 'broken', ...state };
  return (await run(process.execPath, [join(unpacked, 'dist/post.js')], { env })).stdout;
}

it('a step that ends so before it begins anything leaves nothing to its post step', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'state-'));
  const file = join(folder.path, 'state');
  await writeFile(file, '');
  const env = { PATH: process.env['PATH'], GITHUB_EVENT_PATH: folder.path, GITHUB_STATE: file };
  await expect(
    run(process.execPath, [join(unpacked, 'dist/deploy.js')], { env }),
  ).rejects.toThrow();
  expect(await readFile(file, 'utf8')).toMatch(/^reported<<(.*)\nbroken\n\1\n$/);
  expect(await runPost({})).toBe('');
});

it('a step that ends so later has its post step say what is left', async () => {
  let journal = '';
  const plan = { runUrl: '', subject: { name: unsafeText('Site') }, commit: 'HEAD' as const };
  const found = {
    release: { stage: 'requested' as const, deployment: { id: unsafeText('deployment-1') } },
  };
  const save = (_name: string, value: string) => {
    journal = value;
  };
  openJournal(save, { job: 'deploy', plan, found });
  const log = await runPost({ STATE_journal: journal });
  expect(log).toMatch(
    /The step ended with an unexpected error before it could report\. Deployment deployment-1 was accepted and may still go live.*\(SD9003\)/,
  );
});
