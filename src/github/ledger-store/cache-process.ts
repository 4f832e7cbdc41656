import { setFailed } from '@actions/core';
import { isTask, ledgerName, nothingDone, type Task } from './cache-task.ts';

async function carryOut(task: Task, key: string): Promise<boolean> {
  const { isFeatureAvailable, restoreCache, saveCache } = await import('@actions/cache');
  if (!isFeatureAvailable()) throw new Error('this runner offers no cache that can be used');
  const paths = [ledgerName];
  if (task === 'save') return (await saveCache(paths, key, undefined, true)) !== -1;
  return (await restoreCache(paths, key, [key], undefined, true)) !== undefined;
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
    process.exitCode = (await carryOut(task, key)) ? 0 : nothingDone;
  } catch (error) {
    setFailed(error instanceof Error ? error.message : String(error));
  }
}
