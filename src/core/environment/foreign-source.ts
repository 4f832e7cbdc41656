import { clean } from '../text/clean.ts';

/**
 * What is wrong with a source that a stranger's site file names and no input does. Whether the step's environment has
 * it is not told.
 *
 * @param line where the file names it
 */
export function foreignSource(from: string, line: number): string {
  const shown = clean(from, 80);
  return `line ${line} wants ${shown} from the step's environment. In a run that others than the repository's writers can cause, a site file may name only what the input env-from names: add ${shown} to env-from, where the action has that input, or leave it to a run after the merge`;
}
