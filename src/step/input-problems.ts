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
import type { Log, RunContext, StepEnvironment } from '../platform.ts';
import type { WrongInput } from '../report/outputs.ts';

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

/** A problem as it is shown; `name` is what its input is called where the step runs. */
interface NamedProblem extends Problem {
  name: string;
}

/**
 * Calls the input of a problem what it is called where the step runs, and adds the likely cause if it is empty.
 *
 * @param environment the step's, which has all that the workflow gave it
 */
export function explainProblem(
  problem: Problem,
  {
    context: { event, inputWords },
    environment,
  }: { context: Pick<RunContext, 'event' | 'inputWords'>; environment: StepEnvironment },
): NamedProblem {
  const isEmpty = problem.message === requiredAndEmpty;
  if (inputWords !== undefined) {
    // The name of a file may follow.
    const [input = '', ...file] = problem.input.split(' ');
    const message = isEmpty ? `is empty: ${inputWords.howToGive(input)}` : problem.message;
    return { ...problem, name: [inputWords.nameOf(input), ...file].join(' '), message };
  }
  const { input } = problem;
  const empty = isEmpty ? describeEmpty(input, event.trust, environment) : undefined;
  return { ...problem, name: input, message: empty ?? problem.message };
}

/** Why an input is empty; undefined if that can't be told. */
function describeEmpty(
  input: string,
  { withheld: reason }: RunEvent['trust'],
  environment: StepEnvironment,
): string | undefined {
  const other = similarInput(input, environment);
  if (other !== undefined) return `is empty; ${clean(other, 40)} was given: did you mean ${input}?`;
  const source = Object.hasOwn(usual, input) ? usual[input] : undefined;
  if (source === undefined) return undefined;
  if (source === 'secret' && reason !== undefined) return `is empty: ${withheld[reason]}`;
  if (source === 'variable' && reason === 'fork') return `is empty: ${noVariables}`;
  return `is empty. The ${source} it comes from is not set, or this job can't read it`;
}

/** Another spelling of an input, with a value: the runner passes those too that the action does not have. */
function similarInput(input: string, environment: StepEnvironment): string | undefined {
  const bare = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const found = Object.entries(environment).find(([name, value = '']) => {
    const [, given] = /^INPUT_(.+)$/.exec(name) ?? [];
    const isSame = given !== undefined && bare(given) === bare(input);
    return isSame && value.trim() !== '' && given.toLowerCase() !== input;
  });
  return found?.[0].slice('INPUT_'.length).toLowerCase();
}

/** The most lines that are shown: the wrong file may have thousands of mistakes. */
const maxLines = 50;

/** The most characters of a list of problems: it becomes one annotation. */
const longest = 3500;

/** What is wrong with the inputs. */
export interface Mistakes {
  /** All of them in one line, numbered if there are several. */
  error: Diagnostic;
  /** Each by itself, without those that are too many to be shown. */
  wrongInputs: readonly WrongInput[];
}

/** Logs problems of the inputs, one per line; a single one is only returned. */
export function logProblems(problems: readonly NamedProblem[], log: Log, redact: Redact): Mistakes {
  const wrongInputs = problems
    .slice(0, maxLines)
    .map((problem) => describeProblem(problem, redact));
  const [only] = wrongInputs;
  if (only !== undefined && problems.length === 1) return { error: only, wrongInputs };
  for (const one of wrongInputs)
    log.write({ kind: 'problem', text: printed(reword(one, (text) => clean(text))) });
  if (problems.length > maxLines) {
    log.write({ kind: 'line', text: `… and ${problems.length - maxLines} more` });
  }
  const shown = numberThoseThatFit(wrongInputs);
  const which = shown.length === problems.length ? '.' : `, the first ${shown.length}:`;
  const all = joinDiagnostics(shown) ?? diagnose('SD1002', '');
  const error = reword(all, (text) =>
    unsafeText(redact(`${problems.length} problems${which} ${text}`)),
  );
  return { error, wrongInputs };
}

/** One problem by itself. A file's contents are outside text: cut marks in it are not ours (see `OwnMarks`). */
function describeProblem({ input, name, code, message }: NamedProblem, redact: Redact): WrongInput {
  const isOfFile = input === 'config' || input.startsWith('env-file');
  const text = message.startsWith('is ') ? `${name} ${message}` : `${name}: ${message}`;
  const short = (one: string) => shorten(unsafeText(redact(one)), longest);
  const { text: whole } = diagnose(code, redact(text, isOfFile ? 'none' : 'all'));
  return { input: short(input), ...diagnose(code, short(whole)) };
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
