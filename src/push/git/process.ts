import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { safe, unsafeText } from '../../kernel/text/safe.ts';
import { GitFailure } from '../model/git-failure.ts';

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
  readonly input?: string | Readable;
  /** Where its standard output goes instead of to {@link End.output}. */
  readonly into?: Writable;
  /** True if what it reads comes from others: its memory and its files are bounded, where the platform can do that. */
  readonly isBounded?: boolean;
}

/** How a git process ended. */
export interface End {
  /** Its exit status; null if a signal ended it. */
  readonly status: number | null;
  /** The beginning of what it printed to standard output, in whole lines. */
  readonly output: string;
  /** The end of what it printed to standard error, in whole lines. */
  readonly errors: string;
}

/** The most that is kept of what a process prints, in UTF-16 units: the other side decides how much it is. */
const kept = 256 * 1024;

const isWindows = process.platform === 'win32';

/** Bounds of a git process that reads what others send, in KiB: of its address space, and of each file that it writes. */
const most = { addressSpace: 2 * 1024 * 1024, file: 2 * 1024 * 1024 } as const;

/**
 * How git is started. Only Linux bounds an address space; macOS bounds files alone, and Windows neither. A bound that
 * the machine itself has set lower stays.
 */
function commandOf(args: readonly string[], isBounded: boolean): [string, readonly string[]] {
  if (!isBounded || isWindows) return ['git', args];
  // In blocks of 512 bytes, as POSIX has it.
  const file = `ulimit -f ${most.file * 2}`;
  const memory = process.platform === 'linux' ? `ulimit -v ${most.addressSpace}; ` : '';
  const script = `{ ${memory}${file}; } 2>/dev/null; exec git "$@"`;
  return ['/bin/sh', ['-c', script, 'git', ...args]];
}

/** The end of a text whose beginning was cut off: half a line could be half a secret. */
function wholeLines(text: string): string {
  const end = text.search(/[\r\n]/);
  return end === -1 ? '' : text.slice(end + 1);
}

/**
 * Runs git to its end. When the signal aborts, it is killed with all the processes that it started, and they are
 * gone before this settles: on Linux and macOS it leads a process group, which is killed as one; on Windows
 * `taskkill` ends the tree. The same happens if this process exits first.
 *
 * @throws a {@link GitFailure} if git cannot be started, or what it prints cannot be written; and the signal's reason
 */
export async function runGit(command: Command): Promise<End> {
  const { args, env, folder, signal, input = '', into, isBounded = false } = command;
  signal.throwIfAborted();
  const [file, whole] = commandOf(args, isBounded);
  const child = spawn(file, whole, { cwd: folder, env, detached: !isWindows, windowsHide: true });
  const end = () => endTree(child);
  signal.addEventListener('abort', end);
  process.on('exit', end);
  try {
    let output = '';
    let errors = '';
    let isOutputCut = false;
    let isErrorsCut = false;
    let written: Promise<unknown> = Promise.resolve();
    if (into === undefined) {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (output.length < kept) output += text;
        else isOutputCut = true;
      });
    } else written = pipeline(child.stdout, into).catch((error: unknown) => error);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
      if (errors.length <= kept) return;
      errors = errors.slice(-kept);
      isErrorsCut = true;
    });
    // It may end before it has read everything, and says itself what it lacks.
    const giveUp = () => child.stdin.destroy();
    child.stdin.on('error', giveUp);
    if (typeof input === 'string') child.stdin.end(input);
    else pipeline(input, child.stdin).catch(giveUp);
    const [status]: (number | null)[] = await once(child, 'close').catch(cannotStart);
    signal.throwIfAborted();
    const fault = await written;
    if (fault !== undefined) throw notWritten(fault);
    return {
      status: status ?? null,
      output: isOutputCut ? output.slice(0, output.lastIndexOf('\n') + 1) : output,
      errors: isErrorsCut ? wholeLines(errors) : errors,
    };
  } finally {
    signal.removeEventListener('abort', end);
    process.off('exit', end);
  }
}

/** What a file of ours that cannot be written means. */
export function notWritten(error: unknown): GitFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC')
    return new GitFailure({ kind: 'project', fault: 'no-room', words: safe`` });
  return new GitFailure({ kind: 'local', words: safe`write ${unsafeText(code)}` });
}

function cannotStart(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw new GitFailure({ kind: 'no-git' });
  throw new GitFailure({ kind: 'local', words: safe`spawn ${unsafeText(error.code ?? '')}` });
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
