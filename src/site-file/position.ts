import type { Code } from '../kernel/code.ts';
import type { Problem } from '../kernel/problem.ts';
import { printable } from '../kernel/text/clean.ts';

/** A position in the site file. Both count from 1; a column is one UTF-16 unit, as editors count. */
export interface Position {
  line: number;
  column: number;
}

/** What is told of a place in a file. */
interface Told extends Position {
  /** What is wrong there and what to do. */
  message: string;
}

/** Something wrong with the site file. Never holds a value that stands in it. */
export interface Mistake extends Told {
  code: Code;
}

/** The way to a key or item of the site file, such as `['registered-domains', 'example.com', 'dns', 0]`. */
export type Path = readonly PropertyKey[];

/** A mistake as one line for people: `line 3, column 5: …`. */
export function showMistake({ line, column, message }: Told): string {
  return `line ${line}, column ${column}: ${message}`;
}

/**
 * All mistakes, sorted by position. Each stands once, although what an anchor holds is read wherever an alias
 * names it; and what is no good by the first judgement is not judged a second time.
 *
 * @param first what is wrong with the file as YAML, or by its schema
 * @param second what is wrong with what it says
 */
export function inOrder<One extends Told>(first: readonly One[], second: readonly One[]): One[] {
  const at = ({ line, column }: Position) => `${line}:${column}`;
  const judged = new Set(first.map(at));
  const all = [...first, ...second.filter((mistake) => !judged.has(at(mistake)))];
  const once = new Map(all.map((mistake) => [showMistake(mistake), mistake]));
  return [...once.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

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
