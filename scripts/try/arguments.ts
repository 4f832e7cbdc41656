import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ActionDefinition } from '../../src/inputs/input.ts';
import { type ActionName, actions } from '../../src/inputs.ts';
import { suggestion } from '../../src/site-file/document.ts';
import { here } from '../player/given-file.ts';
import { UsageError } from '../player/usage-error.ts';

const options = {
  event: { type: 'string' },
  fork: { type: 'boolean', default: false },
  payload: { type: 'string' },
  end: { type: 'string', default: 'success' },
  dialect: { type: 'string', multiple: true, default: [] as string[] },
  world: { type: 'string' },
  workspace: { type: 'string' },
  workflow: { type: 'string' },
  secrets: { type: 'string' },
  vars: { type: 'string' },
  'run-steps': { type: 'boolean', default: false },
  out: { type: 'string' },
  real: { type: 'boolean', default: false },
  unfold: { type: 'boolean', default: false },
  debug: { type: 'boolean', default: false },
  'exit-code': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const known = Object.keys(options);
const actionNames = Object.keys(actions) as ActionName[];

/** What a person asked for: a step that uses one of the actions. */
export interface Request extends Settings {
  action: ActionName;
  /** The inputs that were given, by name. */
  inputs: Record<string, string>;
  /** Inputs that were named without a value: the local world's own is meant. */
  own: string[];
}

/** What a person asked for: a workflow file. */
export interface WorkflowRequest extends Settings {
  /** Its path. */
  workflow: string;
  /** The path of a dotenv file with secrets. */
  secrets: string | undefined;
  /** The path of a dotenv file with variables. */
  vars: string | undefined;
  runSteps: boolean;
}

/** What every command has. */
interface Settings {
  /** An event's name, with its action or without. */
  event: string | undefined;
  /** True if the event's pull request comes from a fork. */
  fork: boolean;
  /** The path of a payload. */
  payload: string | undefined;
  end: string;
  dialect: string[];
  world: string | undefined;
  workspace: string | undefined;
  out: string | undefined;
  /** True if only what was given is sent: the service is a real one. */
  real: boolean;
  unfold: boolean;
  debug: boolean;
  exitCode: boolean;
}

/** Refuses options that there are not, as `parseArgs` would, with the nearest that there is. */
function checkOptions(args: readonly string[]): void {
  for (const arg of args) {
    const [, name] = /^--([^=]+)/.exec(arg) ?? [];
    if (name !== undefined && !known.includes(name)) {
      const near = suggestion(name, known).replace(/"(.*)"/, '"--$1"');
      throw new UsageError(`unknown option "--${name}"${near || '; --help lists them'}`);
    }
  }
}

function readAction(name: string | undefined): ActionName {
  const action = actionNames.find((one) => one === name);
  if (action !== undefined) return action;
  if (name === undefined) {
    throw new UsageError(`name an action: ${actionNames.join(', ')}`);
  }
  const near = suggestion(name, actionNames) || `; the actions are ${actionNames.join(', ')}`;
  throw new UsageError(`unknown action "${name}"${near}`);
}

function readInputs(action: ActionName, words: readonly string[]) {
  const definition: ActionDefinition = actions[action];
  const names = Object.keys(definition.inputs);
  const inputs: Record<string, string> = {};
  const own: string[] = [];
  for (const word of words) {
    const [, name = word, value] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
    if (!names.includes(name)) {
      const near = suggestion(name, names) || `; its action.yml lists them`;
      throw new UsageError(`the action "${action}" has no input "${name}"${near}`);
    }
    if (value === undefined) own.push(name);
    else inputs[name] = value;
  }
  return { inputs, own };
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Reads the command line.
 *
 * @returns null if only help is wanted
 * @throws UsageError that names what is wrong, and the nearest that is right
 */
export function readRequest(args: readonly string[]): Request | WorkflowRequest | null {
  checkOptions(args);
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const place = values.workspace === undefined ? undefined : resolve(here, values.workspace);
  if (place !== undefined && !isFolder(place)) {
    throw new UsageError(`--workspace: there is no folder ${values.workspace}`);
  }
  const [name, ...words] = positionals;
  const settings: Settings = {
    event: values.event,
    fork: values.fork,
    payload: values.payload,
    end: values.end,
    dialect: values.dialect,
    world: values.world,
    workspace: values.workspace,
    out: values.out,
    real: values.real,
    unfold: values.unfold,
    debug: values.debug,
    exitCode: values['exit-code'],
  };
  const { workflow, secrets, vars, 'run-steps': runSteps } = values;
  if (workflow !== undefined) {
    if (name === undefined) return { ...settings, workflow, secrets, vars, runSteps };
    throw new UsageError(`--workflow plays a file: remove "${name}"`);
  }
  const [unused] = (['secrets', 'vars', 'run-steps'] as const).filter((one) => values[one]);
  if (unused !== undefined) throw new UsageError(`--${unused} needs --workflow`);
  const action = readAction(name);
  return { ...settings, action, ...readInputs(action, words) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
