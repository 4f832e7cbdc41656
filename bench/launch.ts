import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ProcessOptions, RunningProcess } from '../emulator/runner/process.ts';

/** A process whose output nobody reads, so that reading it costs nothing of what is measured. */
export interface LaunchedProcess extends RunningProcess {
  pid: number;
}

/** Starts a process and drops what it prints. */
export function launchUnread({ file, args, cwd, env }: ProcessOptions): LaunchedProcess {
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  const ended = once(child, 'close').then(([exitCode, signal]) => {
    return { exitCode, signal, stdout: '', stderr: '' };
  });
  const kill = () => void child.kill('SIGKILL');
  return { pid: child.pid ?? 0, ended, kill, cancel: async () => kill() };
}
