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
import { codeOf, onCancel, readFileBelow } from '../../machine.ts';
import { findDestination } from '../../replace-file.ts';
import { ServiceError } from '../../service/errors.ts';
import { readInputs } from '../../step/read-values.ts';
import { outcomeByError } from '../../step/run-outcome.ts';
import { boundRun } from '../../step/step.ts';
import { type Flags, type SetupRequest, UsageError } from '../arguments.ts';
import { exitStatus } from '../exit-status.ts';
import { givenInputs } from '../given.ts';
import { readDefaultBranch, readLocalGit } from '../local-git.ts';
import { setupCommands } from '../setup-commands.ts';
import { type PlannedFile, writePlanned } from '../planned-files.ts';
import { personAt } from '../prompt.ts';
import { readCloneUrl } from '../run-context.ts';
import type { Surroundings } from '../surroundings.ts';
import { openView, type View } from '../view.ts';
import { commandWords, type Words } from '../words.ts';
import { checkSettings } from './checks.ts';
import { type ExampleNames, readExampleNames } from './example-names.ts';
import { pushCommands, setCommands } from './next-steps.ts';
import { completeSettings, type Origin, problemsOf, type Settings } from './settings.ts';
import { starterFiles } from './starter.ts';

/**
 * Sets up a repository: the settings and their checks, the files, and what to do next.
 *
 * @returns the exit status
 * @throws UsageError
 */
export async function init(request: SetupRequest, around: Surroundings): Promise<number> {
  const { environment, stdout, stderr } = around;
  const words = commandWords('init', request, environment);
  using bounds = boundRun(onCancel, Date.now());
  using view = openView(stdout, environment, true);
  try {
    return await setUp(request, around, words, view, bounds.signal);
  } catch (error) {
    const isKnown = error instanceof ServiceError || error instanceof DiagnosedError;
    if (!isKnown && !bounds.signal.aborted) throw error;
    const host = { signal: bounds.signal, clean: createSanitize(createRedact([])) };
    const { outcome, error: diagnostic } = outcomeByError(host, error);
    stderr.write(`site-deploy: ${words.translate(defuse(printed(diagnostic)))}\n`);
    return exitStatus({ outcome, fails: true });
  }
}

async function setUp(
  request: SetupRequest,
  around: Surroundings,
  words: Words,
  view: View,
  signal: AbortSignal,
): Promise<number> {
  const { settings: flags } = request;
  const { environment, stderr } = around;
  const repository = await findRepository(flags, around.folder);
  const { root, branch, origin } = repository;
  const example = await readExampleNames(root, textOf(flags['env-example']));

  const texts = await givenInputs('init', request, { ...around, signal });
  const inputs = readInputs(setupCommands.init.inputs, (name) => texts[name]);
  const person = personAt(around);
  const problems = problemsOf(inputs, person !== undefined, origin);
  for (const problem of problems) {
    stderr.write(`site-deploy: ${defuse(describeProblem(problem, words))}\n`);
  }
  if (problems.length > 0) return exitStatus({ outcome: 'failed', fails: true, isWrong: true });
  const interview = person && { person, signal, translate: words.translate };
  const settings = await completeSettings(inputs, interview, origin);

  for await (const text of checkSettings(settings, environment, signal)) {
    view.show({ kind: 'line', text });
  }

  const hasPreviews = settings.previews !== undefined;
  const files = starterFiles({ names: example.names, branch, hasPreviews });
  const planned = await planFiles(root, files);
  if (flags['dry-run']) {
    await writePlanned(planned, root, flags, around);
    return 0;
  }
  const kept = await writeFiles(planned, root, request, around);
  if (kept === undefined) {
    stderr.write('site-deploy: nothing was written\n');
    return exitStatus({ outcome: 'cancelled', fails: true });
  }
  for (const text of describeNext(settings, example, repository, kept)) {
    view.show({ kind: 'line', text });
  }
  return 0;
}

/** A repository of this machine. */
interface LocalRepository {
  root: string;
  /** True if it is in the current folder. */
  isHere: boolean;
  /** The branch that is deployed. */
  branch: string;
  origin: Origin;
}

const textOf = (value: string | true | undefined): string | undefined =>
  value === true ? undefined : value;

/** A branch that means the same in a filter of a workflow, in an expression and in a shell. */
const plainBranch = /^[A-Za-z0-9_][\w./-]*$/;

/** @throws UsageError if there is no repository, or its branch can't be written */
async function findRepository(flags: Flags['settings'], here: string): Promise<LocalRepository> {
  const root = resolve(here, textOf(flags.into) ?? '.');
  const shown = clean(root, 200);
  const git = await readLocalGit(root);
  if (git === undefined) {
    throw new UsageError(
      `${shown} is not a git repository: name one with --into, or run git init in it`,
    );
  }
  if (git.root !== root) {
    throw new UsageError(
      `${shown} is inside the repository ${clean(git.root, 200)}: GitHub reads workflows only at its top. Name that folder with --into`,
    );
  }
  const branch = textOf(flags.branch) ?? (await readDefaultBranch(root)) ?? git.branch ?? 'main';
  if (!plainBranch.test(branch)) {
    throw new UsageError(
      `the branch ${clean(branch, 80)} has other characters than letters, digits, ".", "_", "-" and "/": name another with --branch`,
    );
  }
  const { serverUrl, repository } = readCloneUrl(git.cloneUrl);
  return { root, isHere: root === resolve(here), branch, origin: { serverUrl, repository } };
}

/** A mistake in an input, with how to give it if it is missing. */
function describeProblem({ input, code, message }: Problem, words: Words): string {
  const isMissing = message === requiredAndEmpty;
  const what = isMissing ? `is empty: ${words.howToGive(input)}` : words.translate(message);
  const name = words.nameOf(input);
  return printed(diagnose(code, what.startsWith('is ') ? `${name} ${what}` : `${name}: ${what}`));
}

/**
 * The files that differ from those that are there. One with CRLF keeps that.
 *
 * @throws UsageError if one can't be read, or is or contains a link
 */
async function planFiles(
  root: string,
  files: readonly (readonly [path: string, text: string])[],
): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = [];
  for (const [path, text] of files) {
    const { kind } = await findDestination(resolve(root, path), root).catch((error: unknown) => {
      throw new UsageError(`${path} can't be read (${codeOf(error)})`);
    });
    if (kind !== 'file')
      throw new UsageError(`${path} is or contains a link, which is not followed`);
    const found = await readFileBelow(root, path);
    if ('problem' in found && !found.isMissing) throw new UsageError(`${path} ${found.problem}`);
    const before = 'text' in found ? found.text : undefined;
    const after = before?.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
    if (before !== after) planned.push({ path, before, after });
  }
  return planned;
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
  { settings: flags }: SetupRequest,
  around: Surroundings,
): Promise<string[] | undefined> {
  const added = planned.filter(({ before }) => before === undefined);
  const existing = planned.filter(({ before }) => before !== undefined);
  const isFree = flags.overwrite || personAt(around) !== undefined;
  if (existing.length > 0 && !isFree) {
    const paths = existing.map(({ path }) => path).join(', ');
    throw new UsageError(
      `nothing was written: it would replace ${paths}. --overwrite with --yes does so, --dry-run shows how`,
    );
  }
  const isDeclined =
    added.length > 0 && (await writePlanned(added, root, flags, around)) === 'declined';
  if (isDeclined) return undefined;
  const { yes, ...others } = flags;
  const careful = yes && flags.overwrite ? flags : others;
  const kept: string[] = [];
  for (const file of existing) {
    const end = await writePlanned([file], root, careful, around);
    if (end === 'declined') kept.push(file.path);
  }
  return kept;
}

/** What to do next, the command to continue with last. */
function describeNext(
  settings: Settings,
  { file, names, leftOut }: ExampleNames,
  { root, isHere, branch, origin }: LocalRepository,
  kept: readonly string[],
): string[] {
  const indented = (commands: readonly string[]) => commands.map((one) => `  ${one}`);
  const lines = kept.map((path) => `! ${path} is kept as it is`);
  for (const one of leftOut) lines.push(`! ${clean(file ?? '', 100)}: ${one}`);
  if (names.length === 0) {
    lines.push(
      '! No names of variables were found in a file such as .env.example. To add one: site-deploy add-variable NAME',
    );
  }
  const overwrites =
    names.length === 0
      ? ''
      : " The first run overwrites the project's variables of these names, and no one can read the old values back.";
  return [
    ...lines,
    '',
    'Set the secrets and variables. gh reads each secret from the terminal or from standard input:',
    ...indented(setCommands(settings, names, origin)),
    '',
    `Then push. Your commit goes live on all domains of the project.${overwrites}`,
    ...indented(pushCommands(isHere ? undefined : root, branch)),
  ];
}
