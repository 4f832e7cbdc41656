import type { Input } from '../inputs/input.ts';
import { type ActionName, actions } from '../inputs.ts';
import { status } from '../status/inputs.ts';
import {
  helpSetting,
  type SettingTable,
  type SetupCommand,
  setupCommands,
} from './setup-commands.ts';
import { topics } from './topics.ts';

/** The names of the commands that do what an action does. */
export const actionNames = Object.keys(actions) as ActionName[];

/** What is run as an action is: the actions, and the status, which is none of GitHub's. */
const runs = { ...actions, status };

/** The name of a command that is run as an action is. */
export type RunName = keyof typeof runs;

/** The name of a command. */
export type CommandName = RunName | SetupCommand;

/** The names of the commands: those that are run as an action is, then the others. */
export const commandNames = [...Object.keys(runs), ...Object.keys(setupCommands)] as CommandName[];

/** True of a command that sets up a repository. */
export const isSetup = (command: CommandName): command is SetupCommand =>
  Object.hasOwn(setupCommands, command);

/** The inputs that are lists or lines: a flag may be given several times, and its values are joined by line breaks. */
const lists: ReadonlySet<string> = new Set([
  'allowed-associations',
  'attachment-ids',
  'check',
  'env',
  'env-from',
  'env-remove',
  'git-url',
  'preview-projects',
  'service',
  'skill-names',
]);

/** True of an input whose flag may be given several times. */
export const isList = (name: string): boolean => lists.has(name);

/** The environment variable of an input. */
export const variableOf = (input: string): string =>
  `SITE_${input.replaceAll('-', '_').toUpperCase()}`;

/**
 * True of an input that is no flag, because Node has an option of that name and takes it from behind a script, too: it
 * fails without the file, and carries out the NODE_OPTIONS in it.
 */
export const isOfNode = (name: string): boolean => name === 'env-file';

/** The flag that names a file with a secret input, or `-` for standard input. */
export const fileFlagOf = (input: string): string => `${input}-file`;

const json = {
  help: 'prints the result as one JSON object, and everything else on standard error',
} as const satisfies SettingTable[string];

/** The flags of each action's command, beside its inputs: what the CI says otherwise, and how the end is told. */
const actionSettings = {
  branch: {
    takes: 'NAME',
    help: 'the branch of the commit, instead of the one that the CI reports',
  },
  'pull-request': {
    takes: 'NUMBER|none',
    help: 'the pull or merge request that the run is for, or none; required where the CI is not one whose events are known',
  },
  close: {
    help: 'ends the preview of the pull or merge request, for CIs that start no job when it is closed',
  },
  yes: { help: 'applies a plan on a terminal without a question' },
  json,
  outputs: {
    takes: 'FILE',
    help: 'writes the outputs as lines SITE_OUT_NAME=value, as dotenv reports of GitLab are read',
  },
  report: {
    takes: 'FILE',
    help: 'writes the report as Markdown: of a pull or merge request, its comment',
  },
  help: helpSetting,
} as const satisfies SettingTable;

/** The flags of the status, which is of no build. */
const statusSettings: SettingTable = { json, help: helpSetting };

/** The name of such a flag, of any command. */
export type SettingName =
  | keyof typeof actionSettings
  | { [Name in SetupCommand]: keyof (typeof setupCommands)[Name]['settings'] }[SetupCommand];

/** The flags of a command beside its inputs. */
export function settingsOf(command: CommandName): SettingTable {
  if (command === 'status') return statusSettings;
  return isSetup(command) ? setupCommands[command].settings : actionSettings;
}

/** All commands by their names. */
const commands = { ...runs, ...setupCommands };

/** What a command does. */
export const descriptionOf = (command: CommandName): string => commands[command].description;

/** The inputs of a command by their names. */
export const inputsOf = (command: CommandName): Readonly<Record<string, Input>> =>
  commands[command].inputs;

/** The inputs of a command in groups with titles. */
export const groupsOf = (command: CommandName): typeof topics =>
  command === 'deploy' ? topics : [['Inputs', Object.keys(inputsOf(command))]];
