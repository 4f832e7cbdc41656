import { deployDefinition } from '../deploy/inputs.ts';
import { common, type InputTable, projectInput } from '../inputs/input.ts';

/** Flags that are no inputs, by their names: what the value is, if one takes any, and what it does. */
export type SettingTable = Readonly<Record<string, { takes?: string; help: string }>>;

/** The flag that every command has. */
export const helpSetting = { help: 'shows this text' };

const { inputs: deployInputs } = deployDefinition;

/** How a command that changes files is told where, and whether it may. */
const writing = {
  into: { takes: 'PATH', help: 'the folder of the repository; the current folder by default' },
  'dry-run': { help: 'shows what would be written, and writes nothing' },
  yes: { help: 'writes without a question' },
} as const satisfies SettingTable;

/** The commands that set up a repository, by their names. They are not run as an action. */
export const setupCommands = {
  init: {
    description:
      'Sets up a repository on GitHub: prompts for the inputs that are not given, checks them by requests, writes the workflows and the site file, and prints what to set on GitHub.',
    inputs: {
      'api-key': common['api-key'],
      'base-url': common['base-url'],
      'project-id': { ...projectInput, description: 'UUID of the live project.' },
      'git-url': {
        ...deployInputs['git-url'],
        description:
          "The projects' git repositories: one URL with `{projectId}` for a project's id, or lines of `PROJECT_ID=URL`.",
        required: true,
      },
      'git-token': deployInputs['git-token'],
      'preview-projects': deployInputs['preview-projects'],
      'preview-domain': deployInputs['preview-domain'],
    },
    settings: {
      'env-example': {
        takes: 'FILE',
        help: "the dotenv file with the names of the site's variables; by default .env.example, .env.sample, .env.template or .env.dist",
      },
      ...writing,
      overwrite: { help: 'also replaces files that exist and differ' },
      help: helpSetting,
    },
  },
  'add-variable': {
    description:
      'Adds a variable to the site file, and to the `env:` of each step in the workflows that syncs variables.',
    inputs: {},
    settings: {
      ...writing,
      help: helpSetting,
    },
  },
} as const satisfies Readonly<
  Record<string, { description: string; inputs: InputTable; settings: SettingTable }>
>;

/** The name of a command that sets up a repository. */
export type SetupCommand = keyof typeof setupCommands;
