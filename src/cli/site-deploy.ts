import { tmpdir } from 'node:os';
import { common } from '../inputs/input.ts';
import type { ActionName } from '../inputs.ts';
import { type Diagnostic, diagnose, printed, reword } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { defuse } from '../kernel/text/safe.ts';
import { codeOf, onCancel } from '../machine.ts';
import { actions, type Runnable, run } from '../main.ts';
import type { OnCancel, StepEnvironment } from '../platform.ts';
import { type RunResult, resultJson } from '../report/outputs.ts';
import { describeBroken } from '../step/end-step.ts';
import { readInputs } from '../step/read-values.ts';
import { boundRun, RunAborted } from '../step/step.ts';
import { version } from '../step/version.ts';
import { type RunRequest, readArguments, settingOf, UsageError } from './arguments.ts';
import { readBuild } from './ci.ts';
import { type CommandRun, commandPlatform, type Left } from './command-platform.ts';
import { actionNames, variableOf } from './commands.ts';
import { runComments } from './comments.ts';
import { exitStatus } from './exit-status.ts';
import { givenInputs } from './given.ts';
import { help } from './help.ts';
import { resolveDigits } from './local-commit.ts';
import { readGitReference, readLocalGit } from './local-git.ts';
import { nextAfter } from './next.ts';
import { describeNoCommit } from './no-commit.ts';
import { dotenv } from './outputs.ts';
import { type Person, prompt } from './prompt.ts';
import { refusedInputs, withoutGitHub } from './refused.ts';
import { type ReportComment, reportComment } from './report-comment.ts';
import { runContext } from './run-context.ts';
import { runSetup } from './setup-run.ts';
import { isWithheld, jobTokens, siteEnvironment } from './site-environment.ts';
import type { Surroundings } from './surroundings.ts';
import { openView } from './view.ts';
import { commandWords } from './words.ts';
import { renewFiles, type WrittenFile, writeFile, writtenFiles } from './written-files.ts';

/** A run, and how it is shown. */
interface PreparedRun extends CommandRun {
  isCi: boolean;
  notices: readonly string[];
  /** The warnings that were shown. */
  warnings: Set<string>;
  /** The comment of a pull request, if it is to be reported in a file. */
  comment: ReportComment | undefined;
}

/**
 * Runs a command line.
 *
 * @returns the exit status
 */
export async function siteDeploy(args: readonly string[], around: Surroundings): Promise<number> {
  const files = writtenFiles(args);
  try {
    const request = readArguments(args);
    switch (request.kind) {
      case 'help':
        around.stdout.write(help(request.command));
        return 0;
      case 'version':
        around.stdout.write(`${version}\n`);
        return 0;
      case 'emulator':
        // Not awaited here: its errors are none of a run.
        return around.emulator(request.args);
      case 'run':
        return await runCommand(request, files, around);
      case 'setup':
        return await runSetup(request, around, siteDeploy);
    }
  } catch (cause) {
    const action = actionNames.find((name) => name === args[0]);
    const { outcome, error, isWrong } = whyNotRun(cause, action);
    around.stderr.write(`site-deploy: ${defuse(printed(error))}\n`);
    // This error is enough, if the files can't be written either.
    await renewFiles(files, around.folder).catch(() => undefined);
    // No other flag may have this value.
    if (args.some((arg) => /^--json(=|$)/.test(arg))) {
      const next = nextAfter({ error });
      await deliverJson({ action, outputs: { outcome }, error, next }, around);
    }
    return exitStatus({ outcome, fails: true, isWrong });
  }
}

/** Why a command line was not run: what is wrong with it, its time limit, or an unexpected error. */
function whyNotRun(
  cause: unknown,
  action: ActionName = 'deploy',
): { outcome: Outcome; error: Diagnostic<string>; isWrong: boolean } {
  if (cause instanceof RunAborted) {
    return { outcome: cause.outcome, error: cause.diagnostic, isWrong: false };
  }
  if (cause instanceof UsageError) {
    return { outcome: 'failed', error: diagnose('SD1127', cause.message), isWrong: true };
  }
  const { translate } = commandWords(action, { inputs: {}, files: {} }, {});
  return { outcome: 'failed', error: reword(describeBroken(cause), translate), isWrong: false };
}

/** Runs a command: shows its plan and asks first, if there is a person to ask. */
async function runCommand(
  request: RunRequest,
  files: readonly WrittenFile[],
  around: Surroundings,
): Promise<number> {
  const cancel = new AbortController();
  using stack = new DisposableStack();
  stack.defer(onCancel(() => cancel.abort()));
  await renewFiles(files, around.folder);
  const prepared = await prepareRun(request, around, cancel.signal);
  const person = personOf(request, prepared, around);
  let left = await runOnce(request, person === undefined ? prepared : asPlan(prepared), around);
  if (person !== undefined && left.ended?.fails === false) {
    const changes = changesIn(left.result);
    const isAgreed = changes === 0 || (await prompt(person, 'Apply this plan?', cancel.signal));
    if (!isAgreed) {
      const outcome = 'cancelled';
      const result = { ...left.result, outputs: { ...left.result.outputs, outcome } } as const;
      await deliver(request, files, { ...left, result }, prepared.comment, around);
      return exitStatus({ outcome, fails: true });
    }
    left = await runOnce(request, asShown(prepared, left), around);
  }
  const lost = await deliver(request, files, left, prepared.comment, around);
  const status = left.ended === undefined ? 1 : exitStatus(left.ended);
  return status === 0 && lost > 0 ? 1 : status;
}

/** Gathers what a run needs from the command line, the environment and the CI. */
async function prepareRun(
  request: RunRequest,
  { environment, folder, isInContainer, stdin, stdout, stderr }: Surroundings,
  cancel: AbortSignal,
): Promise<PreparedRun> {
  const { command } = request;
  const started = Date.now();
  using bounds = boundRun(onAbort(cancel), started, timeoutOf(request, environment));
  const sources = { environment, folder, stdin, signal: bounds.signal };
  const texts = await givenInputs(command, request, sources);
  const git = await readLocalGit(folder);
  const readReference = async (name: string) => git && (await readGitReference(git.root, name));
  // The status is about no build, wherever it is run.
  const isOfBuild = command !== 'status';
  const said = {
    branch: settingOf(request, 'branch'),
    pullRequest: isOfBuild ? settingOf(request, 'pull-request') : 'none',
    commitSha: texts['commit-sha'],
    close: request.settings.close === true,
  };
  // A key may be piped in, and the outputs out. Some CIs give their containers a terminal, with or without TERM.
  const isAtTerminal =
    !isInContainer &&
    [stdin, stdout, stderr].some(({ isTTY }) => isTTY) &&
    ((environment['TERM'] ?? '') !== '' || environment['OS'] === 'Windows_NT');
  const around = isOfBuild ? environment : {};
  const read = await readBuild(around, { ...git, readReference }, said, isAtTerminal);
  const temp = environment['RUNNER_TEMP'] || tmpdir();
  // A preview is ended without its commit.
  const { sha, problems: unknown } = await resolveDigits(
    read.pullRequest?.isClosed ? '' : texts['commit-sha'],
    { root: git?.root, branch: read.defaultBranch, temp, environment, signal: bounds.signal },
  );
  const given = sha === undefined ? texts : { ...texts, 'commit-sha': sha };
  const build = sha === undefined ? read : { ...read, commitSha: sha };
  const noCommit =
    build.commitSha === undefined ? await describeNoCommit(build, folder, git?.commitSha) : '';
  const isForPullRequest = build.pullRequest !== undefined;
  const comments = runComments(command, given, environment, build);
  const isReported = settingOf(request, 'report') !== undefined && isForPullRequest;
  const comment = isReported ? reportComment(comments.server) : undefined;
  const words = commandWords(command, request, environment, build.ci?.request);
  const server = comment?.server ?? comments.server;
  const context = {
    ...runContext(build, { command, folder, checkout: git?.root, temp, noCommit }),
    comments: server && { ...server, translate: words.translate },
    inputWords: words,
    withholds: isWithheld,
  };
  const secrets = [context.clone?.token ?? '', ...jobTokens(environment)];
  const problems = [...refusedInputs(command, given, comments.server !== undefined), ...unknown];
  const inputs = withoutGitHub(command, given, context.comments !== undefined);
  // What is refused is not read, so that it is one problem and not several.
  for (const { input } of problems) delete inputs[input];
  return {
    command,
    started,
    onCancel: onAbort(cancel),
    environment: siteEnvironment(environment),
    inputs,
    problems,
    secrets: secrets.filter((secret) => secret !== ''),
    context,
    words,
    warnings: new Set(),
    notices: [...ledgerNotice(inputs), ...comments.notices],
    comment,
    isCi: build.ci !== undefined || (environment['CI'] ?? '') !== '',
  };
}

/** The time that a run has, in milliseconds; the default if it is given wrongly, which is an error later. */
function timeoutOf({ inputs }: RunRequest, environment: StepEnvironment): number | undefined {
  const given = (name: string) => inputs[name] ?? environment[variableOf(name)];
  const isGiven = readInputs(common, given).get('timeout');
  return isGiven ?? readInputs(common, () => undefined).get('timeout');
}

/** Calls back when a signal aborts, or at once if it has. */
const onAbort =
  (signal: AbortSignal): OnCancel =>
  (callback) => {
    if (signal.aborted) callback();
    signal.addEventListener('abort', callback, { once: true });
    return () => signal.removeEventListener('abort', callback);
  };

/** A notice that the cache, which is GitHub's, keeps no ledger here. */
function ledgerNotice(inputs: CommandRun['inputs']): string[] {
  const declares = ['env', 'env-from', 'env-file', 'config'].some((name) => inputs[name]);
  if (!declares || inputs['env-ledger'] !== 'off') return [];
  return [
    `No ledger is kept. To keep one from run to run, set --env-ledger (${variableOf('env-ledger')}) to the path of a file.`,
  ];
}

/** The commands that show what they will change, and ask. */
const confirmed: ReadonlySet<string> = new Set(['env-sync', 'domains']);

/** The person to be asked before a plan is applied; undefined if nobody is. */
function personOf(
  { command, settings }: RunRequest,
  { inputs, isCi }: PreparedRun,
  { stdin, stdout, stderr }: Surroundings,
): Person | undefined {
  const output = settings.json ? stderr : stdout;
  const applies = ['', 'apply'].includes(inputs['mode']?.trim() ?? '');
  // Some CIs give their jobs a terminal at which nobody is.
  const isPrompted = confirmed.has(command) && applies && settings.yes === undefined && !isCi;
  return isPrompted && stdin.isTTY && output.isTTY ? { input: stdin, output } : undefined;
}

/** Plans a run without a trace, for a person who is asked. */
const asPlan = (prepared: PreparedRun): PreparedRun => ({
  ...prepared,
  inputs: { ...prepared.inputs, mode: 'plan', 'fail-on-drift': 'false', comment: 'false' },
});

/** The same run, which applies only the plan that was shown. */
function asShown(prepared: PreparedRun, { result }: Left): PreparedRun {
  const again = { ...prepared, notices: [], started: Date.now() };
  const digest = result.outputs['plan-digest'];
  const given = prepared.inputs['expected-plan'] ?? '';
  if (digest === undefined || given !== '') return again;
  return { ...again, inputs: { ...prepared.inputs, 'expected-plan': digest } };
}

/** How many changes a plan has. */
function changesIn({ outputs: { plan } }: RunResult): number {
  return plan === undefined ? 0 : plan.changes.length + (plan['left-out'] ?? 0);
}

/** Loaded only if it is what runs. */
const runStatus: Runnable = async (platform) =>
  (await import('../actions/status.ts')).statusAction(platform);

/** Runs a command once. */
async function runOnce(
  request: RunRequest,
  prepared: PreparedRun,
  { environment, stdout, stderr }: Surroundings,
): Promise<Left> {
  const output = request.settings.json ? stderr : stdout;
  using view = openView(output, environment, prepared.isCi, prepared.warnings);
  for (const text of prepared.notices) view.show({ kind: 'notice', text });
  const { platform, left } = commandPlatform(prepared, view);
  const { command } = request;
  await run(command, command === 'status' ? runStatus : actions[command], platform);
  const { result } = left;
  const next = nextAfter(result, { request, ...prepared });
  return { ...left, result: { ...result, next } };
}

/** How long the reader of a pipe may take at the end, in milliseconds. */
const longestWrite = 10_000;

/**
 * Writes what the flags ask for.
 *
 * @returns how many of them can't be written
 */
async function deliver(
  request: RunRequest,
  files: readonly WrittenFile[],
  { result, summary }: Left,
  comment: ReportComment | undefined,
  around: Surroundings,
): Promise<number> {
  const { stderr, folder } = around;
  let lost = 0;
  for (const file of files) {
    const text = file.flag === 'outputs' ? dotenv(result) : defuse(comment?.written() ?? summary);
    const problem = await writeFile(file, folder, text, AbortSignal.timeout(longestWrite));
    if (problem === undefined) continue;
    stderr.write(`site-deploy: ${defuse(problem)}\n`);
    lost += 1;
  }
  // Last: its reader may pause.
  if (request.settings.json === true && !(await deliverJson(result, around))) lost += 1;
  return lost;
}

/** Writes the result on standard output. @returns false if nobody can read it */
async function deliverJson(result: RunResult, { stdout, stderr }: Surroundings): Promise<boolean> {
  const lost = await new Promise((written) => stdout.write(`${resultJson(result)}\n`, written));
  if (lost instanceof Error) {
    stderr.write(`site-deploy: --json: the result can't be written (${codeOf(lost)})\n`);
  }
  return !(lost instanceof Error);
}
