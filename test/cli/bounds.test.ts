// Attack (command): A pipe, a device or a huge file is read or written before the first request, and `timeout` doesn't
// end it (a secret's file, standard input, files of `.git`, the event, `--outputs`, `--report`)
// Defense: Pipes are opened without waiting. The wait for a secret counts toward `timeout`, 1 MiB at most; all other
// input must be a file of limited size; a pipe's reader has 10 s

import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempDisposableSync,
  openSync,
  readFileSync,
  readSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { givenInputs } from '../../src/cli/given.ts';
import * as command from '../../src/cli/site-deploy.ts';
import { writeFile } from '../../src/cli/written-files.ts';
import { diagnose } from '../../src/kernel/diagnostic.ts';
import { safe } from '../../src/kernel/text/safe.ts';
import { RunAborted } from '../../src/step/step.ts';
import { siteDeploy } from './site-deploy.ts';

const hasPipes = process.platform !== 'win32';
const key = 'not-a-real-key-0123456789';
const endless = new AbortController().signal;
const aborted = (outcome: 'timed-out' | 'cancelled') => {
  const text = outcome === 'cancelled' ? safe`Canceled.` : safe`Timed out after 1s (timeout).`;
  return AbortSignal.abort(new RunAborted(outcome, diagnose('SD9001', text)));
};

const merged = ['--pull-request', 'none'];
const explain = ['deploy', '--mode', 'explain', '--timeout', '1', ...merged];
const env = {
  SITE_BASE_URL: 'http://127.0.0.1:9',
  SITE_PROJECT_ID: '3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10',
};

/** A folder with a pipe that nobody writes to or reads from. */
function openFolder() {
  const temporary = mkdtempDisposableSync(join(tmpdir(), 'bounds-'));
  const pipe = join(temporary.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return { folder: temporary.path, pipe, [Symbol.dispose]: () => temporary[Symbol.dispose]() };
}

/** Reads a key from a file, or from standard input. */
const readKey = (file: string, stdin: PassThrough, signal: AbortSignal) =>
  givenInputs(
    'projects',
    { inputs: {}, files: { 'api-key': file } },
    { environment: {}, folder: '.', stdin, signal },
  );

describe.skipIf(!hasPipes)('the file of a secret (where there are pipes)', () => {
  it('is not waited for longer than the timeout', async () => {
    using place = openFolder();
    const args = [...explain, '--commit-sha', 'a'.repeat(40), '--api-key-file', 'pipe'];
    const ran = await siteDeploy(args, { env, folder: place.folder });
    expect(ran).toMatchObject({ status: 4, stdout: '' });
    expect(ran.stderr).toMatch(
      /--api-key-file: the file has no end: .* Timed out after 1s \(timeout\)/,
    );
  });

  it('nor after a cancel, and neither is standard input', async () => {
    using place = openFolder();
    for (const file of [place.pipe, '-']) {
      const reading = (signal: AbortSignal) => readKey(file, new PassThrough(), signal);
      await expect(reading(aborted('cancelled'))).rejects.toMatchObject({ outcome: 'cancelled' });
      await expect(reading(aborted('timed-out'))).rejects.toMatchObject({
        outcome: 'timed-out',
        message: expect.stringContaining('--api-key-file: '),
      });
    }
  });

  it('may be a pipe that is written later', async () => {
    using place = openFolder();
    const given = readKey(place.pipe, new PassThrough(), endless);
    execFileSync('sh', ['-c', `printf '${key}\\n' > "$1"`, 'sh', place.pipe]);
    expect(await given).toEqual({ 'api-key': key });
  });

  it.each([
    ['a device', '/dev/zero', /--api-key-file: the file is not a file or a pipe/],
    ['a folder', '/', /--api-key-file: the file is not a file or a pipe/],
  ])('is not %s', async (_, path, says) => {
    await expect(readKey(path, new PassThrough(), endless)).rejects.toThrow(says);
  });

  it('is not larger than a secret, nor is standard input', async () => {
    using place = openFolder();
    const file = join(place.folder, 'large');
    writeFileSync(file, '');
    truncateSync(file, 2 ** 31);
    const stdin = new PassThrough();
    stdin.end(Buffer.alloc(1024 * 1024 + 1, 'x'));
    for (const name of [file, '-']) {
      await expect(readKey(name, stdin, endless)).rejects.toThrow(/is larger than 1 MiB/);
    }
  });
});

describe.skipIf(!hasPipes)('a file that a run reads (where there are pipes)', () => {
  it.each([
    ['HEAD', '.git/HEAD', {}],
    ['the branch', '.git/refs/heads/main', { '.git/HEAD': 'ref: refs/heads/main\n' }],
    ['packed-refs', '.git/packed-refs', { '.git/HEAD': 'ref: refs/heads/main\n' }],
    ['the settings', '.git/config', { '.git/HEAD': 'a'.repeat(40) }],
    ['the name of a folder', '.git', {}],
  ])('of git, %s, is no pipe', async (_, path, files) => {
    using place = openFolder();
    mkdirSync(join(place.folder, 'checkout'));
    if (path !== '.git')
      mkdirSync(join(place.folder, 'checkout/.git/refs/heads'), { recursive: true });
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(place.folder, 'checkout', name), text);
    execFileSync('mkfifo', [join(place.folder, 'checkout', path)]);
    const ran = await siteDeploy(explain, { env, folder: join(place.folder, 'checkout') });
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain(`${path} is not a file: `);
  });

  it('of git is not larger than all references of the largest repositories', async () => {
    using place = openFolder();
    mkdirSync(join(place.folder, '.git'));
    writeFileSync(join(place.folder, '.git/HEAD'), 'ref: refs/heads/main\n');
    const file = join(place.folder, '.git/packed-refs');
    writeFileSync(file, '');
    truncateSync(file, 2 ** 31);
    const ran = await siteDeploy(explain, { env, folder: place.folder });
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stderr).toMatch(/packed-refs is larger than 128 MiB: /);
  });

  it.each([
    ['SITE_CONFIG', /SITE_CONFIG: .*is not a file.*SD2001/s],
    ['SITE_ENV_FILE', /SITE_ENV_FILE: .*is not a file/s],
  ])('by %s is no pipe', async (name, says) => {
    using place = openFolder();
    const args = [...explain, '--commit-sha', 'a'.repeat(40)];
    const ran = await siteDeploy(args, { env: { ...env, [name]: 'pipe' }, folder: place.folder });
    expect(ran.stdout).toMatch(says);
  });
});

describe.skipIf(!hasPipes)('a file that a run writes (where there are pipes)', () => {
  it.each(['outputs', 'report'])('may be a pipe, but needs a reader: --%s', async (flag) => {
    using place = openFolder();
    const args = [...explain, '--commit-sha', 'a'.repeat(40), `--${flag}`, 'pipe'];
    const unread = await siteDeploy(args, { env, folder: place.folder });
    expect(unread).toMatchObject({ status: 1 });
    expect(unread.stderr).toContain(
      `--${flag}: the file can't be written (ENXIO): no process reads this pipe`,
    );
    const reader = openSync(place.pipe, 'r+');
    expect(await siteDeploy(args, { env, folder: place.folder })).toMatchObject({ status: 0 });
    const read = Buffer.alloc(1000);
    readSync(reader, read);
    expect(read.toString()).toMatch(/deploy|SITE_OUT_/i);
    closeSync(reader);
  });

  it('is not waited for if its reader falls asleep', async () => {
    using place = openFolder();
    const reader = openSync(place.pipe, 'r+');
    const file = { flag: 'report', path: place.pipe } as const;
    const problem = await writeFile(file, place.folder, 'x', AbortSignal.abort());
    closeSync(reader);
    expect(problem).toMatch(/--report: .*its reader took too long/);
  });
});

it('files have the result before --json is written, whose reader may pause', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'bounds-'));
  const file = join(temporary.path, 'out');
  let seen = '';
  const stdout = new PassThrough();
  stdout.on('data', () => {
    seen = readFileSync(file, 'utf8');
  });
  const streams = { stdin: new PassThrough(), stdout, stderr: new PassThrough().resume() };
  const args = [...explain, '--commit-sha', 'a'.repeat(40), '--json', '--outputs', 'out'];
  const status = await command.siteDeploy(args, {
    environment: env,
    folder: temporary.path,
    isInContainer: false,
    emulator: () => Promise.reject(new Error('the emulator is not started here')),
    ...streams,
  });
  expect(status).toBe(0);
  expect(seen).toContain('SITE_OUT_OUTCOME=planned\n');
});
