import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { safe, unsafeText } from '../../kernel/text/safe.ts';
import { GitFailure } from '../model/git-failure.ts';

/** A process's environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A git process to be run. */
export interface Command {
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Variables;
  /** The working directory: ours, because Windows looks there for programs first. */
  readonly folder: string;
  /** Kills it and all processes that it started. */
  readonly signal: AbortSignal;
  readonly input?: string | Readable;
  /** Where its standard output goes instead of to {@link End.output}. */
  readonly into?: Writable;
  /** True if its input is untrusted: its memory and file sizes are limited, where the platform supports that. */
  readonly isBounded?: boolean;
}

/** The result of a git process. */
export interface End {
  /** Its exit status; null if a signal ended it. */
  readonly status: number | null;
  /** The start of its standard output, in whole lines. */
  readonly output: string;
  /** The end of its standard error, in whole lines. */
  readonly errors: string;
}

/** The most output that is kept, in UTF-16 units: the remote decides how much there is. */
const kept = 256 * 1024;

const isWindows = process.platform === 'win32';

/** Limits of a git process with untrusted input, in KiB: its address space, and each file that it writes. */
const most = { addressSpace: 2 * 1024 * 1024, file: 2 * 1024 * 1024 } as const;

/**
 * The command that starts git. Only Linux limits an address space; macOS limits files alone, and Windows neither. A lower
 * limit of the machine stays.
 */
function commandOf(args: readonly string[], isBounded: boolean): [string, readonly string[]] {
  if (!isBounded || isWindows) return ['git', args];
  // POSIX counts in blocks of 512 bytes.
  const file = `ulimit -f ${most.file * 2}`;
  const memory = process.platform === 'linux' ? `ulimit -v ${most.addressSpace}; ` : '';
  const script = `{ ${memory}${file}; } 2>/dev/null; exec git "$@"`;
  return ['/bin/sh', ['-c', script, 'git', ...args]];
}

/** A text whose start was cut off, from its first whole line: part of a line could be part of a secret. */
function wholeLines(text: string): string {
  const end = text.search(/[\r\n]/);
  return end === -1 ? '' : text.slice(end + 1);
}

/**
 * Runs git to its end. When the signal aborts, or this process exits, git and all processes that it started are killed
 * before the promise settles: its process group on Linux and macOS, its tree by `taskkill` on Windows.
 *
 * @throws a {@link GitFailure} if git can't be started, or its output can't be written; and the signal's reason
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
    // It may end before it has read everything; then its exit status and its output report why.
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

/** The failure for a temporary file that can't be written. */
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

/** Kills a process and all processes that it started. Git leaves no files outside our folder. */
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
