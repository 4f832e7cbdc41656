import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The folder that holds the actions, as a runner has them: an unpacked archive, which `ACTIONS_ROOT` names. Outside
 * the tests it is the repository.
 */
export const unpacked = process.env['ACTIONS_ROOT'] ?? root;

/**
 * Where Node keeps what it compiled for the next process of the same code, until the next build. It is the same code:
 * Node compiles anew what is not of the same text and the same version. What is started as the runner starts it has no
 * such folder, so that the whole start is tried there.
 */
export const compiled: string = fileURLToPath(new URL('../../build/compiled', import.meta.url));
