import type { Code } from '../kernel/code.ts';
import type { Next } from '../output-shapes.ts';
import { isBranchName } from '../push/intent.ts';
import { secretsInGitUrl } from '../push/model/git-url.ts';
import type { RunResult } from '../report/outputs.ts';
import type { Flags, RunRequest } from './arguments.ts';
import { inputsOf } from './commands.ts';
import type { Words } from './words.ts';

/** What is known of a run that failed. */
interface FailedRun {
  request: RunRequest;
  /** The texts of its inputs, whatever gave them. */
  inputs: Flags['inputs'];
  words: Pick<Words, 'translate'>;
}

/** What only a person can do about the errors that people meet most, in the words of workflow authors. */
export const needs = {
  SD1001: 'A value for each input that the message names. A secret is never a flag.',
  SD1002: 'A valid value for each input that the message names.',
  SD1109: 'A commit: run the command in a clone that has one, or set commit-sha.',
  SD1127: 'A correct command line. "site-deploy COMMAND --help" lists the flags.',
  SD1202: 'A value for each variable that the message names. Keep its name: the site may need it.',
  SD3001: 'A connection to the service: check base-url, DNS, the firewall and the proxy.',
  SD3401: 'An API key that the service accepts, in api-key.',
  SD3403: 'The missing permission of the API key. Its owner adds it on the service.',
  SD3404: 'The right project-id or base-url, or a key of the workspace that has the project.',
  SD3421: "The project's own repository as git-url, and the branch that it deploys as git-branch.",
  SD3500: 'Check on the service what the run has done. Then run the command again.',
  SD4001: 'A decision for each variable that the message names: to keep or to overwrite its value.',
  SD4003: 'A value for each variable that the service requires, there or by its name in env-from.',
  SD5001: 'A new commit that fixes what the build reports.',
  SD5002: 'Check whether the site is live. To confirm it next time, set verify-url.',
  SD5004: 'Open the page that the message names. Fix it with a new commit, or fix the check.',
  SD6001: 'Create the DNS records in the summary. Then run the command again.',
  SD7004: 'Merge the commits that the message names, or decide to discard them with git-force.',
  SD7010: 'The branch that the service deploys, as git-branch.',
  SD7201: "A token that the project's repository accepts, in git-token. Check git-url, too.",
} as const satisfies Partial<Record<Code, string>>;

/** Why a command is run after an error. */
export const whys: Partial<Record<Code, string>> = {
  SD3421:
    'The service does not know the commit. Without git-branch, it is pushed to main, if there is one. Nothing is forced.',
  SD3500: 'The service had an internal error, which may be over. It is safe to repeat this run.',
  SD4001: 'Keeps what was changed on the service. The declared values are not written.',
  SD7004: 'Replaces a template only, which is kept as a branch. Otherwise, nothing is pushed.',
  SD7010: "The default branch of the project's repository. The push removes no commit from it.",
};

/** The flags to set after an error, if any; undefined if only a person can do something. */
function changeAfter(
  { code, branch }: NonNullable<RunResult['error']>,
  inputs: Flags['inputs'],
): Flags['inputs'] | undefined {
  const isPushed = inputs['git-branch'] && inputs['git-url'];
  const isForced = !['', 'auto'].includes(inputs['git-force'] ?? '');
  if (code === 'SD3421' && isPushed) return { 'git-branch': '' };
  if (code === 'SD3500') return {};
  if (code === 'SD4001' && inputs['env-on-conflict'] === 'fail')
    return { 'env-on-conflict': 'keep' };
  if (code === 'SD7004' && !isForced) return { 'git-force': 'adopt' };
  if (code === 'SD7010' && branch !== undefined && isBranchName(branch))
    return { 'git-branch': branch };
  return undefined;
}

/** Inputs with which only a person repeats a command, by their values: they discard, delete, create or switch a guard off. */
const unrepeated: Readonly<Record<string, RegExp>> = {
  'allow-production': /true/i,
  create: /true/i,
  'disconnect-on-close': /true/i,
  'env-on-conflict': /overwrite/i,
  'env-remove': /\S/,
  'git-force': /true|[0-9a-f]{40}/i,
};

/**
 * True if a program may run a command line: each value is valid, none may be a secret, and nothing is sent twice.
 *
 * @param given the texts of the inputs, whatever gave them
 */
function isRepeatable({ command, args, inputs, settings }: RunRequest, given: Flags['inputs']) {
  const known = inputsOf(command);
  const secrets = Object.keys(known).flatMap((name) => (known[name]?.secret && given[name]) || []);
  const isFit = ([name, text]: [string, string]) =>
    text.trim() === '' || 'value' in (known[name]?.schema(text.trim()) ?? {});
  return (
    command !== 'message' &&
    settings.yes === undefined &&
    settings.close === undefined &&
    secretsInGitUrl(inputs['git-url'] ?? '', [], Boolean(given['git-token'])).length === 0 &&
    Object.entries(inputs).every(isFit) &&
    Object.entries({ ...given, ...inputs }).every(
      ([name, text]) => !unrepeated[name]?.test(text),
    ) &&
    // Its values may be secrets.
    inputs['env'] === undefined &&
    !secrets.some((secret) => args.join('\n').includes(secret))
  );
}

/** The arguments of the command to run after an error; undefined if only a person can do something. */
function commandAfter(error: NonNullable<RunResult['error']>, { request, inputs }: FailedRun) {
  const change = changeAfter(error, inputs);
  if (change === undefined) return undefined;
  const args = [...request.args];
  for (const [name, value] of Object.entries(change)) {
    const flag = `--${name}`;
    const at = args.findIndex((one) => one === flag || one.startsWith(`${flag}=`));
    if (at !== -1) args.splice(at, args[at] === flag ? 2 : 1);
    args.push(`${flag}=${value}`);
  }
  const next = { ...request, args, inputs: { ...request.inputs, ...change } };
  return isRepeatable(next, inputs) ? args : undefined;
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
  const argv = run && commandAfter(error, run);
  return argv === undefined
    ? { needs: translate(needs[error.code as keyof typeof needs]) }
    : { argv, why: translate(whys[error.code] ?? '') };
}
