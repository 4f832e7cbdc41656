import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DialectOptions, startEmulator } from '../emulator/index.ts';
import { runAction } from '../emulator/runner.ts';
import { root } from '../test/dist/run-step.ts';
import type { Row, Sample } from './measurement.ts';

const rounds = 5;

/** What the whole process may take at its peak, in megabytes of a million bytes. */
const bound = 150;

/** How much a turn says, in bytes. */
const said = 50_000_000;
const probe = new URL('peak-memory.mjs', import.meta.url).href;

/** Text in lines of a hundred characters, in events of so many bytes. */
function events(size: number): string[] {
  const line = `${'word '.repeat(19)}end.\n`;
  const text = line.repeat(Math.ceil(size / line.length)).slice(0, size);
  return Array.from({ length: Math.ceil(said / size) }, () => text);
}

/** Huge events are not held to the bound: Node collects their strings late. */
const turns: readonly { name: string; isBound: boolean; dialect: DialectOptions }[] = [
  {
    name: 'in events of 16 KiB without an end of line',
    isBound: true,
    dialect: { fillerBytes: said },
  },
  { name: 'in lines, in events of 10 kB', isBound: true, dialect: { turnText: events(10_000) } },
  { name: 'in lines, in events of 900 kB', isBound: false, dialect: { turnText: events(900_000) } },
];

/** Runs `dist/message.js` to its end, and gives the peak of its resident memory in megabytes. */
async function peakOf(dialect: DialectOptions): Promise<number> {
  await using emulator = await startEmulator({ dialect: { turnMs: 0, ...dialect } });
  const project = await emulator.world.createProject();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-bench-'));
  const file = join(folder.path, 'peak');
  const { outputs } = await runAction({
    action: join(root, 'message'),
    env: { PEAK_MEMORY_FILE: file },
    nodeArgs: ['--import', probe],
    inputs: {
      'api-key': emulator.key,
      'base-url': emulator.url,
      'project-id': project.id,
      content: 'Say a lot.',
      wait: 'stream',
    },
  });
  assert.equal(outputs['outcome'], 'succeeded', outputs['error']);
  assert.ok((outputs['text'] ?? '').length <= 60_000);
  return Number(await readFile(file, 'utf8')) / 1e6;
}

/** The peak of the resident memory of a step whose turn says 50 MB: the whole process, Node itself included. */
export async function* turn(): AsyncGenerator<Row> {
  for (const { name, isBound, dialect } of turns) {
    const samples: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const value = await peakOf(dialect);
      samples.push(isBound ? { value, bound } : { value });
    }
    yield { name: `a turn of ${said / 1e6} MB ${name}`, unit: 'MB', samples };
  }
}
