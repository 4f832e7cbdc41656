import type { Request } from './arguments.ts';
import type { OwnCommand } from './own-commands.ts';
import type { Surroundings } from './surroundings.ts';

/** A command line of a command that no action does. */
export type OwnRequest = Extract<Request, { kind: 'own' }>;

/** Loads only the code of the command that runs. Each gives the exit status. */
const commands: Readonly<
  Record<OwnCommand, (request: OwnRequest, around: Surroundings) => Promise<number>>
> = {
  init: async () => 1,
  'add-variable': async () => 1,
};

/**
 * Runs a command that no action does.
 *
 * @returns the exit status
 */
export const runOwn = (request: OwnRequest, around: Surroundings): Promise<number> =>
  commands[request.command](request, around);
