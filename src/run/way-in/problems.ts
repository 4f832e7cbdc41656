import type { Problem } from '../../core/problem.ts';
import { clean } from '../../core/text/clean.ts';
import type { Redact } from '../../core/text/redact.ts';
import { type SafeText, shorten, trusted } from '../../core/text/safe.ts';
import type { Log } from '../../github/log.ts';

/** The most lines that are told: a file of another kind may have thousands of mistakes. */
const maxLines = 50;

/** The longest that a list of problems may be, in characters: it becomes one annotation. */
const longest = 3500;

/** One problem in a line. What a file says may be a stranger's words: marks in it are not ours (see `OwnMarks`). */
function describe({ input, message }: Problem, redact: Redact): string {
  const isOfFile = input === 'config' || input.startsWith('env-file');
  return redact(`${input}: ${message}`, isOfFile ? 'none' : 'all');
}

/**
 * Tells what is wrong with the inputs: several problems a line each, one by the error alone.
 *
 * @returns all of it in one line, several problems numbered
 */
export function tellProblems(problems: readonly Problem[], log: Log, redact: Redact): SafeText {
  const told = problems.slice(0, maxLines).map((problem) => describe(problem, redact));
  const [only = ''] = told;
  if (problems.length === 1) return shorten(trusted(redact(only)), longest);
  for (const one of told) log.write({ kind: 'line', text: `× ${clean(one)}` });
  if (problems.length > maxLines) {
    log.write({ kind: 'line', text: `… and ${problems.length - maxLines} more` });
  }
  const numbered = told.map((one, index) => `(${index + 1}) ${one}`).join('. ');
  return shorten(trusted(redact(`${problems.length} mistakes. ${numbered}`)), longest);
}
