import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The folder that holds the actions, as a runner has them: an unpacked archive, which `ACTIONS_ROOT` names. Outside
 * the tests it is the repository.
 */
export const unpacked = process.env['ACTIONS_ROOT'] ?? root;
