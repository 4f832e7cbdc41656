import type { Problem } from '../kernel/problem.ts';
import { printable } from '../kernel/text/clean.ts';
import { type Mistake, showMistake } from './position.ts';

/** A problem of the site file, which names the file, whole: a key that was given here by mistake is then known again. */
export function siteProblem(path: string, { code, message }: Omit<Problem, 'input'>): Problem {
  return { input: 'config', code, message: `${printable(path)} ${message}` };
}

/** The mistakes of a site file as problems, each with the file and its place in it. */
export function siteProblems(path: string, mistakes: readonly Mistake[]): Problem[] {
  return mistakes.map((mistake) =>
    siteProblem(path, { code: mistake.code, message: showMistake(mistake) }),
  );
}
