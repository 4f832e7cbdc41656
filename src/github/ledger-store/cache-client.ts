import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { asObject } from '../../core/json.ts';
import type { StepEnvironment } from '../runner.ts';
import { ledgerName, nothingDone, type Task } from './cache-task.ts';
import { reasonIn } from './cache-words.ts';

/** What the process that talks to the cache needs of the step's environment. The step's secrets stay here. */
const handedOn =
  /^(?:path|pathext|home|userprofile|systemroot|systemdrive|windir|programfiles|te?mp|tmpdir|github_server_url|actions_(?:cache_\w+|results_url|runtime_token)|(?:https?|no)_proxy|node_extra_ca_certs|node_use_\w+|ssl_cert_(?:file|dir))$/i;

/** The most that is read of what the process prints, in characters. */
const longestOutput = 1024 * 1024;

/**
 * The archive of an entry could name any file of the machine, and the client has them all written. GNU tar gives
 * every member this one name instead; other tars do not know the variable.
 */
const tarOptions = `--transform=s,.*,${ledgerName},`;

/** Where and how the process is started. */
export interface CacheClient {
  /** The script that calls `runCacheProcess` with its arguments. */
  script: string;
  environment: StepEnvironment;
}

/** How a task ended. */
export type CacheEnd = { done: true } | { done: false; reason: string | undefined };

function environmentIn(folder: string, environment: StepEnvironment) {
  const handed = Object.entries(environment).filter(([name]) => handedOn.test(name));
  return {
    ...Object.fromEntries(handed),
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: folder,
    TAR_OPTIONS: tarOptions,
  };
}

/**
 * Has a process of its own load or save the ledger in a folder. The cache's client takes no signal, reports only
 * by printing, works on the workspace and the current folder, and can wait forever on an answer that broke off: a
 * process can be ended, read, placed and noticed when it is gone.
 *
 * @param key the key to save under, or the key's beginning to look for
 * @returns done, or why not; without a reason if nothing went wrong and there was nothing to load
 * @throws Error if the signal aborts first
 */
export async function runCacheClient(
  { script, environment }: CacheClient,
  { task, key, folder }: { task: Task; key: string; folder: string },
  signal: AbortSignal,
): Promise<CacheEnd> {
  try {
    await promisify(execFile)(process.execPath, [script, task, key], {
      cwd: folder,
      env: environmentIn(folder, environment),
      killSignal: 'SIGKILL',
      maxBuffer: longestOutput,
      signal,
    });
    return { done: true };
  } catch (error) {
    const { code, stdout } = asObject(error) ?? {};
    const output = typeof stdout === 'string' ? stdout : '';
    const reason = reasonIn(output, environment['ACTIONS_RUNTIME_TOKEN'] ?? '');
    if (reason !== undefined) return { done: false, reason };
    if (signal.aborted) throw error;
    return { done: false, reason: code === nothingDone ? undefined : 'its answer broke off' };
  }
}
