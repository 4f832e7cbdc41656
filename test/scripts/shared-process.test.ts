import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { type ActionResult, type RunOptions, runAction } from '../../emulator/runner.ts';
import { print, writeAction } from '../../emulator/test/runner/write-action.ts';
import { rows } from '../support/exhaustive.ts';
import { unpacked } from '../support/places.ts';
import { shareProcess } from '../support/shared-process.ts';

/** Runs an action of this script in a process where another may have run before. */
async function run(main: string, options: Partial<RunOptions> = {}): Promise<ActionResult> {
  await using action = await writeAction({ main });
  return await runAction({ action: action.path, launch: shareProcess, ...options });
}

const tellPid = "process.stdout.write(process.pid + '\\n');";

it.each(rows(['', 'env-sync', 'domains', 'message', 'projects'], 1))(
  'a run in a shared process is as one in a process of its own: %s',
  async (name) => {
    await using emulator = await startEmulator();
    const [project] = emulator.world.createProjects(1);
    const inputs = [
      { 'base-url': 'not a url' },
      { 'api-key': emulator.key, 'base-url': emulator.url, 'project-id': project?.id ?? '' },
    ];
    const event = { name: 'workflow_dispatch', payload: {} };
    const github = { apiUrl: 'http://127.0.0.1:9' };
    const show = async (launch: Partial<RunOptions>) => {
      const results: ActionResult[] = [];
      for (const given of [...inputs, ...inputs]) {
        const options = { action: join(unpacked, name), event, github, inputs: given, ...launch };
        results.push(await runAction(options));
      }
      const kept = results.map(({ conclusion, exitCode, outputs, summary, annotations }) => {
        const { 'duration-ms': _, ...rest } = outputs;
        return { conclusion, exitCode, outputs: rest, summary, annotations };
      });
      return JSON.stringify(kept, null, 1).replaceAll(/\d+(?:\.\d+)?/g, '0');
    };
    expect(await show({ launch: shareProcess })).toBe(await show({}));
  },
);

it('nothing of one run is there in the next', async () => {
  const first = await run(`process.env.STRAY = 'stray'; process.exitCode = 3; process.chdir('/');
    process.on('SIGINT', () => {}); ${print('first without a line end')}`);
  expect(first).toMatchObject({ exitCode: 3, conclusion: 'failure' });
  const second = await run(`console.log(JSON.stringify([process.env.STRAY ?? null,
    process.listenerCount('SIGINT'), process.cwd() === process.env.GITHUB_WORKSPACE]));`);
  expect(second).toMatchObject({ exitCode: 0, raw: { stdout: '[null,0,true]\n', stderr: '' } });
});

it('nothing runs after a script that left something behind', async () => {
  const leaving = await run(
    `setInterval(() => console.log('late'), 1); ${tellPid} process.exit();`,
  );
  const next = await run(tellPid);
  expect(leaving.raw.stdout).toMatch(/^\d+\n$/);
  expect(next.raw.stdout).toMatch(/^\d+\n$/);
  expect(next.raw.stdout).not.toBe(leaving.raw.stdout);
});

it('a script that throws ends as it does by itself', async () => {
  const { exitCode, raw } = await run(`${print('before')} throw new Error('a fault of a test');`);
  expect(exitCode).toBe(1);
  expect(raw.stdout).toBe('before\n');
  expect(raw.stderr).toContain('Error: a fault of a test');
});

it('a script that waits for what never comes fails', async () => {
  expect(await run('await new Promise(() => {});')).toMatchObject({ conclusion: 'failure' });
});

it('a script for which all others wait runs nevertheless', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sign-'));
  const sign = JSON.stringify(join(folder.path, 'sign'));
  const fs = "const { existsSync, writeFileSync } = await import('node:fs');";
  const look = 'await new Promise((wake) => setTimeout(wake, 10))';
  const waiting = Array.from({ length: 6 }, () =>
    run(`${fs} while (!existsSync(${sign})) ${look};`),
  );
  await run(`${fs} writeFileSync(${sign}, '');`);
  for (const { exitCode } of await Promise.all(waiting)) expect(exitCode).toBe(0);
});
