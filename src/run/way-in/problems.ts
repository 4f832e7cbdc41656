import type { Problem } from '../../core/problem.ts';
import { clean } from '../../core/text/clean.ts';
import type { Redact } from '../../core/text/redact.ts';
import type { Log } from '../../github/log.ts';

/** The most lines that are told: a file of another kind may have thousands of mistakes. */
const mostLines = 50;

/** The longest that a list of problems may be, in characters: it becomes one annotation. */
const longest = 3500;

/**
 * Tells what is wrong with the inputs, a line each.
 *
 * @returns all of it in one line
 */
export function tellProblems(problems: readonly Problem[], log: Log, redact: Redact): string {
  const all = problems.map(({ input, message }) => `${input}: ${message}`);
  for (const one of all.slice(0, mostLines)) {
    log.write({ kind: 'line', text: `× ${clean(redact(one))}` });
  }
  if (all.length > mostLines) {
    log.write({ kind: 'line', text: `… and ${all.length - mostLines} more` });
  }
  const whole =
    all.length === 1
      ? (all[0] ?? '')
      : `${all.length} mistakes. ${all.slice(0, mostLines).join('. — ')}`;
  return clean(redact(whole), longest);
}
