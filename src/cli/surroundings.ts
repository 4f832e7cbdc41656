import type { Readable, Writable } from 'node:stream';
import type { StepEnvironment } from '../platform.ts';

/** Where the command line runs. */
export interface Surroundings {
  environment: StepEnvironment;
  /** The current folder. */
  folder: string;
  /** True in a container, at whose terminal there may be no person. */
  isInContainer: boolean;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
  /** Starts the local service. */
  emulator: (args: readonly string[]) => Promise<number>;
}

/** Where a command that sets up a repository runs. */
export interface SetupSurroundings extends Surroundings {
  /** Aborts when the command is canceled. */
  signal: AbortSignal;
  /** Runs another command line. */
  run: (args: readonly string[], around: Surroundings) => Promise<number>;
}
