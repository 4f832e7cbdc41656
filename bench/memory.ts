import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DialectOptions, startEmulator } from '../emulator/index.ts';
import type { RunOptions } from '../emulator/runner.ts';
import { runStep } from '../test/dist/run-step.ts';
import { type Row, repeat } from './measurement.ts';
import { makeVariables } from './variables.ts';

const runs = 5;
const probe = new URL('peak-memory.mjs', import.meta.url).href;

/** Runs something with a file to which the probe writes the peak, in bytes. @returns it in MB */
async function peakOf(run: (file: string) => Promise<unknown>): Promise<number> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-bench-'));
  const file = join(folder.path, 'peak');
  await run(file);
  return Number(await readFile(file, 'utf8')) / 1e6;
}

/** Runs `dist/` to its end, without the post step. */
async function peakOfDeploy(
  dialect: DialectOptions,
  { env, inputs = {} }: Pick<RunOptions, 'env' | 'inputs'>,
): Promise<number> {
  await using emulator = await startEmulator({ dialect });
  const project = await emulator.world.createProject();
  return await peakOf(async (file) => {
    const { outputs } = await runStep(emulator, project, {
      inputs,
      env: { ...env, PEAK_MEMORY_FILE: file },
      nodeArgs: ['--import', probe],
      post: false,
    });
    assert.equal(outputs['outcome'], 'succeeded', outputs['error']);
  });
}

const peakOfNode = () =>
  peakOf(async (file) => {
    const env = { ...process.env, PEAK_MEMORY_FILE: file };
    await promisify(execFile)(process.execPath, ['--import', probe, '--eval', '0'], { env });
  });

/** The peak of the resident memory of the whole process, in the deploys that need most of it. */
export async function* memory(): AsyncGenerator<Row> {
  const variables = makeVariables(200);
  const many = { env: variables, inputs: { 'env-from': Object.keys(variables).join('\n') } };
  const logLines = Array.from({ length: 5000 }, () => 'log '.repeat(2500));
  const plain = () => peakOfDeploy({}, {});
  const withVariables = () => peakOfDeploy({}, many);
  const withLog = () => peakOfDeploy({ stream: { logLines } }, { inputs: { wait: 'stream' } });
  const node = await repeat(runs, peakOfNode);
  yield { name: 'memory: Node itself, with an empty script', unit: 'MB', values: node };
  const of = async (name: string, measure: () => Promise<number>, bound: number) =>
    ({ name: `memory: ${name}`, unit: 'MB', values: await repeat(runs, measure), bound }) as const;
  yield await of('a deploy', plain, 90);
  yield await of('a deploy with 200 variables', withVariables, 110);
  yield await of('a deploy with a log of 50 MB', withLog, 110);
}
