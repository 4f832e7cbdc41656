// Attack (command): A closed terminal (SIGHUP) or SIGQUIT leaves git running with the token, and its folder
// Defense: Each cancels the run, as SIGTERM does, from its start to its last file. Output that can't be written is
// dropped

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { git } from '../../emulator/git/git.ts';
import { type EmulatedProject, type Emulator, startEmulator } from '../../emulator/index.ts';
import { processesIn } from '../git/processes.ts';
import { bundled } from './site-deploy.ts';

const merged = ['--pull-request', 'none'];

/** The variables of a run that pushes. */
const access = (emulator: Emulator, project: EmulatedProject, temp: string) => ({
  PATH: process.env['PATH'] ?? '',
  RUNNER_TEMP: temp,
  SITE_API_KEY: emulator.key,
  SITE_BASE_URL: emulator.url,
  SITE_PROJECT_ID: project.id,
});

/** A clone, and an empty folder for temporary files. */
async function openClone(project: EmulatedProject) {
  const temporary = mkdtempDisposableSync(join(tmpdir(), 'hangup-'));
  const [folder, temp] = [join(temporary.path, 'clone'), join(temporary.path, 'temp')];
  mkdirSync(temp);
  await git(['clone', '--quiet', await project.gitFolder(), folder]);
  return { folder, temp, [Symbol.dispose]: () => temporary[Symbol.dispose]() };
}

/** The git server falls silent when git asks it for the branch. */
function silence({ faults, journal }: Emulator): Promise<unknown> {
  const path = /\/info\/refs$/;
  faults.add({ operation: 'git', path, kind: 'stall', effect: false });
  return journal.waitFor((entry) => path.test(entry.path));
}

const ended = async (child: ChildProcess): Promise<number | null> =>
  (await once(child, 'close'))[0];

describe.skipIf(process.platform === 'win32')('a signal (Windows has none)', () => {
  it.each(['SIGHUP', 'SIGQUIT', 'SIGTERM'] as const)(
    '%s leaves no git with a token, nor its folder, and is reported',
    async (signal) => {
      await using emulator = await startEmulator();
      const project = await emulator.world.createProject();
      using clone = await openClone(project);
      const args = ['deploy', '--git-url', project.gitUrl, '--outputs', 'out', ...merged];
      const silent = silence(emulator);
      const child = spawn(process.execPath, [await bundled(), ...args], {
        cwd: clone.folder,
        env: { ...access(emulator, project, clone.temp), SITE_GIT_TOKEN: 'not-a-real-token-0123' },
      });
      const printed = text(child.stdout);
      await silent;
      child.kill(signal);
      // The terminal may report its end more than once.
      child.kill(signal);
      expect(await ended(child)).toBe(130);
      expect(await printed).toMatch(/Canceled\..*\(SD9002\)/);
      expect(readFileSync(join(clone.folder, 'out'), 'utf8')).toContain(
        'SITE_OUT_OUTCOME=cancelled\n',
      );
      expect(readdirSync(clone.temp)).toEqual([]);
      if (process.platform === 'linux') expect(await processesIn(clone.temp)).toEqual([]);
    },
  );
});

// Util-linux's `script` gives a command a terminal.
const hasTerminals =
  process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

it.skipIf(!hasTerminals)(
  'a terminal that is closed ends the run as a cancel does (of util-linux)',
  async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using clone = await openClone(project);
    const flags = ['--git-url', project.gitUrl, '--outputs', 'out', '--report', 'report.md'];
    const run = [process.execPath, await bundled(), 'deploy', ...flags, ...merged].join(' ');
    const silent = silence(emulator);
    // Its end is the end of what it says here: its number, and then nothing.
    const terminal = spawn(
      'script',
      ['--quiet', '--command', `echo $$ >&3; exec ${run}`, '/dev/null'],
      {
        cwd: clone.folder,
        env: { ...access(emulator, project, clone.temp), TERM: 'xterm', SHELL: '/bin/sh' },
        stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      },
    );
    const said = terminal.stdio[3] as Readable;
    const [pid] = await once(said, 'data');
    await silent;
    terminal.kill('SIGKILL');
    // Linux sends it by itself; a sandbox may not.
    process.kill(Number(pid), 'SIGHUP');
    await once(said, 'end');
    expect(readFileSync(join(clone.folder, 'out'), 'utf8')).toContain(
      'SITE_OUT_OUTCOME=cancelled\n',
    );
    expect(readFileSync(join(clone.folder, 'report.md'), 'utf8')).toMatch(/Canceled/);
    expect(readdirSync(clone.temp)).toEqual([]);
    expect(await processesIn(clone.temp)).toEqual([]);
  },
);
