import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { lineSplitter } from './lines.ts';

/** How long a cancelled process may take, in milliseconds. */
export type Grace = {
  /** From SIGINT to SIGTERM. */
  interruptMs: number;
  /** From SIGTERM to the kill of the process tree. */
  terminateMs: number;
};

/** The runner's own times. */
export const runnerGrace: Grace = { interruptMs: 7500, terminateMs: 2500 };

/** How long the runner reads on after a process ended whose children still hold its output open. */
const openOutputMs = 5000;

export type ProcessEnd = {
  /** Null if a signal ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
};

export type RunningProcess = {
  /** Rejects if the process could not be started. */
  ended: Promise<ProcessEnd>;
  /** SIGINT, then SIGTERM, then the kill of the tree. On Windows, where Node has no such signals, the kill. */
  cancel: (grace: Grace) => Promise<void>;
  /** Kills the process tree at once. */
  kill: () => void;
};

/** How a script is started. It is told which part of an action the script is. */
export type Launch = (options: ProcessOptions, part: 'pre' | 'main' | 'post') => RunningProcess;

export type ProcessOptions = {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  onLine: (line: string) => void;
};

/**
 * Starts a process and hands on its lines as they come. Like the runner, it flushes stderr ahead of stdout.
 * The process leads a group of its own, so that its whole tree can be killed.
 */
export function startProcess(options: ProcessOptions): RunningProcess {
  const child = spawn(options.file, options.args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const ended = waitForEnd(child, options.onLine);
  const settled = ended.then(
    () => true,
    () => true,
  );
  return {
    ended,
    cancel: async (grace) => {
      if (process.platform !== 'win32') {
        child.kill('SIGINT');
        if (await within(grace.interruptMs, settled)) return;
        child.kill('SIGTERM');
        if (await within(grace.terminateMs, settled)) return;
      }
      killTree(child);
      await settled;
    },
    kill: () => killTree(child),
  };
}

/** Leading groups of their own, these would outlive our process. */
const running = new Set<ChildProcess>();
const killRunning = () => {
  for (const child of running) killTree(child);
};

async function waitForEnd(
  child: ChildProcess,
  onLine: (line: string) => void,
): Promise<ProcessEnd> {
  const output = collectOutput(child, onLine);
  if (running.size === 0) process.on('exit', killRunning);
  running.add(child);
  let reading: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    reading = setTimeout(() => {
      killTree(child);
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, openOutputMs);
  });
  try {
    await once(child, 'close');
  } finally {
    clearTimeout(reading);
    running.delete(child);
    if (running.size === 0) process.off('exit', killRunning);
  }
  return { exitCode: child.exitCode, signal: child.signalCode, ...output.finish() };
}

/** Collects what a process prints, and hands on its lines as they come. */
export function collectOutput(
  streams: Record<'stdout' | 'stderr', Readable | null>,
  onLine: (line: string) => void,
) {
  const text = { stdout: '', stderr: '' };
  const queues: Record<keyof typeof text, string[]> = { stdout: [], stderr: [] };
  const flush = () => {
    for (const line of [...queues.stderr.splice(0), ...queues.stdout.splice(0)]) onLine(line);
  };
  const splitters = (['stdout', 'stderr'] as const).map((name) => {
    const splitter = lineSplitter((line) => queues[name].push(line));
    streams[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
      splitter.push(chunk);
      setImmediate(flush);
    });
    return splitter;
  });
  return {
    finish: () => {
      for (const splitter of splitters) splitter.end();
      flush();
      return text;
    },
  };
}

async function within(ms: number, settled: Promise<boolean>): Promise<boolean> {
  const timer = new AbortController();
  const timeout = delay(ms, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([settled, timeout]);
  } finally {
    timer.abort();
  }
}

function killTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // macOS answers EPERM for a group whose last process has ended but was not waited for yet.
    const gone =
      error instanceof Error && 'code' in error && ['ESRCH', 'EPERM'].includes(String(error.code));
    if (!gone) throw error;
  }
}
