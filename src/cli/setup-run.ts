import type { SetupRequest } from './arguments.ts';
import type { SetupCommand } from './setup-commands.ts';
import type { Surroundings } from './surroundings.ts';

/** Loads only the code of the command that runs. Each gives the exit status. */
const commands: Readonly<
  Record<SetupCommand, (request: SetupRequest, around: Surroundings) => Promise<number>>
> = {
  init: async (...run) => await (await import('./init/init.ts')).init(...run),
  'add-variable': async (...run) => await (await import('./add-variable.ts')).addVariable(...run),
};

/**
 * Runs a command that sets up a repository.
 *
 * @returns the exit status
 */
export const runSetup = (request: SetupRequest, around: Surroundings): Promise<number> =>
  commands[request.command](request, around);
