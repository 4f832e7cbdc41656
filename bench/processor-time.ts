import { globSync, readFileSync } from 'node:fs';

/**
 * The processor's time that a process has taken so far, all of its threads together, in milliseconds. Linux alone
 * tells it of another process while that runs, and finer than in hundredths of a second.
 */
export function processorTime(pid: number): number {
  const files = globSync(`/proc/${pid}/task/*/schedstat`);
  const nanoseconds = files.map((file) => {
    try {
      return Number(readFileSync(file, 'utf8').split(' ', 1)[0]);
    } catch {
      // The thread has ended since it was listed.
      return 0;
    }
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
