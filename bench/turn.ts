import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DialectOptions, startEmulator } from '../src/emulator/index.ts';
import { runAction } from '../src/emulator/runner.ts';
import { root } from '../test/dist/run-step.ts';
import type { Row } from './measurement.ts';

const rounds = 5;

/** What the whole process may take at its peak, in megabytes of a million bytes. */
const bound = 150;

/** How much a turn says, in bytes. */
const said = 50_000_000;
const probe = new URL('peak-memory.mjs', import.meta.url).href;

/** Lines of so many characters, all of them small events. */
function lines(size: number): string[] {
  const line = `${'word '.repeat(size / 5 - 1)}end.\n`;
  return Array.from({ length: said / line.length }, () => line);
}

const turns: readonly (readonly [string, DialectOptions])[] = [
  ['in events of 16 KiB without an end of line', { fillerBytes: said }],
  ['in lines of 1,000 characters', { turnText: lines(1000) }],
  ['in lines of 100 characters', { turnText: lines(100) }],
];

/** Runs `dist/message.js` to its end, and gives the peak of its resident memory in megabytes. */
async function peakOf(dialect: DialectOptions): Promise<number> {
  await using emulator = await startEmulator({ dialect: { turnMs: 0, ...dialect } });
  const project = await emulator.createProject();
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
  for (const [name, dialect] of turns) {
    const samples: Row['samples'][number][] = [];
    for (let round = 0; round < rounds; round += 1) {
      samples.push({ value: await peakOf(dialect), bound });
    }
    yield { name: `a turn of ${said / 1e6} MB ${name}`, unit: 'MB', samples };
  }
}
