import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DialectOptions, startEmulator } from '../emulator/index.ts';
import type { ActionResult, RunOptions } from '../emulator/runner.ts';
import { runStep } from '../test/dist/run-step.ts';
import { type Row, type Sample, spread } from './measurement.ts';
import { makeLongVariables, makeVariables, type NamedValue } from './variables.ts';

const rounds = 5;

/** What the whole process may take at its peak, in megabytes of a million bytes: a plain deploy, and any other. */
const bounds = { plain: 90, other: 110 };

/** How much log a stream carries, in characters. */
const streamed = 50_000_000;
const probe = new URL('peak-memory.mjs', import.meta.url).href;

/** A deploy that is measured, and what shows that it did its work. */
interface Scenario {
  name: string;
  bound: number;
  dialect?: DialectOptions;
  options: Partial<RunOptions>;
  check?: (result: ActionResult) => void;
}

function manyVariables(kind: string, variables: readonly NamedValue[]): Scenario {
  return {
    name: `a deploy with ${variables.length} ${kind}`,
    bound: bounds.other,
    options: {
      inputs: { 'env-from': variables.map(({ name }) => name).join('\n') },
      env: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    },
    check: ({ outputs }) =>
      assert.equal(JSON.parse(outputs['env-summary'] ?? '').created, variables.length),
  };
}

/** 50 MB of log text in events of so many characters each. Only the stream is followed, to its end. */
function longStream(size: number): Scenario {
  const line = 'log '.repeat(size / 4);
  const logLines = Array.from({ length: streamed / size }, () => line);
  return {
    name: `a stream of ${streamed / 1e6} MB, lines of ${size.toLocaleString('en')} characters`,
    bound: bounds.other,
    dialect: { stream: { logLines } },
    options: { inputs: { wait: 'stream' } },
    check: ({ log }) => {
      const shown = log.filter((text) => text.includes('log log log'));
      assert.equal(shown.length, logLines.length);
    },
  };
}

/** Runs `dist/` to its end, without the post step, and gives the peak of its resident memory. */
async function peakOf({ dialect = {}, bound, options, check }: Scenario): Promise<Sample> {
  await using emulator = await startEmulator({ dialect });
  const project = await emulator.world.createProject();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-bench-'));
  const file = join(folder.path, 'peak');
  const result = await runStep(emulator, project, {
    ...options,
    env: { ...options.env, PEAK_MEMORY_FILE: file },
    nodeArgs: ['--import', probe],
    post: false,
  });
  assert.equal(result.outputs['outcome'], 'succeeded', result.outputs['error']);
  check?.(result);
  return { value: Number(await readFile(file, 'utf8')) / 1e6, bound };
}

/** The same of Node itself, with an empty script. */
async function peakOfNode(): Promise<Sample> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-bench-'));
  const file = join(folder.path, 'peak');
  const env = { ...process.env, PEAK_MEMORY_FILE: file };
  await promisify(execFile)(process.execPath, ['--import', probe, '--eval', '0'], { env });
  return { value: Number(await readFile(file, 'utf8')) / 1e6 };
}

/** The peak of the resident memory of `dist/`, the whole process, in the deploys that ask most of it. */
export async function* memory(): AsyncGenerator<Row> {
  const scenarios: Scenario[] = [
    { name: 'a deploy without variables', bound: bounds.plain, options: {} },
    manyVariables('variables', makeVariables(200)),
    manyVariables('variables of 30 lines', makeLongVariables(200)),
    longStream(100),
    longStream(10_000),
    longStream(1_000_000),
  ];
  const repeat = async (measure: () => Promise<Sample>): Promise<Sample[]> => {
    const samples: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) samples.push(await measure());
    return samples;
  };
  const bare = await repeat(peakOfNode);
  yield { name: 'Node itself, with an empty script', unit: 'MB', samples: bare };
  const { median: node } = spread(bare.map(({ value }) => value));
  for (const scenario of scenarios) {
    const samples = await repeat(() => peakOf(scenario));
    const { median } = spread(samples.map(({ value }) => value));
    const name = `${scenario.name}: ${(median / node).toFixed(1)} × Node`;
    yield { name, unit: 'MB', samples };
  }
}
