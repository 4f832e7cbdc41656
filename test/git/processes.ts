import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process of this machine, as `/proc` shows it. */
export interface SeenProcess {
  readonly pid: number;
  readonly args: string;
  /** `NAME=value`, one a line. */
  readonly environment: string;
}

async function look(pid: number, folder: string): Promise<SeenProcess | null> {
  try {
    const workedIn = await readlink(`/proc/${pid}/cwd`);
    if (!workedIn.startsWith(folder)) return null;
    const read = async (name: string) =>
      (await readFile(`/proc/${pid}/${name}`, 'utf8')).replaceAll('\0', '\n');
    return { pid, args: await read('cmdline'), environment: await read('environ') };
  } catch {
    // It ended while it was looked at.
    return null;
  }
}

/** The processes that work in a folder or below it; on Linux only. */
export async function processesIn(folder: string): Promise<SeenProcess[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const seen = await Promise.all(pids.map((pid) => look(pid, folder)));
  return seen.filter((process) => process !== null);
}
