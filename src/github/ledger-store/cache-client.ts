import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { StepEnvironment } from '../runner.ts';
import { ledgerName, nothingDone, type Task } from './cache-task.ts';
import { reasonIn } from './cache-words.ts';
import { codeOf } from './store.ts';

/**
 * What the process that talks to the cache needs of the step's environment. The step's secrets stay here. By the
 * tracking id the runner knows what to end with a job.
 */
const handedOn =
  /^(?:path|pathext|home|userprofile|systemroot|systemdrive|windir|programfiles|te?mp|tmpdir|github_server_url|runner_tracking_id|actions_(?:cache_\w+|results_url|runtime_token)|(?:https?|no)_proxy|node_extra_ca_certs|node_use_\w+|ssl_cert_(?:file|dir))$/i;

/** The most that is read of what the process prints, in characters. */
const longestOutput = 1024 * 1024;

/**
 * The archive of an entry could name any file of the machine, and the client has them all written. GNU tar gives
 * every member this one name instead; other tars do not know the variable.
 */
const tarOptions = `--transform=s,.*,${ledgerName},`;

/**
 * Starts a program that can write no file of more than 4 MiB (8 MiB where a shell counts in kibibytes), and whose own
 * programs cannot either: neither the archive nor what comes out of it fills the disk.
 */
const confine = 'ulimit -f 8192 && ulimit -c 0 && exec "$@"';

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
    // In other locales the transformation passes over names whose bytes are no characters there.
    LC_ALL: 'C',
  };
}

/** Ends a process with all that it has started. It leads a group of its own. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Gone already; macOS answers EPERM for a group whose last process was not waited for yet.
    if (!['ESRCH', 'EPERM'].includes(codeOf(error))) throw error;
  }
}

/**
 * Runs the process to its end, and ends all that it left running.
 *
 * @returns its exit status, null if it was ended; and what it printed
 */
async function runConfined(
  { script, environment }: CacheClient,
  { task, key, folder }: { task: Task; key: string; folder: string },
  signal: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  signal.throwIfAborted();
  const command = [process.execPath, script, task, key];
  const child = spawn('/bin/sh', ['-c', confine, 'sh', ...command], {
    cwd: folder,
    env: environmentIn(folder, environment),
    detached: true,
    // The first pipe is only held open: it closes when we are gone, however we went.
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const end = () => endGroup(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > longestOutput) end();
  });
  child.once('exit', end);
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code]: (number | null)[] = await once(child, 'close');
    return { code: code ?? null, output };
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/**
 * Has a process of its own load or save the ledger in a folder. The cache's client takes no signal, reports only
 * by printing, works on the workspace and the current folder, and can wait forever on an answer that broke off: a
 * process can be ended with all its own, confined, read, placed and noticed when it is gone. Not for Windows, whose
 * processes cannot be confined so.
 *
 * @param key the key to save under, or the key's beginning to look for
 * @returns done, or why not; without a reason if nothing went wrong and there was nothing to load
 * @throws the signal's reason if it aborts first
 */
export async function runCacheClient(
  client: CacheClient,
  work: { task: Task; key: string; folder: string },
  signal: AbortSignal,
): Promise<CacheEnd> {
  const { code, output } = await runConfined(client, work, signal);
  if (code === 0) return { done: true };
  const reason = reasonIn(output, client.environment['ACTIONS_RUNTIME_TOKEN'] ?? '');
  if (reason !== undefined) return { done: false, reason };
  signal.throwIfAborted();
  return { done: false, reason: code === nothingDone ? undefined : 'its answer broke off' };
}
