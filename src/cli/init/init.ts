import { resolve } from 'node:path';
import {
  DiagnosedError,
  diagnose,
  type Problem,
  printed,
  requiredAndEmpty,
} from '../../kernel/diagnostic.ts';
import { createRedact, createSanitize } from '../../kernel/text/redact.ts';
import { clean, defuse } from '../../kernel/text/safe.ts';
import { onCancel } from '../../machine.ts';
import { ServiceError } from '../../service/errors.ts';
import { outcomeByError } from '../../step/run-outcome.ts';
import { boundRun } from '../../step/step.ts';
import { type Flags, type SetupRequest, UsageError } from '../arguments.ts';
import { exitStatus } from '../exit-status.ts';
import { givenInputs } from '../given.ts';
import { readDefaultBranch, readLocalGit } from '../local-git.ts';
import { type PlannedFile, readPlace, writePlanned } from '../planned-files.ts';
import { openQuestions, personAt, type Questions } from '../prompt.ts';
import { readCloneUrl } from '../run-context.ts';
import type { Surroundings } from '../surroundings.ts';
import { openView } from '../view.ts';
import { commandWords, type Words } from '../words.ts';
import { checkSettings } from './checks.ts';
import { readExampleNames } from './example-names.ts';
import { quoted, setCommands } from './next-steps.ts';
import { askMissing, readSettings } from './settings.ts';
import { starterFiles } from './starter.ts';

/**
 * Sets up a repository: the settings and their checks, the files, and what to do next.
 *
 * @returns the exit status
 * @throws UsageError
 */
export async function init(request: SetupRequest, around: Surroundings): Promise<number> {
  const words = commandWords('init', request, around.environment);
  using bounds = boundRun(onCancel, Date.now());
  try {
    return await setUp(request, around, words, bounds.signal);
  } catch (error) {
    // The text of any other error may have a secret.
    const isKnown = error instanceof ServiceError || error instanceof DiagnosedError;
    if (!isKnown && !bounds.signal.aborted) throw error;
    const host = { signal: bounds.signal, clean: createSanitize(createRedact([])) };
    const { outcome, error: diagnostic } = outcomeByError(host, error);
    around.stderr.write(`site-deploy: ${words.translate(defuse(printed(diagnostic)))}\n`);
    return exitStatus({ outcome, fails: true });
  }
}

async function setUp(
  request: SetupRequest,
  around: Surroundings,
  words: Words,
  signal: AbortSignal,
): Promise<number> {
  const { settings: flags } = request;
  const { root, branch, origin } = await findRepository(flags, around.folder);
  const example = await readExampleNames(root, textOf(flags['env-example']));
  const given = await givenInputs('init', request, { ...around, signal });

  const person = personAt(around);
  using questions = person && openQuestions(person, signal);
  let { inputs, problems } = readSettings(given, origin);
  if (questions !== undefined) {
    problems = problems.filter(({ message }) => message !== requiredAndEmpty);
    if (problems.length === 0) {
      const texts = await askMissing(given, origin, questions, words, signal);
      if (texts === undefined) return cancel(around);
      ({ inputs, problems } = readSettings(texts, origin));
    }
  }
  const settings = inputs.values;
  for (const problem of problems) {
    around.stderr.write(`site-deploy: ${defuse(describeProblem(problem, words))}\n`);
  }
  if (settings === undefined || problems.length > 0) {
    return exitStatus({ outcome: 'failed', fails: true, isWrong: true });
  }

  using view = openView(around.stdout, around.environment, true);
  const show = (text: string) => view.show({ kind: 'line', text: defuse(text) });
  for await (const text of checkSettings(settings, around.environment, signal)) show(text);

  const hasPreviews = settings['preview-domain'] !== undefined;
  const planned: PlannedFile[] = [];
  for (const [path, text] of starterFiles({ names: example.names, branch, hasPreviews })) {
    const { text: before } = await readPlace(root, path);
    // One with CRLF keeps that.
    const after = before?.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
    if (before !== after) planned.push({ path, before, after });
  }
  if (flags['dry-run']) {
    await writePlanned(planned, root, flags, around, questions);
    return 0;
  }
  const kept = await writeFiles(planned, root, flags, around, questions);
  if (kept === undefined) return cancel(around);
  signal.throwIfAborted();

  for (const path of kept) show(`! ${path} is kept as it is`);
  for (const one of example.leftOut) show(`! ${one}`);
  if (example.names.length === 0) {
    show(
      '! No names of variables were found in a file such as .env.example. To add one: site-deploy add-variable NAME',
    );
  }
  show(
    '\nSet the secrets and variables, in the folder of the repository. gh reads each secret from the terminal or from standard input:',
  );
  for (const command of setCommands(settings, example.names, origin)) show(`  ${command}`);
  show('\nThen push. Your commit goes live on all domains of the project.');
  if (example.names.length > 0) {
    show(
      "The first run overwrites the project's variables of these names, and no one can read the old values back.",
    );
  }
  const git = root === resolve(around.folder) ? 'git' : `git -C ${quoted(root)}`;
  show(`  ${git} add .github`);
  show(`  ${git} commit --message 'Deploy with site-deploy'`);
  if (origin.repository === '') show(`  ${git} remote add origin URL-OF-THE-REPOSITORY-ON-GITHUB`);
  show(`  ${git} push origin ${quoted(branch)}`);
  return 0;
}

/** Ends it, because a person wants so. */
function cancel({ stderr }: Surroundings): number {
  stderr.write(`site-deploy: ${printed(diagnose('SD9002', 'Canceled. Nothing was written.'))}\n`);
  return exitStatus({ outcome: 'cancelled', fails: true });
}

const textOf = (value: string | true | undefined): string | undefined =>
  value === true ? undefined : value;

/** A branch that means the same in a filter of a workflow, in an expression and in a shell. */
const plainBranch = /^[A-Za-z0-9_][\w./-]*$/;

/** The repository in a folder, and its branch. @throws UsageError if there is none, or its branch can't be written */
async function findRepository(flags: Flags['settings'], here: string) {
  const root = resolve(here, textOf(flags.into) ?? '.');
  const git = await readLocalGit(root);
  if (git?.root !== root) {
    throw new UsageError(
      `${clean(root, 200)} is not the top of a git repository, where GitHub reads workflows: name that with --into, or run git init`,
    );
  }
  const branch = textOf(flags.branch) ?? (await readDefaultBranch(root)) ?? git.branch ?? 'main';
  if (!plainBranch.test(branch)) {
    throw new UsageError(
      `the branch ${clean(branch, 80)} has other characters than letters, digits, ".", "_", "-" and "/": name another with --branch`,
    );
  }
  return { root, branch, origin: readCloneUrl(git.cloneUrl) };
}

/** A mistake in an input, with how to give it if it is missing. */
function describeProblem({ input, code, message }: Problem, words: Words): string {
  const isMissing = message === requiredAndEmpty;
  const what = isMissing ? `is empty: ${words.howToGive(input)}` : words.translate(message);
  const name = words.nameOf(input);
  return printed(diagnose(code, what.startsWith('is ') ? `${name} ${what}` : `${name}: ${what}`));
}

/**
 * Writes new files together, and then each that exists, as far as one agrees.
 *
 * @returns the files that are kept as they are; undefined if nothing was written
 * @throws UsageError if files exist and differ, and nobody can agree to replace them
 */
async function writeFiles(
  planned: readonly PlannedFile[],
  root: string,
  flags: Flags['settings'],
  around: Surroundings,
  questions: Questions | undefined,
): Promise<string[] | undefined> {
  const added = planned.filter(({ before }) => before === undefined);
  const existing = planned.filter(({ before }) => before !== undefined);
  if (existing.length > 0 && !flags.overwrite && questions === undefined) {
    const paths = existing.map(({ path }) => path).join(', ');
    throw new UsageError(
      `nothing was written: it would replace ${paths}. --overwrite with --yes does so, --dry-run shows how`,
    );
  }
  if (added.length > 0) {
    const end = await writePlanned(added, root, flags, around, questions);
    if (end === 'declined') return undefined;
  }
  const { yes, ...others } = flags;
  const careful = yes && flags.overwrite ? flags : others;
  const kept: string[] = [];
  for (const file of existing) {
    const end = await writePlanned([file], root, careful, around, questions);
    if (end === 'declined') kept.push(file.path);
  }
  return kept;
}
