import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { GitFailure } from '../core/git/failure.ts';
import { safe, trusted } from '../core/text/safe.ts';

/** The variables that a process is given. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A git process to be run. */
export interface Command {
  readonly args: readonly string[];
  /** All that it is given of an environment. */
  readonly env: Variables;
  /** The folder that it works in: ours, because on Windows programs are looked for there first. */
  readonly folder: string;
  /** Ends it, and all that it started. */
  readonly signal: AbortSignal;
  readonly input?: string;
}

/** How a git process ended. */
export interface End {
  /** Its exit status; null if a signal ended it. */
  readonly status: number | null;
  /** The beginning of what it printed to standard output. */
  readonly output: string;
  /** The end of what it printed to standard error. */
  readonly errors: string;
}

/** The most that is kept of what a process prints, in UTF-16 units: the other side decides how much it is. */
const kept = 256 * 1024;

const isWindows = process.platform === 'win32';

/**
 * Runs git to its end. When the signal aborts, it is killed with all the processes that it started, and they are
 * gone before this settles: on Linux and macOS it leads a process group, which is killed as one; on Windows
 * `taskkill` ends the tree. The same happens if this process exits first.
 *
 * @throws a {@link GitFailure} if git cannot be started, and the signal's reason
 */
export async function runGit({ args, env, folder, signal, input = '' }: Command): Promise<End> {
  signal.throwIfAborted();
  const child = spawn('git', args, { cwd: folder, env, detached: !isWindows, windowsHide: true });
  const end = () => endTree(child);
  signal.addEventListener('abort', end);
  process.on('exit', end);
  try {
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < kept) output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-kept);
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(input);
    const [status]: (number | null)[] = await once(child, 'close').catch(cannotStart);
    signal.throwIfAborted();
    return { status: status ?? null, output, errors };
  } finally {
    signal.removeEventListener('abort', end);
    process.off('exit', end);
  }
}

function cannotStart(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw new GitFailure({ kind: 'no-git' });
  throw new GitFailure({ kind: 'local', words: safe`spawn ${trusted(error.code ?? '')}` });
}

/** Kills a process and all that it started. Git keeps nothing that it would have to tidy up outside our folder. */
function endTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (isWindows) {
    const taskkill = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
    spawnSync(taskkill, ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}
