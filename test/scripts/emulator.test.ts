import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { sendTo } from '../../emulator/test/service/support.ts';
import { root } from '../../scripts/player/play.ts';
import { UsageError } from '../../scripts/player/usage-error.ts';
import { readContents } from '../../scripts/player/world-file.ts';
import { compiled } from '../support/places.ts';
import { commandsOf } from './page.ts';
import { play } from './play.ts';

const run = promisify(execFile);

/** Starts the emulator as `npm run emulator` does: with a channel by which it hears of the end of npm. */
const start = (args: readonly string[]) =>
  spawn(process.execPath, ['scripts/emulator.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    cwd: root,
    env: { ...process.env, INIT_CWD: root, NODE_COMPILE_CACHE: compiled },
  }) as ChildProcessByStdio<null, Readable, Readable>;

test('an option that is not known is not quoted: it may be a secret', async () => {
  for (const given of ['--sk_live_notARealKey', '-sk_live', 'sk_live_notARealKey']) {
    const child = start([given]);
    const [told] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(child.exitCode).toBe(2);
    expect(told).toContain('--page-port');
    expect(told).not.toMatch(/sk_live|notARealKey|'-s'/);
  }
});

/** What it printed until it was ready: rows by name (the first of each), and all lines. */
async function untilReady({ stdout }: ChildProcess) {
  const rows = new Map<string, string>();
  const lines: string[] = [];
  if (stdout === null) throw new Error('nothing is read');
  for await (const line of createInterface(stdout)) {
    lines.push(line);
    const [, name = '', value = ''] = /^ {2}(\w+(?: \w+)?) {2,}(\S+)$/.exec(line) ?? [];
    if (name !== '' && !rows.has(name)) rows.set(name, value);
    if (line.startsWith('Press Ctrl+C')) break;
  }
  return { rows, lines };
}

// Windows has no signal that a child process can catch.
test.skipIf(process.platform === 'win32')(
  'the command on the page prints what a user needs, what it prints works, and it stops on SIGINT (Windows has no signals)',
  async () => {
    const [command = []] = await commandsOf('emulator');
    const child = start(command);
    const exited = once(child, 'exit');
    const { rows, lines } = await untilReady(child);
    const names = ['base URL', 'API key', 'project id', 'git URL', 'site'];
    const gitHub = ['GITHUB_API_URL', 'GITHUB_SERVER_URL', 'token', 'repository'];
    expect([...rows.keys()]).toEqual([...names, ...gitHub]);
    const shownAs = (name: string) => rows.get(name) ?? '';
    const headers = { 'x-api-key': shownAs('API key') };
    const listed = await sendTo(shownAs('base URL'), 'GET', '/v1/projects', { headers });
    expect(listed.json).toMatchObject([{ name: 'blog' }, { name: 'shop' }]);
    const domains = await sendTo(shownAs('base URL'), 'GET', '/connected-domains', { headers });
    expect(JSON.stringify(domains.json)).toContain('www.example.com');

    await using folder = await mkdtempDisposable(join(tmpdir(), 'emulator-test-'));
    for (const name of ['git URL', 'repository']) {
      await run('git', ['clone', '--quiet', shownAs(name), join(folder.path, name)]);
      expect(await readdir(join(folder.path, name))).toContain('index.html');
    }
    expect(lines).toContainEqual(expect.stringContaining(`git clone ${shownAs('git URL')} `));
    const words = lines.find((line) => line.includes('npm run try -- '))?.split(' -- ')[1] ?? '';
    const played = await play(words.split(' '));
    expect(played.text).toContain('Conclusion: success');
    expect(played.text).not.toContain(shownAs('API key'));
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
  },
);

test.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'it outlives the shell that put npm run emulator in the background, and ends with that npm (%s; Windows has no signals)',
  async (signal) => {
    const script = 'npm run --silent emulator & echo "npm is $!"';
    const { npm_lifecycle_event: _, ...env } = process.env;
    const shell = spawn('sh', ['-c', script], {
      cwd: root,
      detached: true,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // Its end is heard by whoever reads what it prints.
    const ended = once(shell.stdout, 'close');
    const shellEnded = once(shell, 'exit');
    onTestFinished(() => {
      if (shell.pid !== undefined && !shell.stdout.closed) process.kill(-shell.pid, 'SIGKILL');
    });
    const { rows, lines } = await untilReady(shell);
    await shellEnded;
    const headers = { 'x-api-key': rows.get('API key') ?? '' };
    const listed = await sendTo(rows.get('base URL') ?? '', 'GET', '/v1/projects', { headers });
    expect(listed.status).toBe(200);
    const [, npm] = /^npm is (\d+)$/m.exec(lines.join('\n')) ?? [];
    process.kill(Number(npm), signal);
    shell.stdout.resume();
    await ended;
  },
);

// Windows has no signal that a child process can catch.
test.skipIf(process.platform === 'win32').each([[], ['--quiet']])(
  'it opens a page that shows its projects, and prints a line for each request, unless told not to (%j; Windows has no signals)',
  async (...args) => {
    const child = start(args);
    const exited = once(child, 'exit');
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async (start: string): Promise<string> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`no line with ${start}`);
        if (value.includes(start)) return value;
      }
    };
    const page = (await next('Watch it at ')).split(' at ')[1] ?? '';
    const [, service = ''] = /base URL +(\S+)/.exec(await next('base URL')) ?? [];
    const [, key = ''] = /API key +(\S+)/.exec(await next('API key')) ?? [];
    await next('Press Ctrl+C');
    expect(await (await fetch(page)).text()).toMatch(/<h3>site<\/h3>/);
    const opened = await fetch(service, { headers: { accept: 'text/html' } });
    expect(opened.url).toBe(page);
    await sendTo(service, 'GET', `/v1/projects`, { headers: { 'x-api-key': key } });
    const rest: string[] = [];
    if (args.length === 0) rest.push(await next('service'));
    child.kill('SIGINT');
    for (;;) {
      const { value, done } = await lines.next();
      if (done) break;
      rest.push(value);
    }
    expect(await exited).toEqual([0, null]);
    const printed = rest.filter((line) => line !== '');
    const line = /^[\d:]{8} {2}service {2}GET {4}200 +\d+ ms {2}\/v1\/projects$/;
    expect(printed).toEqual(args.length === 0 ? [expect.stringMatching(line)] : []);
    expect(printed.join()).not.toContain(key);
  },
);

test('what it cannot start with is one sentence and exit status 2, at once, also under npm', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'emulator-test-'));
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const wrong = join(folder.path, 'wrong.yml');
  const secrets = join(folder.path, 'wrong.env');
  await writeFile(wrong, 'projects: {}\nsite');
  await writeFile(secrets, 'A=1\nB');
  for (const args of [
    ['--repo', '../nope'],
    ['--repo', folder.path],
    ['--repo', wrong],
    ['--world', wrong],
    ['--secrets', 'nope.env'],
    ['--repo', root, '--secrets', secrets],
    ['--dialect', 'offers=pol'],
    ['--port', String(port)],
    ['--page-port', String(port)],
  ]) {
    const child = start(args);
    const [told, printed] = await Promise.all([
      text(child.stderr),
      text(child.stdout),
      once(child, 'close'),
    ]);
    expect(child.exitCode, told).toBe(2);
    expect(told.trim().split('\n'), args.join(' ')).toHaveLength(1);
    expect(printed).toBe('');
  }
}, 60_000);

test.skipIf(process.platform === 'win32')(
  'Ctrl-C ends it while it reads what it was given (Windows has no signals)',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'emulator-test-'));
    const pipe = join(folder.path, 'pipe');
    await run('mkfifo', [pipe]);
    const child = start(['--world', pipe]);
    const exited = once(child, 'exit');
    // It opens once the other end reads.
    const writer = await open(pipe, 'w');
    child.kill('SIGINT');
    expect(await exited).toEqual([null, 'SIGINT']);
    await writer.close();
  },
);

test.for([
  [['--prt', '1'], /^There is no option --prt; did you mean "port"\?$/m],
  [['--repo'], /^--repo lacks its value/m],
  [['words'], /An argument is not one of these(.|\n)*--build-ms <number>/],
] as const)('the arguments %s are refused', async ([args, expected]) => {
  const child = start([...args]);
  const exited = once(child, 'exit');
  const complaint = await text(child.stderr);
  expect(await exited).toEqual([2, null]);
  expect(complaint).toMatch(expected);
});

test.for([
  [
    'projects: { a: { variabels: {} } }',
    'line 1, column 18: unknown key "variabels"; did you mean "variables"?',
  ],
  [
    'projects: { a: }\nconected-domains: {}',
    'line 2, column 1: unknown key "conected-domains"; did you mean "connected-domains"?',
  ],
  [
    'projects: { shop: }\nconnected-domains: { a.com: shp }',
    'line 2, column 29: connected-domains › a.com: no project "shp" is listed under projects; did you mean "shop"?',
  ],
  [
    'projects: { a: }\nregistered-domains:\n  a.com: { dns: [{ type: A, content: x }] }',
    'line 3, column 18: registered-domains › a.com › dns › 0 › name: name is missing',
  ],
  ['projects: {}', 'line 1, column 11: projects: must list a project, such as `site: {}`'],
  ['', 'line 1, column 1: the file is empty: list projects in it'],
])('a world file with a mistake is refused with its line and key: %s', ([source, says]) => {
  expect(() => readContents(source ?? '', 'w.yml')).toThrow(new UsageError(`w.yml, ${says}`));
});

test.skipIf(process.platform === 'win32')(
  'it writes what the steps of a workflow need to reach it, as the one of CI does (Windows has no signals)',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'emulator-test-'));
    const file = join(folder.path, 'world');
    const tokens = ['--api-key', 'fake-a', '--git-token', 'fake-b', '--github-token', 'fake-c'];
    const child = start(['--write', file, ...tokens]);
    const exited = once(child, 'exit');
    const { rows } = await untilReady(child);
    expect(rows.get('token')).toBe('fake-c');
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const written = Object.fromEntries(lines.map((line) => line.split(/=(.*)/, 2)));
    child.kill('SIGINT');
    await exited;
    const ci = await readFile(join(root, '.github/workflows/ci.yml'), 'utf8');
    const taken = [...ci.matchAll(/steps\.world\.outputs\.([\w-]+)/g)].map(([, name = '']) => name);
    expect(new Set(taken).size).toBeGreaterThan(3);
    expect(Object.keys(written)).toEqual(expect.arrayContaining([...new Set(taken)]));
    expect(written).toMatchObject({
      'api-key': 'fake-a',
      'git-token': 'fake-b',
      'git-url': expect.stringMatching(/^http.*\{projectId\}\.git$/),
    });
  },
);
