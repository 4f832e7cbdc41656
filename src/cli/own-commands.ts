import { deployDefinition } from '../deploy/inputs.ts';
import { common, type InputTable } from '../inputs/input.ts';
import { helpSetting, type SettingTable } from './setting.ts';

/** A command that changes files here, and is not run as an action. */
export interface OwnDefinition {
  description: string;
  /** What it takes behind its name. */
  operand?: string;
  inputs: InputTable;
  settings: SettingTable;
}

const { inputs: deployInputs } = deployDefinition;

/** How a command that changes files is told where, and whether it may. */
const writing = {
  into: { takes: 'PATH', help: 'the folder of the repository; the current folder by default' },
  'dry-run': { help: 'shows what would be written, and writes nothing' },
  yes: { help: 'writes without a question' },
} as const satisfies SettingTable;

/** The commands that are not run as an action, by their names. */
export const ownCommands = {
  init: {
    description:
      'Sets up a repository: checks the addresses and the key, writes the workflows and the site file, and prints what to set on GitHub.',
    inputs: {
      'api-key': common['api-key'],
      'base-url': common['base-url'],
      'project-id': deployInputs['project-id'],
      'git-url': deployInputs['git-url'],
      'git-token': deployInputs['git-token'],
      'preview-projects': deployInputs['preview-projects'],
      'preview-domain': deployInputs['preview-domain'],
    },
    settings: { ...writing, help: helpSetting },
  },
  'add-variable': {
    description:
      'Adds a variable to the site file, and to the environment of each step of this action in the workflows.',
    operand: 'NAME',
    inputs: {},
    settings: { ...writing, help: helpSetting },
  },
} as const satisfies Readonly<Record<string, OwnDefinition>>;

/** The name of a command that is not run as an action. */
export type OwnCommand = keyof typeof ownCommands;
