import {
  type Diagnostic,
  diagnose,
  joinDiagnostics,
  type Problem,
  printed,
  requiredAndEmpty,
  reword,
} from '../kernel/diagnostic.ts';
import type { RunEvent } from '../kernel/event.ts';
import type { Redact } from '../kernel/text/redact.ts';
import { clean, shorten, unsafeText } from '../kernel/text/safe.ts';
import type { Log } from '../platform.ts';

/** The inputs that workflows usually take from a secret or a configuration variable. */
const usual: Readonly<Record<string, 'secret' | 'variable'>> = {
  'api-key': 'secret',
  'base-url': 'variable',
  'project-id': 'variable',
};

const withheld = {
  fork: 'pull requests from forks get no secrets. Deploy them with a second workflow (examples/workflows/fork-preview.yml)',
  dependabot:
    'Dependabot started this run, so it may get only Dependabot secrets. Add the secret there too (Settings → Secrets and variables → Dependabot)',
} as const;

/** GitHub gives configuration variables to no run of a fork, secrets or not. */
const noVariables =
  'pull requests from forks get no configuration variables. Deploy them with a second workflow (examples/workflows/fork-preview.yml)';

/**
 * Adds the likely cause to the message about an empty input that a secret or a variable usually fills.
 *
 * @param howToGive how an input is given outside GitHub
 */
export function explainEmpty(
  problem: Problem,
  { trust }: RunEvent,
  howToGive?: (input: string) => string,
): Problem {
  if (howToGive !== undefined && problem.message === requiredAndEmpty) {
    return { ...problem, message: `is empty: ${howToGive(problem.input)}` };
  }
  const source = Object.hasOwn(usual, problem.input) ? usual[problem.input] : undefined;
  if (source === undefined || problem.message !== requiredAndEmpty) return problem;
  const { withheld: reason } = trust;
  if (source === 'secret' && reason !== undefined) {
    return { ...problem, message: `is empty: ${withheld[reason]}` };
  }
  if (source === 'variable' && reason === 'fork') {
    return { ...problem, message: `is empty: ${noVariables}` };
  }
  const message = `is empty. The ${source} it comes from is not set, or this job can't read it`;
  return { ...problem, message };
}

/** The most lines that are shown: the wrong file may have thousands of mistakes. */
const maxLines = 50;

/** The most characters of a list of problems: it becomes one annotation. */
const longest = 3500;

/**
 * Logs problems of the inputs, one per line; a single one is only returned.
 *
 * @returns all of them in one line, numbered if there are several
 */
export function logProblems(problems: readonly Problem[], log: Log, redact: Redact): Diagnostic {
  const short = (text: string) => shorten(unsafeText(redact(text)), longest);
  const described = problems.slice(0, maxLines).map((problem) => describeProblem(problem, redact));
  const [only] = described;
  if (only !== undefined && problems.length === 1) return reword(only, short);
  for (const one of described)
    log.write({ kind: 'line', text: `× ${printed(reword(one, (text) => clean(text)))}` });
  if (problems.length > maxLines) {
    log.write({ kind: 'line', text: `… and ${problems.length - maxLines} more` });
  }
  const shown = numberThoseThatFit(described.map((one) => reword(one, short)));
  const which = shown.length === problems.length ? '.' : `, the first ${shown.length}:`;
  const all = joinDiagnostics(shown) ?? diagnose('SD1002', '');
  return reword(all, (text) => unsafeText(redact(`${problems.length} problems${which} ${text}`)));
}

/** One problem in a line. A file's contents are outside text: cut marks in it are not ours (see `OwnMarks`). */
function describeProblem({ input, code, message }: Problem, redact: Redact): Diagnostic<string> {
  const isOfFile = input === 'config' || input.startsWith('env-file');
  const text = message.startsWith('is ') ? `${input} ${message}` : `${input}: ${message}`;
  return diagnose(code, redact(text, isOfFile ? 'none' : 'all'));
}

/** The problems that fit into one annotation, numbered; at least the first. */
function numberThoseThatFit(described: readonly Diagnostic<string>[]): Diagnostic<string>[] {
  let length = 0;
  return described
    .map((one, index) => reword(one, (text) => `(${index + 1}) ${text}`))
    .filter((one, index) => {
      length += printed(one).length + 1;
      return index === 0 || length <= longest;
    });
}
