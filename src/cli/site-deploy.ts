import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isSha } from '../contract/commit.ts';
import { version } from '../frame/version.ts';
import type { StepEnvironment } from '../platform.ts';
import { runAction } from '../run.ts';
import { type Flags, type Request, readArguments, UsageError } from './arguments.ts';
import { type CommandRun, commandPlatform, type Left } from './command-platform.ts';
import { variableOf } from './commands.ts';
import { exitStatus, wrongInputs } from './exit-status.ts';
import { givenInputs } from './given.ts';
import { help } from './help.ts';
import { dotenv, json } from './outputs.ts';
import { readCi } from './read-ci.ts';
import { refusedInputs, withoutGitHub } from './refused.ts';
import { runContext } from './run-context.ts';
import { siteEnvironment, sourceProblems } from './site-environment.ts';
import { plainView, type View } from './view.ts';

/** Where the command line runs. */
export interface Surroundings {
  environment: StepEnvironment;
  /** The current folder. */
  folder: string;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Starts the local service. */
  emulator: (args: readonly string[]) => Promise<number>;
}

type RunRequest = Extract<Request, { kind: 'run' }>;

/** The value of a setting that takes one. */
function settingOf({ settings }: Flags, name: keyof Flags['settings']): string | undefined {
  const value = settings[name];
  return value === true ? undefined : value;
}

/** Gathers what a run needs from the command line, the environment and the CI. */
async function prepare(
  request: RunRequest,
  { environment, folder }: Surroundings,
): Promise<CommandRun> {
  const { command } = request;
  const given = givenInputs(command, request, environment, folder);
  const commitSha = given['commit-sha']?.trim().toLowerCase();
  const { ci, git } = await readCi(environment, folder, {
    branch: settingOf(request, 'branch'),
    pullRequest: settingOf(request, 'pull-request'),
    commitSha: isSha(commitSha) ? commitSha : undefined,
  });
  const context = runContext(ci, {
    command,
    folder,
    checkout: git?.root,
    temp: environment['RUNNER_TEMP'],
  });
  const facts = { isForPullRequest: ci.pullRequest !== undefined, hasComments: false };
  const token = context.clone?.token ?? '';
  return {
    environment: siteEnvironment(environment),
    inputs: withoutGitHub(command, given, facts.hasComments),
    problems: [...refusedInputs(command, given, facts), ...sourceProblems(given['env-from'])],
    secrets: token === '' ? [] : [token],
    context,
  };
}

/** Says once that the cache, which is GitHub's, keeps no ledger here. */
function sayOfLedger({ inputs }: CommandRun, view: View): void {
  const declares = ['env', 'env-from', 'env-file', 'config'].some((name) => inputs[name]);
  const name = inputs['ledger'] === undefined ? 'env-ledger' : 'ledger';
  if (!declares || inputs[name] !== 'off') return;
  view.show(
    'notice',
    `No ledger is kept. To keep one, set --${name} (${variableOf(name)}) to the path of a file that your CI caches.`,
  );
}

/** Writes what the flags ask for. */
function deliver(request: RunRequest, left: Left, { stdout, folder }: Surroundings): void {
  const outputs = settingOf(request, 'outputs');
  const report = settingOf(request, 'report');
  if (outputs !== undefined) writeFileSync(resolve(folder, outputs), dotenv(left.outputs));
  if (report !== undefined) writeFileSync(resolve(folder, report), left.summary);
  if (request.settings.json) stdout.write(json(left.outputs));
}

async function run(request: RunRequest, around: Surroundings): Promise<number> {
  const prepared = await prepare(request, around);
  const view = plainView(request.settings.json ? around.stderr : around.stdout);
  sayOfLedger(prepared, view);
  const { platform, left } = commandPlatform(prepared, view);
  await runAction(request.command, platform);
  view.close(left.ended?.fails !== false);
  deliver(request, left, around);
  return left.ended === undefined ? 1 : exitStatus(left.ended);
}

/**
 * Runs a command line.
 *
 * @returns the exit status
 */
export async function siteDeploy(args: readonly string[], around: Surroundings): Promise<number> {
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
        return await around.emulator(request.args);
      case 'run':
        return await run(request, around);
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    around.stderr.write(`site-deploy: ${error.message}\n`);
    return wrongInputs;
  }
}
