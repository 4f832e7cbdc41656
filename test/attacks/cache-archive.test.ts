import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { type CacheServer, startCacheServer } from '../../src/emulator/cache/index.ts';
import { type EnvSyncWorld, startEnvSync, stored } from '../dist/env-sync-world.ts';

const run = promisify(execFile);
const variables = { A: 'fake value of a' };
const inputs = { 'env-ledger': 'cache' };

/** The most that one file may become, in bytes, whatever a shell counts in. */
const largestFile = 8 * 1024 * 1024;

/** A cache with a ledger in it, a service, and a tar of the test's own before the system's. */
interface CacheWorld extends AsyncDisposable {
  cache: CacheServer;
  world: EnvSyncWorld;
  /** What the step has in its environment. */
  env: Record<string, string>;
  /** Makes `tar` a script, which says this of its version: `$log` is a file to write to. */
  replaceTar(script: string, version?: string): Promise<void>;
  /** The lines that the script wrote so far. */
  logged(): Promise<string[]>;
}

async function startCacheWorld(): Promise<CacheWorld> {
  const cache = await startCacheServer();
  const world = await startEnvSync();
  const folder = await mkdtempDisposable(join(tmpdir(), 'tar-'));
  const log = join(folder.path, 'log');
  await writeFile(log, '');
  await world.run(variables, { inputs, env: cache.environment });
  return {
    cache,
    world,
    env: {
      ...cache.environment,
      PATH: [folder.path, process.env['PATH']].join(delimiter),
      LC_ALL: 'C.UTF-8',
    },
    replaceTar: async (script, version = 'tar (GNU tar) 1.34') => {
      const text = `#!/bin/sh\nlog=${log}\n[ "$1" = --version ] && echo '${version}' && exit\n${script}\n`;
      await writeFile(join(folder.path, 'tar'), text, { mode: 0o755 });
    },
    logged: async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await cache[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The system's tar, after which the script tells what it wrote. */
const watched = `PATH="\${PATH#*:}"; tar "$@"; end=$?
echo "size $(stat -c %s ledger 2>/dev/null)" >> $log
echo "limit $(ulimit -f)" >> $log
echo "locale $LC_ALL" >> $log
exit $end`;

/** A tar that never ends, and neither does what it has started. */
const endless = `sleep 1000000 & echo $! >> $log
echo $$ >> $log
wait`;

/** An archive with a ledger of so many zeros, which compress to almost nothing. */
async function packZeros(size: number): Promise<Buffer> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'zeros-'));
  await writeFile(join(folder.path, 'ledger'), '');
  await run('truncate', ['-s', String(size), join(folder.path, 'ledger')]);
  const archive = join(folder.path, 'archive');
  const zstd = ['--use-compress-program', 'zstd'];
  await run('tar', [...zstd, '-cf', archive, '-C', folder.path, 'ledger']);
  return await readFile(archive);
}

/** True while a process runs; one that has ended may wait to be noticed. */
async function isRunning(pid: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X');
  return !/^\) [XZ]/.test(status.slice(status.lastIndexOf(')')));
}

// Other systems have another tar, and no /proc.
describe.runIf(process.platform === 'linux').concurrent('an entry of the Actions cache', () => {
  it('that unpacks to more than a ledger can be is cut off', async () => {
    await using machine = await startCacheWorld();
    const { cache, world, env } = machine;
    await machine.replaceTar(watched);
    for (const entry of cache.entries) entry.archive = await packZeros(100_000_000);
    const { outputs, log } = await world.run(variables, { inputs, env });
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(log.join('\n')).toContain('could not be read from the Actions cache');
    const [size = '', limit, locale] = await machine.logged();
    expect(Number(size.replace('size ', ''))).toBeLessThanOrEqual(largestFile);
    expect(limit).toBe('limit 8192');
    expect(locale).toBe('locale C');
  });

  it('that is itself too large is not even downloaded to its end', async () => {
    await using machine = await startCacheWorld();
    const { cache, world, env } = machine;
    await machine.replaceTar(watched);
    for (const entry of cache.entries) entry.archive = randomBytes(2 * largestFile);
    const { outputs, log } = await world.run(variables, { inputs, env });
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(log.join('\n')).toContain('could not be read from the Actions cache');
    const sizes = (await machine.logged()).filter((line) => line.startsWith('size'));
    // The second is the archive that the step itself has made at its end.
    expect(sizes).toHaveLength(1);
  });

  it('whose unpacking never ends is left, with all that it started', async () => {
    await using machine = await startCacheWorld();
    await machine.replaceTar(endless);
    const plan = { ...inputs, mode: 'plan' };
    const { outputs } = await machine.world.run(variables, { inputs: plan, env: machine.env });
    expect(outputs).toMatchObject({ outcome: 'planned', error: '' });
    const pids = await machine.logged();
    expect(pids.length).toBeGreaterThanOrEqual(2);
    for (const pid of pids) expect(await isRunning(pid)).toBe(false);
  });

  it('leaves nothing that runs behind a step that is killed', async () => {
    await using machine = await startCacheWorld();
    await machine.replaceTar(endless);
    await using step = machine.world.start(variables, { inputs, env: machine.env });
    const pids = await vi.waitUntil(
      async () => {
        const logged = await machine.logged();
        return logged.length >= 2 && logged;
      },
      { timeout: 50_000 },
    );
    step.kill();
    await step.done;
    const areGone = async () => !(await Promise.all(pids.map(isRunning))).includes(true);
    await vi.waitUntil(areGone, { timeout: 50_000 });
  });

  it('is not unpacked by a tar that cannot be confined', async () => {
    await using machine = await startCacheWorld();
    const { world, env } = machine;
    await machine.replaceTar('echo called >> $log', 'bsdtar 3.7.2 - libarchive 3.7.2');
    const { outputs, log } = await world.run(variables, { inputs, env });
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(log.join('\n')).toContain('this system has no GNU tar');
    expect(await machine.logged()).toEqual([]);
    expect(stored(world.project)).toEqual(variables);
  });
});
