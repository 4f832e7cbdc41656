import { actions } from '../inputs.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import { type CommandName, inputsOf, type RunName } from './commands.ts';

/** What rests on GitHub, where the action keeps its memory: which values of an input, and why. */
interface Refusal {
  /** Given the text of the input, never empty. */
  refuses: (text: string) => boolean;
  why: string;
}

const any = (): boolean => true;
const anyBut =
  (...words: readonly string[]) =>
  (text: string): boolean =>
    !words.includes(text.toLowerCase());
const only = (word: string) => (text: string) => text.toLowerCase() === word;

const deployments = 'is not available here: it needs the records that runs on GitHub keep';
const noGitHub = 'is not available here: it is for GitHub';

/** The inputs that are refused outside GitHub. */
const refusals: Readonly<Record<string, Refusal>> = {
  'preview-projects': {
    refuses: any,
    why: `${deployments}. Set project-id to a project for previews`,
  },
  'preview-idle': { refuses: any, why: deployments },
  'on-older': { refuses: anyBut('deploy'), why: `${deployments}. Leave it empty, or set deploy` },
  'on-failed-checks': {
    refuses: only('roll-back'),
    why: `${deployments}. Leave it at fail`,
  },
  deploy: { refuses: only('if-needed'), why: `${deployments}. Set true or false` },
  'commit-sha': {
    refuses: only('previous'),
    why: `${deployments}. Set HEAD, or hex digits of the commit`,
  },
  'github-token': { refuses: any, why: noGitHub },
  'github-deployment': { refuses: anyBut('false'), why: noGitHub },
  'drift-issue': { refuses: any, why: noGitHub },
  'environment-name': { refuses: any, why: noGitHub },
  'allowed-associations': { refuses: any, why: noGitHub },
};

/** True of an input of an action that has no use outside GitHub, whatever its value is. */
export const isOnlyOnGitHub = (command: CommandName, input: string): boolean =>
  Object.hasOwn(actions, command) &&
  (input === 'github-deployment' ||
    (Object.hasOwn(refusals, input) && refusals[input]?.refuses === any));

/** The same where the CI has no comments that the command can write. */
const noComments: Refusal = {
  refuses: only('true'),
  why: 'is not available here: use --report FILE',
};

/**
 * What rests on GitHub among the inputs of a command, by its texts. Empty ones are not given. The status only reads.
 *
 * @param hasComments true if the command can write comments here
 */
export function refusedInputs(
  command: RunName,
  inputs: Readonly<Record<string, string>>,
  hasComments: boolean,
): Problem[] {
  if (command === 'status') return [];
  const all: typeof refusals = hasComments ? refusals : { ...refusals, comment: noComments };
  return Object.keys(inputsOf(command)).flatMap((input): Problem[] => {
    const text = inputs[input]?.trim() ?? '';
    const refusal = Object.hasOwn(all, input) ? all[input] : undefined;
    if (text === '' || refusal === undefined || !refusal.refuses(text)) return [];
    return [{ input, code: 'SD1123', message: refusal.why }];
  });
}

/** What the inputs are set to where there is no GitHub. */
export function withoutGitHub(
  command: RunName,
  inputs: Readonly<Record<string, string>>,
  hasComments: boolean,
): Record<string, string> {
  const known = inputsOf(command);
  const isInCache = /^(cache)?$/i.test(inputs['env-ledger']?.trim() ?? '');
  const without = { ...inputs };
  if ('comment' in known && !hasComments && inputs['comment'] !== 'true') {
    without['comment'] = 'false';
  }
  if ('github-deployment' in known) without['github-deployment'] = 'false';
  if ('env-ledger' in known && isInCache) without['env-ledger'] = 'off';
  return without;
}
