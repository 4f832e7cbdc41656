import type { Code } from '../kernel/code.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import { printable } from '../kernel/text/safe.ts';

/** A position in the site file. Both count from 1; columns are UTF-16 units, as in editors. */
export interface Position {
  line: number;
  column: number;
}

/** A message at a position. */
interface PositionedMessage extends Position {
  message: string;
}

/** A mistake in the site file. Never contains a value of the file. */
export interface Mistake extends PositionedMessage {
  code: Code;
}

/** The path of a key or item of the site file, such as `['registered-domains', 'example.com', 'dns', 0]`. */
export type Path = readonly PropertyKey[];

/** A mistake as one line: `line 3, column 5: …`. */
export function showMistake({ line, column, message }: PositionedMessage): string {
  return `line ${line}, column ${column}: ${message}`;
}

/**
 * All mistakes, sorted by position and without duplicates, which aliases cause. At a position with a mistake in
 * `first`, those in `second` are dropped.
 *
 * @param first mistakes of syntax or schema
 * @param second mistakes of content
 */
export function inOrder<One extends PositionedMessage>(
  first: readonly One[],
  second: readonly One[],
): One[] {
  const at = ({ line, column }: Position) => `${line}:${column}`;
  const positions = new Set(first.map(at));
  const all = [...first, ...second.filter((mistake) => !positions.has(at(mistake)))];
  const unique = new Map(all.map((mistake) => [showMistake(mistake), mistake]));
  return [...unique.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** A problem of the site file with its full path, so that a secret given as the path by mistake is masked. */
export function siteProblem(path: string, { code, message }: Omit<Problem, 'input'>): Problem {
  return { input: 'config', code, message: `${printable(path)} ${message}` };
}

/** The mistakes of a site file as problems, with path and position. */
export function siteProblems(path: string, mistakes: readonly Mistake[]): Problem[] {
  return mistakes.map((mistake) =>
    siteProblem(path, { code: mistake.code, message: showMistake(mistake) }),
  );
}
