// Measures what each stand-in of scripts/stand-ins/ buys: builds dist/ without it, starts all of these in turns, and
// prints until when a first request is there. `node bench/stand-ins.ts [--turns 200] [--asked
// service] [--asked gitHub] [name…]`, after a build.
import {
  cpSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { ProcessOptions, RunningProcess } from '../emulator/runner/process.ts';
import { startAction } from '../emulator/runner.ts';
import { bundle } from '../scripts/bundle.ts';
import { privateParts, standIns } from '../scripts/stand-ins/stand-ins.ts';
import { launchUnread } from './launch.ts';
import { openPlain } from './loopback.ts';
import { spread } from './measurement.ts';
import { processorTime } from './processor-time.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: given, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    turns: { type: 'string', default: '200' },
    asked: { type: 'string', multiple: true, default: ['service', 'gitHub'] },
  },
});
const turns = Number(given.turns);

/** What is left out of a build, by its name: stand-ins by what asks for them. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'node:http2': ['node:http2'],
  'llhttp, SIMD': ['../llhttp/llhttp_simd-wasm.js'],
  'llhttp, no SIMD': ['../llhttp/llhttp-wasm.js'],
  milo: ['../milo/simd.js', '../milo/no-simd.js'],
  forms: ['../web/fetch/body.js', '../web/fetch/formdata', '../web/webidl'],
  undici: ['undici'],
  '@actions/http-client': ['@actions/http-client', '@actions/http-client/lib/auth'],
};

/** The private paths are measured as one: with the whole of undici they all go. */
const byParts = "undici's private paths";
const control = 'nothing (control)';

/** What a stand-in reads. */
const bytesOf: Readonly<Record<string, readonly string[]>> = {
  './llhttp_simd-wasm.cjs': ['llhttp_simd.wasm'],
  './llhttp-wasm.cjs': ['llhttp.wasm.br'],
};

/** The files that the bundler writes. */
const ours = [...(await bundle('build/main.js', standIns)).keys()];

/** Writes a `dist/` into a folder that has these externals, and all else of ours. */
async function build(folder: string, externals: Readonly<Record<string, string>>): Promise<void> {
  const dist = join(folder, 'dist');
  cpSync(join(root, 'dist'), dist, { recursive: true });
  cpSync(join(root, 'action.yml'), join(folder, 'action.yml'));
  const files = await bundle('build/main.js', externals);
  for (const name of ours) rmSync(join(dist, name), { force: true });
  for (const [name, text] of files) writeFileSync(join(dist, name), text);
  // What stands in for nothing now weighs nothing either.
  const needed = Object.values(externals);
  const unused = Object.values(standIns).filter((file) => !needed.includes(file));
  for (const file of unused) {
    rmSync(join(dist, file), { force: true });
    for (const bytes of bytesOf[file] ?? []) rmSync(join(dist, bytes));
  }
}

/** Builds with the whole of undici in place of its parts. */
async function buildWhole(folder: string): Promise<void> {
  const files = Object.entries(privateParts).map(
    ([path, given], index) => [path, index, given] as const,
  );
  const instead = files.map(([path, index]) => [path, `./whole-${index}.cjs`]);
  await build(folder, { ...standIns, ...Object.fromEntries(instead) });
  for (const [, index, given] of files) {
    const code = `module.exports = require('./whole.cjs').${given};\n`;
    writeFileSync(join(folder, 'dist', `whole-${index}.cjs`), code);
  }
  const whole = await bundle('node_modules/undici/index.js', standIns);
  for (const [name, text] of whole) {
    writeFileSync(join(folder, 'dist', name === 'index.js' ? 'whole.cjs' : name), text);
  }
}

/** Who is asked first, and by what step. */
interface Scene {
  name: string;
  asked: 'service' | 'gitHub';
  event: { name: string; payload: Record<string, unknown> };
  inputs: Readonly<Record<string, string>>;
  builds: readonly string[];
}

interface Times {
  /** The processor's time of all threads, user's and system's, in milliseconds. */
  cpu: number;
  wall: number;
}

/** Starts the root's action from a folder, until its first request is there. */
async function timeToRequest(action: string, { asked, event, inputs }: Scene): Promise<Times> {
  // Servers of its own, so that no start before can ask in its place.
  await using service = await openPlain();
  await using gitHub = await openPlain();
  let pid = 0;
  let started = 0;
  const launch = (options: ProcessOptions): RunningProcess => {
    started = performance.now();
    const launched = launchUnread(options);
    pid = launched.pid;
    return launched;
  };
  await using step = startAction({
    action,
    inputs: { 'api-key': 'fake-key-of-the-bench', 'base-url': service.url, ...inputs },
    event,
    github: { apiUrl: gitHub.url, repository: 'octo-org/octo-site', token: 'fake-github-token' },
    post: false,
    launch,
  });
  const early = step.done.then(({ log }) => {
    throw new Error(`It ended without a request:\n${log.join('\n')}`);
  });
  const look = () => ({ wall: performance.now() - started, cpu: processorTime(pid) });
  const times = await Promise.race([(asked === 'service' ? service : gitHub).next(look), early]);
  early.catch(() => undefined);
  return times;
}

const median = (values: readonly number[]) => spread(values).median;
const ms = (value: number) => value.toFixed(1);
const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

/** How large a build is, packed as a download is, in bytes. */
function packed(folder: string): number {
  const dist = join(folder, 'dist');
  const texts = readdirSync(dist).map((name) => readFileSync(join(dist, name)));
  return gzipSync(Buffer.concat(texts)).length;
}

using temp = mkdtempDisposableSync(join(tmpdir(), 'stand-ins-'));
const folders = new Map<string, string>();
const folderOf = (name: string) => folders.get(name) ?? '';
const known = [control, ...Object.keys(groups), byParts];
const unknown = named.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`There is no ${unknown}: name some of ${known.join(', ')}`);
for (const name of ['all', ...(named.length > 0 ? named : known)]) {
  const folder = join(temp.path, String(folders.size));
  folders.set(name, folder);
  const left = groups[name] ?? [];
  const kept = Object.entries(standIns).filter(([module]) => !left.includes(module));
  await (name === byParts ? buildWhole(folder) : build(folder, Object.fromEntries(kept)));
}
const projectId = '00000000-0000-4000-8000-000000000001';
const sha = 'a'.repeat(40);
const repo = { full_name: 'octo-org/octo-site', fork: false };
const scenes: readonly Scene[] = [
  {
    name: 'a push, until the service is asked',
    asked: 'service',
    event: { name: 'push', payload: { ref: 'refs/heads/main', after: sha } },
    inputs: { 'project-id': projectId },
    builds: [...folders.keys()],
  },
  {
    name: 'a preview, until GitHub is asked',
    asked: 'gitHub',
    event: {
      name: 'pull_request',
      payload: {
        action: 'opened',
        number: 7,
        pull_request: {
          number: 7,
          state: 'open',
          head: { ref: 'topic', sha, repo },
          base: { ref: 'main', sha, repo },
        },
        repository: { ...repo, default_branch: 'main' },
      },
    },
    inputs: { 'project-id': projectId, 'preview-domain': 'pr-{number}.preview.example.com' },
    builds: ['all', control, 'undici', '@actions/http-client'],
  },
];
/** The medians of so many starts of two builds, which take turns: ABBA, so that neither always comes first. */
async function compare(scene: Scene, name: string): Promise<[without: Times, base: Times]> {
  const both = [name, 'all'].map((build) => ({ folder: folderOf(build), times: [] as Times[] }));
  // One turn that does not count: it fills the machine's caches.
  for (let turn = -1; turn < turns; turn += 1) {
    for (const { folder, times } of turn % 2 === 0 ? both : both.toReversed()) {
      const taken = await timeToRequest(folder, scene);
      if (turn >= 0) times.push(taken);
    }
  }
  const [without, base] = both.map(({ times }) => ({
    cpu: median(times.map(({ cpu }) => cpu)),
    wall: median(times.map(({ wall }) => wall)),
  }));
  return [without as Times, base as Times];
}

for (const scene of scenes.filter(({ asked }) => given.asked.includes(asked))) {
  const names = scene.builds.filter((name) => folders.has(name) && name !== 'all');
  console.log(`\n${scene.name}: medians of ${turns} starts of each, in ms\n`);
  console.log('| without | CPU | with | share | wall | with | share | packed |');
  console.log('| :-- | --: | --: | --: | --: | --: | --: | --: |');
  for (const name of names) {
    const [without, base] = await compare(scene, name);
    const cells = (['cpu', 'wall'] as const).flatMap((what) => [
      ms(without[what]),
      ms(base[what]),
      percent(without[what] / base[what] - 1),
    ]);
    const bytes = packed(folderOf(name)) - packed(folderOf('all'));
    console.log(`| ${name} | ${cells.join(' | ')} | ${(bytes / 1000).toFixed(1)} kB |`);
  }
}
