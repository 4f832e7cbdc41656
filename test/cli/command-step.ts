import { appendFileSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Launch, type RunningProcess, startProcess } from '../../emulator/runner/process.ts';
import { variableOf } from '../../src/cli/commands.ts';
import { isOnlyOnGitHub } from '../../src/cli/refused.ts';
import type { Input } from '../../src/inputs/input.ts';
import { type ActionName, actions } from '../../src/inputs.ts';
import { readResult } from '../support/results.ts';
import { gitlabFork, gitlabMergeRequest, gitlabPush, gitlabStop } from './ci-environments.ts';

type Variables = Readonly<Record<string, string>>;

/** What no command has of a step's variables: those of GitHub's runner, by which it would refuse to run. */
const ofRunner = /^(ACTIONS|GITHUB|INPUT|RUNNER|STATE)_/;

/** A job of GitLab about what the event of a step is about. */
function jobOf({ GITHUB_EVENT_PATH: file = '', GITHUB_SHA: pushed = '' }: Variables): Variables {
  const { action, pull_request: request } = JSON.parse(readFileSync(file, 'utf8'));
  if (request === undefined) return { ...gitlabPush, CI_COMMIT_SHA: pushed };
  const isFork = request.head.repo.full_name !== request.base.repo.full_name;
  const job = action === 'closed' ? gitlabStop : isFork ? gitlabFork : gitlabMergeRequest;
  return { ...job, CI_COMMIT_SHA: request.head.sha, CI_MERGE_REQUEST_IID: `${request.number}` };
}

/** The inputs that a step was given, as variables of the command, whose ledger is a file. */
function givenTo(action: ActionName, variables: Variables): Variables {
  const given: Record<string, string> = {};
  for (const [name, { default: standard }] of Object.entries<Input>(actions[action].inputs)) {
    const value = variables[`INPUT_${name.toUpperCase()}`];
    if (!value || value === standard) continue;
    if (name === 'preview-projects') given['SITE_PROJECT_ID'] = value;
    else if (!isOnlyOnGitHub(action, name)) given[variableOf(name)] = value;
  }
  return 'env-ledger' in actions[action].inputs ? { ...given, SITE_ENV_LEDGER: 'ledger' } : given;
}

/**
 * Starts the command in place of a step's main script, in a job of GitLab about the same, with `--json`. What it prints
 * is held against the schema of a result; the step gets the outcome.
 *
 * @param script the command's script
 */
export const startCommand =
  (script: string): Launch =>
  ({ args, cwd, env, onLine, file }, part): RunningProcess => {
    if (part !== 'main') {
      const ended = Promise.resolve({ exitCode: 0, signal: null, stdout: '', stderr: '' });
      return { ended, cancel: async () => undefined, kill: () => undefined };
    }
    const action = basename(args.at(-1) ?? '', '.js') as ActionName;
    const own = Object.entries(env).filter(([name]) => !ofRunner.test(name));
    const running = startProcess({
      file,
      cwd,
      onLine,
      args: [script, action, '--json'],
      env: {
        // For the next process of the same code; it is removed with it.
        NODE_COMPILE_CACHE: join(dirname(script), 'compiled'),
        ...Object.fromEntries(own),
        ...jobOf(env),
        ...givenTo(action, env),
      },
    });
    const ended = running.ended.then((end) => {
      const { outcome } = readResult(end.stdout);
      appendFileSync(env['GITHUB_OUTPUT'] ?? '', `outcome=${outcome}\n`);
      return end;
    });
    return { ...running, ended };
  };
