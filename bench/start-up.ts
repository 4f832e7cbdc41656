import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type EmulatedProject, type Emulator, startEmulator } from '../src/emulator/index.ts';
import { runStep } from '../test/dist/run-step.ts';
import type { Row, Sample } from './measurement.ts';

const runs = 20;
const dist = fileURLToPath(new URL('../dist', import.meta.url));

async function startNode(): Promise<number> {
  const started = performance.now();
  await promisify(execFile)(process.execPath, ['--eval', '0']);
  return performance.now() - started;
}

/** A push that deleted a branch: there is nothing to deploy. Gives the milliseconds of main and of post. */
async function skip(emulator: Emulator, project: EmulatedProject) {
  const event = { name: 'push', payload: { after: '0'.repeat(40), deleted: true } };
  const { outputs, durationMs, post } = await runStep(emulator, project, { event });
  assert.equal(outputs['skipped-reason'], 'branch-deleted');
  assert(post);
  return { main: durationMs, post: post.durationMs };
}

/** From the runner's first line, which it writes right before it starts the process, to the first request. */
async function reachService(emulator: Emulator, project: EmulatedProject): Promise<number> {
  emulator.journal.clear();
  let started: number | undefined;
  const onLine = () => {
    started ??= Date.now();
  };
  await runStep(emulator, project, { inputs: { deploy: 'false' }, onLine });
  const [first] = emulator.journal.entries;
  assert(first && started);
  return first.at - started;
}

/** Measures so many times, after one time that does not count: it fills the machine's caches. */
async function repeat<T>(measure: () => Promise<T>): Promise<T[]> {
  await measure();
  const results: T[] = [];
  for (let run = 0; run < runs; run += 1) results.push(await measure());
  return results;
}

const samples = (values: readonly number[]): Sample[] => values.map((value) => ({ value }));

async function kilobytes(files: readonly string[]): Promise<Sample[]> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, file))).size));
  return [{ value: sizes.reduce((sum, size) => sum + size, 0) / 1000 }];
}

/** How long `dist/` takes before it is of use, and how large it is. */
export async function* startUp(): AsyncGenerator<Row> {
  await using emulator = await startEmulator();
  const project = await emulator.world.createProject();
  const alone = await repeat(startNode);
  yield { name: 'Node itself, with an empty script', unit: 'ms', samples: samples(alone) };
  const skipped = await repeat(() => skip(emulator, project));
  const mains = skipped.map(({ main }) => main);
  yield { name: 'a skipped run: the main step', unit: 'ms', samples: samples(mains) };
  const posts = skipped.map(({ post }) => post);
  yield { name: 'a skipped run: the post step', unit: 'ms', samples: samples(posts) };
  const reached = await repeat(() => reachService(emulator, project));
  yield { name: 'a deploy: to the first request', unit: 'ms', samples: samples(reached) };
  const files = await readdir(dist);
  yield { name: 'dist/, all of it', unit: 'kB', samples: await kilobytes(files) };
  const loaded = await kilobytes(['deploy.js', 'index.js']);
  yield { name: 'dist/, what each step loads first', unit: 'kB', samples: loaded };
}
