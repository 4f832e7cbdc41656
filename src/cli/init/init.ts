import { resolve } from 'node:path';
import { readSiteFile } from '../../declared/model/read.ts';
import { diagnose, type Problem, printed, requiredAndEmpty } from '../../kernel/diagnostic.ts';
import { clean, defuse } from '../../kernel/text/safe.ts';
import { type Flags, type SetupRequest, settingOf, UsageError } from '../arguments.ts';
import { exitStatus } from '../exit-status.ts';
import { givenInputs } from '../given.ts';
import { readDefaultBranch, readLocalGit } from '../local-git.ts';
import { type PlannedFile, readExisting, writePlanned } from '../planned-files.ts';
import { readCloneUrl } from '../run-context.ts';
import type { SetupSurroundings } from '../surroundings.ts';
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
 * @throws UsageError, ServiceError, DiagnosedError
 */
export async function init(request: SetupRequest, around: SetupSurroundings): Promise<number> {
  const { root, branch, origin } = await findRepository(request, around.folder);
  const { names, leftOut } = await readExampleNames(root, settingOf(request, 'env-example'));
  const words = commandWords('init', request, around.environment);
  const given = await givenInputs('init', request, around);
  const texts = await askMissing(given, origin, words, around);
  const { settings, repositories, problems } = readSettings(texts, origin);
  for (const problem of problems) {
    around.stderr.write(`site-deploy: ${defuse(describeProblem(problem, words))}\n`);
  }
  if (settings === undefined || repositories === undefined) {
    return exitStatus({ outcome: 'failed', fails: true, isWrong: true });
  }

  using view = openView(around.stdout, around.environment, true);
  const show = (text: string) => view.show({ kind: 'line', text: defuse(text) });
  for await (const line of checkSettings(settings, repositories, around)) show(line);
  if (leftOut.length > 0) {
    show(
      `! left out of the example file, because the name is not in capitals, or is of the runner, Node, git or this command: ${leftOut.join(', ')}`,
    );
  }
  if (names.length === 0) {
    show(
      '! no names of variables were found in a file such as .env.example. To add one: site-deploy add-variable NAME',
    );
  }

  const planned: PlannedFile[] = [];
  const hasPreviews = settings['preview-domain'] !== undefined;
  for (const [path, text] of starterFiles({ names, branch, hasPreviews })) {
    const before = await readExisting(root, path);
    // One with CRLF keeps that.
    const after = before?.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
    if (before === after) continue;
    if (before === undefined || request.settings.overwrite) planned.push({ path, before, after });
    else show(describeKept(path, before, names));
  }
  if (planned.length === 0) show('There is no file to write.');
  if (planned.some(({ after }) => after.includes('uses: OWNER/'))) {
    show('! replace OWNER in each uses: with the account that has the action');
  }
  if (!(await writePlanned(planned, root, request.settings, around))) return 0;

  show(
    '\nSet the secrets and variables. gh reads each secret from the terminal or from standard input:',
  );
  if (root !== resolve(around.folder)) show(`  cd ${quoted(root)}`);
  if (origin.repository === '') show('  git remote add origin URL-OF-THE-REPOSITORY-ON-GITHUB');
  for (const command of setCommands(settings, names)) show(`  ${command}`);
  show('\nThen push. Your commit goes live on all domains of the project.');
  if (names.length > 0) {
    show(
      `The first run overwrites these variables of the project, and no one can read the old values back: ${names.join(', ')}`,
    );
  }
  show('  git add .github');
  show("  git commit --message 'Deploy with site-deploy'");
  show(`  git push origin ${quoted(branch)}`);
  return 0;
}

/** A line about a file that is kept. That of the site file has how to add the names that it lacks. */
function describeKept(path: string, text: string, names: readonly string[]): string {
  const known = new Set(readSiteFile(text).siteFile.environment.map(({ name }) => name));
  const added = path.endsWith('/site.yml') ? names.filter((name) => !known.has(name)) : [];
  const how = added.map((name) => `\n  To add ${name}: site-deploy add-variable ${name}`);
  return `! ${path} exists and is kept as it is; --overwrite replaces it${how.join('')}`;
}

/** A branch that means the same in a filter of a workflow, in an expression and in a shell. */
const plainBranch = /^[A-Za-z0-9_][\w./-]*$/;

/** The repository in a folder, and its branch. @throws UsageError if there is none, or its branch can't be written */
async function findRepository(flags: Flags, here: string) {
  const root = resolve(here, settingOf(flags, 'into') ?? '.');
  const git = await readLocalGit(root);
  if (git?.root !== root) {
    throw new UsageError(
      `${clean(root, 200)} is not the top of a git repository, where GitHub reads workflows: name that with --into, or run git init`,
    );
  }
  const branch = (await readDefaultBranch(root)) ?? git.branch ?? 'main';
  if (!plainBranch.test(branch)) {
    throw new UsageError(
      `the branch ${clean(branch, 80)} has other characters than letters, digits, ".", "_", "-" and "/": check out another`,
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
