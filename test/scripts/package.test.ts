import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siteDeployProcess } from '../cli/site-deploy.ts';
import { processesIn } from '../git/processes.ts';
import { root } from '../support/places.ts';

const run = promisify(execFile);
const isWindows = process.platform === 'win32';

/** Runs npm, which is a script of its own on Windows. */
const npm = (folder: string, ...args: string[]) =>
  run('npm', args, { cwd: folder, shell: isWindows, maxBuffer: 2 ** 26 });

const folder = mkdtempSync(join(tmpdir(), 'package-'));
const installed = join(folder, 'node_modules/site-deploy');
const script = join(installed, 'bin.cjs');
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

let files: string[] = [];

// As a person has it: packed, and installed into an empty folder without a connection.
beforeAll(async () => {
  const packed = await npm(join(root, 'npm'), 'pack', '--json', '--pack-destination', folder);
  const [{ filename, files: listed }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
  files = listed.map(({ path }: { path: string }) => path);
  await npm(folder, 'init', '--yes');
  await npm(folder, 'install', '--offline', '--ignore-scripts', `./${filename}`);
}, 180_000);

/** Starts the emulator of the package, and reads its addresses and keys as variables of the command line. */
async function startEmulator() {
  const outputs = join(folder, 'emulator.txt');
  rmSync(outputs, { force: true });
  const args = [script, 'emulator', '--write', outputs, '--build-ms', '300', '--quiet'];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) if (line.startsWith('Press Ctrl+C')) break;
  const given = readFileSync(outputs, 'utf8').trim().split('\n');
  const env = given.map((line) => {
    const at = line.indexOf('=');
    return [`SITE_${line.slice(0, at).replaceAll('-', '_').toUpperCase()}`, line.slice(at + 1)];
  });
  return {
    env: Object.fromEntries(env) as Record<string, string>,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'close');
      child.kill();
      await ended;
    },
  };
}

const token = 'not-a-real-token-0123456789';

describe('the package', () => {
  it('holds its bin, the bundle, what the emulator serves, licences and its page', () => {
    const others = files.filter((path) => !path.startsWith('lib/code/'));
    expect(others.toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'bin.cjs',
      'lib/examples/site/404.html',
      'lib/examples/site/index.html',
      'lib/examples/site/style.css',
      'licenses.txt',
      'package.json',
    ]);
    expect(files).toContain('lib/code/main.js');
    expect(readFileSync(join(installed, 'licenses.txt'), 'utf8')).toMatch(/^undici /m);
  });

  it('needs no other package, and no script to install it', () => {
    expect(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ).toEqual(['site-deploy']);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(Object.keys(manifest.scripts)).toEqual(['prepack']);
    expect(manifest.engines).toEqual({ node: '>=24' });
  });

  it('tells an older Node in a sentence which one it needs', async () => {
    const probe = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });";
    const probing = ['--import', `data:text/javascript,${encodeURIComponent(probe)}`];
    await expect(run(process.execPath, [...probing, script, 'deploy'])).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'site-deploy needs Node 24 or newer, but this is Node 20.20.2.\n',
    });
  });

  it('tells in a sentence how a clone builds it', async () => {
    const bare = join(folder, 'bin.cjs');
    copyFileSync(join(root, 'npm/bin.cjs'), bare);
    await expect(run(process.execPath, [bare, 'deploy'])).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'site-deploy is not built: in this clone, run npm ci, then npm pack in npm/.\n',
    });
  });

  it('syncs, pushes and deploys, and applies domains, with its own emulator', async () => {
    await using emulator = await startEmulator();
    const { SITE_VERIFY_URL: _page, ...env } = emulator.env;
    const {
      SITE_GIT_URL: gitUrl = '',
      SITE_PROJECT_ID: id = '',
      SITE_GIT_TOKEN: gitToken = '',
    } = env;
    const { SITE_API_KEY: key = '' } = env;
    const site = join(folder, 'site');
    const address = gitUrl.replace('{projectId}', id).replace('//', `//git:${gitToken}@`);
    await run('git', ['clone', '--quiet', address, site]);
    await run('git', ['remote', 'set-url', 'origin', 'https://example.com/octo/site.git'], {
      cwd: site,
    });
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
    await run('git', [...author, 'commit', '--quiet', '--allow-empty', '-m', 'Change'], {
      cwd: site,
    });
    const { stdout: commit } = await run('git', ['rev-parse', 'HEAD'], { cwd: site });
    const options = { script, folder: site, env: { ...env, API_TOKEN: token } as typeof env };
    const merged = ['--pull-request', 'none'];
    // All processes of the command while it runs, as others on the machine see them.
    const seen = new Set<string>();
    let isRunning = true;
    const watching = (async () => {
      while (isRunning && process.platform === 'linux') {
        for (const { args } of await processesIn(folder)) seen.add(args);
        for (const { args } of await processesIn(tmpdir())) seen.add(args);
      }
    })();
    const deployed = await siteDeployProcess(
      ['deploy', '--env-from', 'API_TOKEN', '--json', ...merged],
      options,
    );
    isRunning = false;
    await watching;
    expect(deployed).toMatchObject({ status: 0 });
    expect(JSON.parse(deployed.stdout)).toMatchObject({
      outcome: 'succeeded',
      pushed: true,
      'commit-sha': commit.trim(),
    });
    const { SITE_GIT_URL: _url, SITE_GIT_TOKEN: _token, ...alone } = options.env;
    const more = { ...options, env: alone };
    const synced = await siteDeployProcess(['env-sync', '--env', 'A=b', '--json', ...merged], more);
    expect(JSON.parse(synced.stdout)).toMatchObject({ outcome: 'synced' });
    const args = ['domains', '--check', 'a-new-site.com', '--json', ...merged];
    const domains = await siteDeployProcess(args, more);
    expect(JSON.parse(domains.stdout)).toMatchObject({ outcome: 'synced' });
    if (process.platform === 'linux') expect(seen.size).toBeGreaterThan(2);
    const shown = [...seen, deployed.stdout, deployed.stderr, synced.stdout, synced.stderr].join(
      '\n',
    );
    for (const secret of [key, gitToken, token]) expect(shown).not.toContain(secret);
  });
});
