import type { Code } from '../kernel/code.ts';
import type { Diagnostic } from '../kernel/diagnostic.ts';
import type { Next } from '../output-shapes.ts';
import { isBranchName } from '../push/intent.ts';
import { secretsInGitUrl } from '../push/model/git-url.ts';
import type { RunResult } from '../report/outputs.ts';
import type { Flags, Request } from './arguments.ts';
import { fileFlagOf, inputsOf, isList } from './commands.ts';
import type { Words } from './words.ts';

type RunRequest = Extract<Request, { kind: 'run' }>;

/** What is known of a run that failed. */
interface FailedRun {
  request: RunRequest;
  /** The texts of its inputs, whatever gave them. */
  inputs: Flags['inputs'];
  words: Pick<Words, 'translate'>;
}

/** What only a person can do about the errors that people meet most, in the words of workflow authors. */
export const needs = {
  SD1001:
    'A value for each input that the message names: as a flag, or as its environment variable. A secret is never a flag.',
  SD1002:
    'A valid value for each input that the message names. "site-deploy COMMAND --help" lists what each takes.',
  SD1109: 'A commit: run the command in a clone that has one, or set commit-sha.',
  SD1127: 'A correct command line. "site-deploy COMMAND --help" lists the flags.',
  SD1202:
    'A value for each variable that the message names, where the command runs. Keep the names in env-from: the site may need the variables.',
  SD3001: 'A connection to the service: check base-url, DNS, the firewall and the proxy.',
  SD3401: 'An API key that the service accepts, in api-key.',
  SD3403: 'The missing permission of the API key. Its owner adds it on the service.',
  SD3404:
    'The right project-id, which "site-deploy projects" lists, or the key of the workspace that has the project. Check base-url, too.',
  SD3421:
    "The commit on the branch that the service deploys: git-url must be the project's own repository, and git-branch that branch. Check project-id, too.",
  SD3500: 'Check on the service what the run has done. Then run the command again.',
  SD4001:
    'A decision for each variable that the message names: the value on the service, or the declared one. Someone changed it there.',
  SD4003:
    'A value for each variable that the service requires: set it on the service, or in the environment with its name in env-from.',
  SD5001: 'A new commit that fixes what the build reports.',
  SD5002:
    'Check whether the site is live. So that the next run can confirm it, set verify-url, or deployment-status or deployment-events in service.',
  SD5004: 'Open the page that the message names. Fix the page with a new commit, or the check.',
  SD6001:
    'Create the DNS records in the summary at the DNS provider of the domain. Then run the command again.',
  SD7004:
    "A decision about the commits that the message names: merge the project's branch into yours, or discard them with git-force.",
  SD7010: 'The branch that the service deploys, as git-branch.',
  SD7201: "A token that the project's repository accepts, in git-token. Check git-url, too.",
} as const satisfies Partial<Record<Code, string>>;

/** Why the command of {@link changeFlags} is run, if there is one. */
export const whys: Partial<Record<Code, string>> = {
  SD3421:
    'The service does not know the commit, which is on the branch of git-branch. Without that flag, it is pushed to main, if there is one. Nothing is forced.',
  SD3500: 'The service had an internal error, which may be over. It is safe to repeat this run.',
  SD4001:
    'Keeps the values that were changed on the service, and goes on with them. The declared values are not written.',
  SD7004:
    'If the project contains only its template, the commit replaces it, and the template is kept as a branch. Otherwise nothing is pushed.',
  SD7010:
    "This is the default branch of the project's repository. If the push would remove commits from it, the run fails.",
};

/** The flags of the command to run after an error; undefined if only a person can do something. */
function changeFlags(
  { code, branch }: Diagnostic<string>,
  { request: { inputs: flags }, inputs }: FailedRun,
): Flags['inputs'] | undefined {
  switch (code) {
    case 'SD3421': {
      const { 'git-branch': given, ...others } = flags;
      return given === undefined || !inputs['git-url'] ? undefined : others;
    }
    case 'SD3500':
      return flags;
    case 'SD4001':
      return inputs['env-on-conflict'] === 'fail'
        ? { ...flags, 'env-on-conflict': 'keep' }
        : undefined;
    case 'SD7004':
      return ['', 'auto'].includes(inputs['git-force'] ?? '')
        ? { ...flags, 'git-force': 'adopt' }
        : undefined;
    case 'SD7010':
      return branch !== undefined && isBranchName(branch)
        ? { ...flags, 'git-branch': branch }
        : undefined;
    default:
      return undefined;
  }
}

/** Flags with which nobody but a person repeats a command, by their values: they discard, delete, create or switch a guard off. */
const unrepeated: Readonly<Record<string, RegExp>> = {
  'allow-production': /true/i,
  create: /true/i,
  'disconnect-on-close': /true/i,
  // Nor what may be a secret.
  env: /^/,
  'env-on-conflict': /overwrite/i,
  'env-remove': /^/,
  'git-force': /true|[0-9a-f]{40}/i,
};

/** A command line, as {@link readArguments} reads it. */
function argumentsOf({ command, inputs, files, settings }: RunRequest): string[] {
  const ofInputs = Object.entries(inputs).flatMap(([name, text]) =>
    (isList(name) ? text.split('\n') : [text]).map((one) => `--${name}=${one}`),
  );
  const ofFiles = Object.entries(files).map(([name, file]) => `--${fileFlagOf(name)}=${file}`);
  const ofRun = Object.entries(settings).map(([name, value]) =>
    value === true ? `--${name}` : `--${name}=${value}`,
  );
  return [command, ...ofInputs, ...ofFiles, ...ofRun];
}

/**
 * The arguments with which a program may repeat a command; undefined if a value is not valid, or may show a secret.
 *
 * @param given the texts of the inputs, whatever gave them
 */
function repeat(request: RunRequest, given: Flags['inputs']): string[] | undefined {
  const { command, inputs, settings } = request;
  const known = inputsOf(command);
  const argv = argumentsOf(request);
  const secrets = Object.keys(known).flatMap((name) => (known[name]?.secret && given[name]) || []);
  const isFit = ([name, text]: [string, string]) =>
    (text.trim() === '' || 'value' in (known[name]?.schema(text.trim()) ?? {})) &&
    !unrepeated[name]?.test(text);
  const isRepeatable =
    command !== 'message' &&
    settings.yes === undefined &&
    settings.close === undefined &&
    secretsInGitUrl(inputs['git-url'] ?? '', [], true).length === 0 &&
    Object.entries(inputs).every(isFit) &&
    !secrets.some((secret) => argv.join('\n').includes(secret));
  return isRepeatable ? argv : undefined;
}

/**
 * What to do about the error of a result: the arguments of the command to run next, or what only a person can do; undefined
 * if nothing is known of it. What is run discards and deletes nothing, and switches no guard off.
 *
 * @param run undefined if the command line can't be run
 */
export function nextAfter(
  { error, wrongInputs = [] }: Pick<RunResult, 'error' | 'wrongInputs'>,
  run?: FailedRun,
): Next | undefined {
  // Of several mistakes, the error has the code of the last.
  const areSame = wrongInputs.every(({ code }) => code === error?.code);
  if (error === undefined || !(error.code in needs) || !areSame) return undefined;
  const translate = run?.words.translate ?? ((text: string) => text);
  const inputs = run && changeFlags(error, run);
  const argv = inputs && repeat({ ...run.request, inputs }, run.inputs);
  return argv === undefined
    ? { needs: translate(needs[error.code as keyof typeof needs]) }
    : { argv, why: translate(whys[error.code] ?? '') };
}
