import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { setFailed } from '@actions/core';
import { isTask, ledgerName, nothingDone, type Task } from './cache-task.ts';

/** The tar that the cache's client calls; on macOS it prefers GNU's, which has another name there. */
const tar = process.platform === 'darwin' ? 'gtar' : 'tar';

/**
 * Sees that archives can be confined: only GNU tar gives every member the one name that `TAR_OPTIONS` says, and any
 * other would write wherever an archive wants it.
 */
async function requireGnuTar(): Promise<void> {
  const asked = promisify(execFile)(tar, ['--version']).catch(() => ({ stdout: '' }));
  if ((await asked).stdout.includes('GNU tar')) return;
  throw new Error(
    `this system has no GNU tar, and no other ${tar} can be kept from writing elsewhere: keep the ledger in a file (env-ledger)`,
  );
}

async function carryOut(task: Task, key: string): Promise<boolean> {
  const { isFeatureAvailable, restoreCache, saveCache } = await import('@actions/cache');
  if (!isFeatureAvailable()) throw new Error('this runner offers no cache that can be used');
  await requireGnuTar();
  const paths = [ledgerName];
  if (task === 'save') return (await saveCache(paths, key, undefined, true)) !== -1;
  return (await restoreCache(paths, key, [key], undefined, true)) !== undefined;
}

/**
 * Ends this process and all that it has started once whoever holds its standard input is gone, even by a kill. That
 * input does not keep it alive: a client that waits for nothing that can come is known by the end of its process.
 */
function endWithStep(): void {
  const { stdin } = process;
  stdin.once('close', () => process.kill(0, 'SIGKILL')).resume();
  stdin.unref();
}

/**
 * Loads or saves the ledger in the current folder: what the process does that `cacheStore` starts. The client of
 * the cache is large, so it is loaded only here. It reports to standard output, and the exit status is set: 0 only
 * if the ledger was loaded or saved. The caller ends the process, for the client may keep a connection open.
 *
 * @param given the task, and the key to save under or the key's beginning to look for
 */
export async function runCacheProcess([task = '', key = '']: readonly string[]): Promise<void> {
  try {
    if (!isTask(task)) throw new Error(`unknown task ${task}`);
    endWithStep();
    process.exitCode = (await carryOut(task, key)) ? 0 : nothingDone;
  } catch (error) {
    setFailed(error instanceof Error ? error.message : String(error));
  }
}
