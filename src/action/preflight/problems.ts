import type { Log } from '../../github/log.ts';
import {
  type Diagnostic,
  diagnose,
  joinDiagnostics,
  printed,
  reword,
} from '../../kernel/diagnostic.ts';
import type { Problem } from '../../kernel/problem.ts';
import { clean } from '../../kernel/text/clean.ts';
import type { Redact } from '../../kernel/text/redact.ts';
import { shorten, unsafeText } from '../../kernel/text/safe.ts';

/** The most lines that are shown: the wrong file may have thousands of mistakes. */
const maxLines = 50;

/** The most characters of a list of problems: it becomes one annotation. */
const longest = 3500;

/** One problem in a line. A file's contents are outside text: cut marks in it are not ours (see `OwnMarks`). */
function describe({ input, code, message }: Problem, redact: Redact): Diagnostic<string> {
  const isOfFile = input === 'config' || input.startsWith('env-file');
  const text = message.startsWith('is ') ? `${input} ${message}` : `${input}: ${message}`;
  return diagnose(code, redact(text, isOfFile ? 'none' : 'all'));
}

/** The problems that fit into one annotation, numbered; at least the first. */
function number(told: readonly Diagnostic<string>[]): Diagnostic<string>[] {
  let length = 0;
  return told
    .map((one, index) => reword(one, (text) => `(${index + 1}) ${text}`))
    .filter((one, index) => {
      length += printed(one).length + 1;
      return index === 0 || length <= longest;
    });
}

/**
 * Logs problems of the inputs, one per line; a single one is only returned.
 *
 * @returns all of them in one line, numbered if there are several
 */
export function tellProblems(problems: readonly Problem[], log: Log, redact: Redact): Diagnostic {
  const short = (text: string) => shorten(unsafeText(redact(text)), longest);
  const told = problems.slice(0, maxLines).map((problem) => describe(problem, redact));
  const [only] = told;
  if (only !== undefined && problems.length === 1) return reword(only, short);
  for (const one of told)
    log.write({ kind: 'line', text: `× ${printed(reword(one, (text) => clean(text)))}` });
  if (problems.length > maxLines) {
    log.write({ kind: 'line', text: `… and ${problems.length - maxLines} more` });
  }
  const shown = number(told.map((one) => reword(one, short)));
  const which = shown.length === problems.length ? '.' : `, the first ${shown.length}:`;
  const all = joinDiagnostics(shown) ?? diagnose('SD1002', '');
  return reword(all, (text) => unsafeText(redact(`${problems.length} mistakes${which} ${text}`)));
}
