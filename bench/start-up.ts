import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmulatedProject, type Emulator, startEmulator } from '../emulator/index.ts';
import { startProcess } from '../emulator/runner/process.ts';
import { root, runStep } from '../test/dist/run-step.ts';
import { type Row, spread } from './measurement.ts';

const turns = 20;
const coldTurns = 5;
const run = promisify(execFile);

async function startNode(): Promise<number> {
  const started = performance.now();
  await run(process.execPath, ['--eval', '0']);
  return performance.now() - started;
}

/** A push that deleted a branch: there is nothing to deploy. Gives the milliseconds of main and of post. */
async function skip(emulator: Emulator, project: EmulatedProject) {
  const event = { name: 'push', payload: { after: '0'.repeat(40), deleted: true } };
  const options = { event, launch: startProcess };
  const { outputs, durationMs, post } = await runStep(emulator, project, options);
  assert.equal(outputs['skipped-reason'], 'branch-deleted');
  assert(post);
  return { main: durationMs, post: post.durationMs };
}

/** From the runner's first line, which it writes right before it starts the process, to the first request. */
async function reachService(
  emulator: Emulator,
  project: EmulatedProject,
  action = root,
): Promise<number> {
  emulator.journal.clear();
  let started: number | undefined;
  const onLine = () => {
    started ??= Date.now();
  };
  await runStep(emulator, project, {
    action,
    inputs: { deploy: 'false' },
    onLine,
    launch: startProcess,
  });
  const [first] = emulator.journal.entries;
  assert(first && started);
  return first.at - started;
}

/** Has the machine forget every file that it has read, where we may; false if we may not. */
const forgetFiles = (): Promise<boolean> =>
  run('sync')
    .then(() => writeFile('/proc/sys/vm/drop_caches', '1'))
    .then(
      () => true,
      () => false,
    );

/** Has the machine forget a copy of the action that was only just written, and never read. */
async function forgetCopy(folder: string): Promise<void> {
  await run('sh', [
    '-c',
    'find "$1" -type f -exec sh -c \'for f; do dd if=/dev/null of="$f" bs=1 conv=notrunc,fsync oflag=nocache; done\' sh {} +',
    'sh',
    folder,
  ]);
}

/** From nothing that was read before: Node itself and to the first request, in milliseconds. */
async function takeColdTurn(emulator: Emulator, project: EmulatedProject): Promise<Turn> {
  await using copy = await mkdtempDisposable(join(tmpdir(), 'site-cold-'));
  for (const name of ['action.yml', 'dist']) {
    await cp(join(root, name), join(copy.path, name), { recursive: true });
  }
  await forgetCopy(copy.path);
  await forgetFiles();
  const node = await startNode();
  await forgetFiles();
  return { node, cold: await reachService(emulator, project, copy.path) };
}

/** What was measured right after each other, in milliseconds: Node itself, and what is compared with it. */
type Turn = Readonly<Record<string, number>> & { node: number };

/** What took so long, as a multiple of what Node itself took in the same turn. */
function rowOf(name: string, what: string, all: readonly Turn[]): Row {
  const times = all.map((turn) => turn[what] ?? Number.NaN);
  const samples = all.map(({ node }, index) => ({ value: (times[index] ?? Number.NaN) / node }));
  return { name: `${name}: ${spread(times).median.toFixed(0)} ms`, unit: '×', samples };
}

const nodeRow = (name: string, all: readonly Turn[]): Row => ({
  name,
  unit: 'ms',
  samples: all.map(({ node }) => ({ value: node })),
});

/** How long `dist/` takes before it is of use, as a multiple of what Node takes to run an empty script. */
export async function* startUp(): AsyncGenerator<Row> {
  await using emulator = await startEmulator();
  const project = await emulator.world.createProject();
  const takeTurn = async (): Promise<Turn> => {
    const node = await startNode();
    const reach = await reachService(emulator, project);
    return { node, reach, ...(await skip(emulator, project)) };
  };
  // One turn that does not count: it fills the machine's caches.
  await takeTurn();
  const warm: Turn[] = [];
  for (let turn = 0; turn < turns; turn += 1) warm.push(await takeTurn());
  yield nodeRow('Node itself, with an empty script', warm);
  yield rowOf('a deploy, to the first request', 'reach', warm);
  yield rowOf('a skipped run, the main step', 'main', warm);
  yield rowOf('a skipped run, the post step', 'post', warm);
  const isAllCold = await forgetFiles();
  const cold: Turn[] = [];
  for (let turn = 0; turn < coldTurns; turn += 1) cold.push(await takeColdTurn(emulator, project));
  const how = isAllCold ? 'no file in memory' : 'a copy that was never read';
  yield nodeRow(`Node itself, ${isAllCold ? how : 'its files in memory'}`, cold);
  yield rowOf(`a deploy, to the first request, ${how}`, 'cold', cold);
}
