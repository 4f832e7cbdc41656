import { startProcess } from '../../emulator/runner/process.ts';
import type { RunOptions } from '../../emulator/runner.ts';

/** A time that nothing else in a step waits for, in minutes. */
const minutes = 47;

/**
 * Has the deadline of a step (`timeout: 47m`) pass when its log has said all of some texts, in any order: on a slow
 * machine that may be at any time.
 */
export const deadlineAt = (...said: string[]): Pick<RunOptions, 'nodeArgs' | 'env' | 'launch'> => ({
  nodeArgs: ['--import', new URL('deadline-probe.mjs', import.meta.url).href],
  env: { DEADLINE_AT: said.join('\n'), DEADLINE_MS: String(minutes * 60_000) },
  launch: startProcess,
});

/** The input with which {@link deadlineAt} works. */
export const driven = { timeout: `${minutes}m` };
