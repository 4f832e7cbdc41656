import type { OwnRequest } from './arguments.ts';
import type { OwnCommand } from './own-commands.ts';
import type { Surroundings } from './surroundings.ts';

/** Loads only the code of the command that runs. Each gives the exit status. */
const commands: Readonly<
  Record<OwnCommand, (request: OwnRequest, around: Surroundings) => Promise<number>>
> = {
  init: async (...run) => await (await import('./init/init.ts')).init(...run),
  'add-variable': async (...run) => await (await import('./add-variable.ts')).addVariable(...run),
};

/**
 * Runs a command that no action does.
 *
 * @returns the exit status
 */
export const runOwn = (request: OwnRequest, around: Surroundings): Promise<number> =>
  commands[request.command](request, around);
