import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmulatedProject } from '../emulator/index.ts';
import { processesIn } from '../test/git/processes.ts';
import { address, type GitWorld, startGitWorld } from '../test/git/support.ts';
import { addHistory } from './git-history.ts';
import type { Row, Sample } from './measurement.ts';

const rounds = 3;

/** How often the memory of git's processes is looked at, in milliseconds. */
const interval = 25;

/** The memory of git's processes together, in megabytes. */
interface Memory {
  /** With the packs that they map, which the system can take back; what they share counts once. */
  all: number;
  /** What is theirs alone. */
  own: number;
}

/** What one push took, of memory the most that was seen. */
interface Taken extends Memory {
  milliseconds: number;
}

async function memoryOf(pid: number): Promise<Memory> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const read = (name: string) => {
    const [, kibibytes = 0] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text) ?? [];
    return (Number(kibibytes) * 1024) / 1e6;
  };
  return { all: read('Pss'), own: read('Pss_Anon') };
}

/** Looks at the memory until the work has ended, and gives the peaks. Only Linux tells it. */
async function watchMemory(folder: string, work: Promise<unknown>): Promise<Memory> {
  const peak: Memory = { all: 0, own: 0 };
  let isOver = process.platform !== 'linux';
  const ended = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const seen = await Promise.all((await processesIn(folder)).map(({ pid }) => memoryOf(pid)));
    for (const kind of ['all', 'own'] as const) {
      const sum = seen.reduce((total, memory) => total + memory[kind], 0);
      peak[kind] = Math.max(peak[kind], sum);
    }
    await Promise.race([delay(interval), ended]);
  }
  await ended;
  return peak;
}

/** Pushes a commit to a project, and checks that it is there. */
async function pushTimed(
  world: GitWorld,
  project: EmulatedProject,
  commit: string,
  { workspace, force }: { workspace: string; force: 'always' | 'never' },
): Promise<Taken> {
  const to = { address: address(project.gitAddress) };
  const started = performance.now();
  const work = world.pushCommit(commit, { workspace, force, project: to });
  const timed = work.then(() => performance.now() - started);
  const memory = await watchMemory(world.temp, work);
  assert.equal((await work).kind, 'pushed');
  assert.equal(await project.head(), commit);
  return { milliseconds: await timed, ...memory };
}

function* rowsOf(name: string, taken: readonly Taken[]): Generator<Row> {
  const samples = (values: number[]): Sample[] => values.map((value) => ({ value }));
  yield { name, unit: 'ms', samples: samples(taken.map(({ milliseconds }) => milliseconds)) };
  if (process.platform !== 'linux') return;
  const all = samples(taken.map((one) => one.all));
  yield { name: `${name}: git's memory`, unit: 'MB', samples: all };
  const own = samples(taken.map((one) => one.own));
  yield { name: `${name}: without mapped packs`, unit: 'MB', samples: own };
}

/** How long a large repository takes to get to a project, at first and with one more commit. */
export async function* pushing(): AsyncGenerator<Row> {
  await using world = await startGitWorld();
  await addHistory(world.dev.folder);
  await world.dev.git('reset', '--quiet', '--hard');
  await world.dev.git('push', '--quiet', 'origin', 'main');
  const first = await world.dev.git('rev-parse', 'main');
  const second = await world.push({ 'index.html': 'one more' });
  const third = await world.push({ 'index.html': 'and one that continues it' });
  const checkout = await world.checkOut('--no-checkout');
  for (const [source, workspace] of [
    ['with a checkout', checkout],
    ['without a checkout', ''],
  ] as const) {
    const whole: Taken[] = [];
    const more: Taken[] = [];
    const judged: Taken[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const project = await world.emulator.world.createProject();
      whole.push(await pushTimed(world, project, first, { workspace, force: 'always' }));
      more.push(await pushTimed(world, project, second, { workspace, force: 'always' }));
      judged.push(await pushTimed(world, project, third, { workspace, force: 'never' }));
    }
    yield* rowsOf(`${source}, the first push`, whole);
    yield* rowsOf(`${source}, one more commit`, more);
    yield* rowsOf(`${source}, one more, judged by the history`, judged);
  }
}
