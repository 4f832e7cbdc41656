import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A wrong version of `src/`. */
export interface Mutant {
  why: string;
  /** The file that is wrong, where it has `wrong` in place of `right`. */
  in: string;
  right: string;
  wrong: string;
  /** A seed, or a file of tests. */
  by: number | string;
}

/** All wrong versions, by name. */
export const mutants = parse(
  readFileSync(new URL('mutants.yml', import.meta.url), 'utf8'),
) as Record<string, Mutant>;

/** Makes the text of a file wrong. @throws if it does not have what is to be replaced, or more than once */
export function mutate(text: string, mutant: Mutant): string {
  const words = mutant.right.trim().split(/\s+/).map(RegExp.escape);
  const [before, after, ...more] = text.split(new RegExp(words.join('\\s+')));
  if (after !== undefined && more.length === 0) return `${before}${mutant.wrong}${after}`;
  throw new Error(`${mutant.in} must have once: ${mutant.right}`);
}
