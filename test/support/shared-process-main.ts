// Runs scripts one after the other in this process, each as if the process were its own. See shared-process.ts.
import { once } from 'node:events';
import { rmSync, symlinkSync } from 'node:fs';
import { createRequire, flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { endOfOutput, type ScriptRun } from './shared-process.ts';

const require = createRequire(import.meta.url);
const { channel } = process;
const exit = process.exit.bind(process);
const summaryName = 'GITHUB_STEP_SUMMARY';
/** GitHub's toolkit keeps the path of the first summary for as long as its process lives. */
const summary = join(tmpdir(), `summary-of-process-${process.pid}`);
/** How long what a run left behind may take to go, in milliseconds, before nothing may run after it. */
const clearingMs = 250;
let runs = 0;

process.on('exit', () => rmSync(summary, { force: true }));
process.on('disconnect', () => exit());
process.on('message', (message: ScriptRun) => void run(message));

async function run({ script, cwd, env }: ScriptRun): Promise<void> {
  enter(cwd, env);
  runs += 1;
  // So that the script runs again, and what it loads does not. An error ends the process.
  delete require.cache[script];
  const exitCode = await ended(import(`${pathToFileURL(script).href}?run=${runs}`));
  process.send?.({ exitCode });
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
  process.chdir(tmpdir());
  await atRest();
  process.send?.('free');
  // Others start while this one lives.
  if (runs === 1) flushCompileCache();
}

/** Takes over a folder and an environment. */
function enter(cwd: string, env: ScriptRun['env']): void {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  rmSync(summary, { force: true });
  if (env[summaryName] === undefined) return;
  symlinkSync(env[summaryName], summary);
  process.env[summaryName] = summary;
}

/** Resolves with the exit code when the script ends the process or has nothing left to do. */
function ended(loading: Promise<unknown>): Promise<number> {
  return new Promise((resolve) => {
    // Node's own code for a script that waits for what never comes.
    let atLast = 13;
    void loading.then(() => {
      atLast = 0;
    });
    const endAtLast = () => end(process.exitCode ?? atLast);
    const end = (code?: unknown) => {
      process.off('beforeExit', endAtLast);
      process.exit = exit;
      channel?.ref();
      for (const stream of [process.stdout, process.stderr]) stream.write(endOfOutput);
      const exitCode = Number(code ?? process.exitCode ?? 0);
      process.exitCode = undefined;
      resolve(exitCode);
    };
    process.exit = end as typeof process.exit;
    process.once('beforeExit', endAtLast);
    channel?.unref();
  });
}

/** Resolves when nothing is left that could act in the next run. Ends the process if something stays. */
async function atRest(): Promise<void> {
  // Node asks whether anything is left once for each time that something was.
  await turn();
  const empty = once(process, 'beforeExit').then(() => true);
  const late = delay(clearingMs, false, { ref: false });
  channel?.unref();
  const isEmpty = await Promise.race([empty, late]);
  channel?.ref();
  if (!isEmpty) exit();
}
