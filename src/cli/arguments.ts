import { parseArgs } from 'node:util';
import { clean } from '../kernel/text/safe.ts';
import { suggestion } from '../site-file/document.ts';
import {
  type CommandName,
  commandNames,
  fileFlagOf,
  inputsOf,
  isList,
  isOfNode,
  isSetup,
  type RunName,
  type SettingName,
  settingsOf,
  variableOf,
} from './commands.ts';
import type { SetupCommand } from './setup-commands.ts';

/** A command line that can't be run as it stands. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The values of the flags of a command. */
export interface Flags {
  /** The inputs that were given as flags, as texts. */
  inputs: Readonly<Record<string, string>>;
  /** The files that secret inputs are to be read from; `-` is standard input. */
  files: Readonly<Record<string, string>>;
  settings: Readonly<Partial<Record<SettingName, string | true>>>;
}

/** The value of a flag that takes one, and is no input. */
export function settingOf(
  { settings }: Pick<Flags, 'settings'>,
  name: SettingName,
): string | undefined {
  const value = settings[name];
  return value === true ? undefined : value;
}

/** What a command line asks for. */
export type Request =
  | { kind: 'help'; command?: CommandName }
  | { kind: 'version' }
  | { kind: 'emulator'; args: readonly string[] }
  | RunRequest
  | SetupRequest;

/** A command line of a command that is run as an action is. */
export type RunRequest = { kind: 'run'; command: RunName; args: readonly string[] } & Flags;

/** A command line of a command that sets up a repository. */
export type SetupRequest = { kind: 'setup'; command: SetupCommand; operand: string } & Flags;

/**
 * Reads a command line.
 *
 * @throws UsageError if it can't be run. Its text quotes no value, which may be a secret at the wrong place
 */
export function readArguments(args: readonly string[]): Request {
  const [first, ...rest] = args;
  if (first === undefined || first === '--help' || first === '-h') return { kind: 'help' };
  if (first === '--version') return { kind: 'version' };
  if (first === 'help') {
    const [name] = rest;
    return name === undefined ? { kind: 'help' } : { kind: 'help', command: readCommand(name) };
  }
  if (first === 'emulator') return { kind: 'emulator', args: rest };
  const command = readCommand(first);
  if (rest.includes('--help') || rest.includes('-h')) return { kind: 'help', command };
  if (!isSetup(command)) return { kind: 'run', command, args, ...readFlags(command, rest) };
  const [operand = '', ...flags] = command === 'add-variable' ? rest : ['', ...rest];
  if (command === 'add-variable' && /^(?:-|$)/.test(operand)) {
    throw new UsageError('name the variable first: site-deploy add-variable STRIPE_KEY');
  }
  return { kind: 'setup', command, operand, ...readFlags(command, flags) };
}

const commands = [...commandNames, 'emulator'];

function readCommand(name: string): CommandName {
  const command = commandNames.find((one) => one === name);
  if (command !== undefined) return command;
  const near = suggestion(name, commands);
  throw new UsageError(
    near === ''
      ? `the first argument is not a command; the commands are ${commands.join(', ')}`
      : `there is no command ${clean(name, 40)}${near}`,
  );
}

/** The kind of a flag of a command. */
type Flag = 'input' | 'secret' | 'file' | 'setting' | 'switch';

/** @throws UsageError if a flag may not be given, or not so */
function readFlags(command: CommandName, args: readonly string[]): Flags {
  const { tokens } = parseArgs({
    args: [...args],
    options: optionsOf(flagsOf(command)),
    strict: false,
    tokens: true,
  });
  const inputs: Record<string, string> = {};
  const files: Record<string, string> = {};
  const settings: Record<string, string | true> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') {
      throw new UsageError(
        command === 'add-variable'
          ? 'there is a second NAME: run add-variable once for each'
          : 'there is a value without a flag: each input is written --NAME VALUE',
      );
    }
    const { name, rawName, value, inlineValue } = token;
    const kind = kindOf(name, rawName, command);
    if (kind === 'switch') {
      if (value !== undefined) throw new UsageError(`--${name} takes no value`);
      settings[name] = true;
      continue;
    }
    const values = { input: inputs, file: files, setting: settings }[kind];
    const key = kind === 'file' ? name.replace(/-file$/, '') : name;
    const earlier = values[key];
    if (earlier !== undefined && !(kind === 'input' && isList(name))) {
      throw new UsageError(`--${name} is given twice`);
    }
    if (value === undefined || (!inlineValue && /^-./.test(value))) {
      throw new UsageError(
        `--${name} needs a value; one that begins with "-" is written --${name}=VALUE`,
      );
    }
    values[key] = earlier === undefined ? value : `${earlier}\n${value}`;
  }
  return { inputs, files, settings };
}

/** @throws UsageError if there is no such flag, or it may not be given */
function kindOf(name: string, rawName: string, command: CommandName): Exclude<Flag, 'secret'> {
  if (!rawName.startsWith('--')) {
    throw new UsageError(`each flag is written --NAME; "site-deploy ${command} --help" lists all`);
  }
  const flags = flagsOf(command);
  const kind = flags.get(name);
  if (kind === undefined) throw new UsageError(unknownFlag(name, command, [...flags.keys()]));
  if (kind === 'secret') {
    throw new UsageError(
      `--${name} is not taken from the command line, which others on this machine can read: set ${variableOf(name)}, or --${fileFlagOf(name)} FILE`,
    );
  }
  if (kind === 'input' && isOfNode(name)) {
    throw new UsageError(
      `--${name} is not taken from the command line, because Node has an option of that name: set ${variableOf(name)}`,
    );
  }
  return kind;
}

function flagsOf(command: CommandName): Map<string, Flag> {
  const flags = new Map<string, Flag>();
  for (const [name, { secret }] of Object.entries(inputsOf(command))) {
    flags.set(name, secret ? 'secret' : 'input');
    if (secret) flags.set(fileFlagOf(name), 'file');
  }
  for (const [name, one] of Object.entries(settingsOf(command))) {
    flags.set(name, 'takes' in one ? 'setting' : 'switch');
  }
  return flags;
}

/** How `parseArgs` is to read the flags: it refuses none, so that we can name the nearest. */
const optionsOf = (flags: ReadonlyMap<string, Flag>) =>
  Object.fromEntries(
    [...flags].map(([name, kind]) => [
      name,
      { type: kind === 'switch' ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  );

/** What is wrong with an unknown flag. It is quoted only if it is nearly a known one: else it may be a secret. */
function unknownFlag(name: string, command: CommandName, known: readonly string[]): string {
  // One of another command is no secret.
  if (commandNames.some((other) => flagsOf(other).has(name))) {
    return `${command} has no flag --${name}; "site-deploy ${command} --help" lists all`;
  }
  const near = suggestion(name, known).replace(/"(.*)"/, '"--$1"');
  return near === ''
    ? `there is a flag that is not known, and not shown because it may be a secret; "site-deploy ${command} --help" lists all`
    : `there is no flag --${clean(name, 40)}${near}`;
}
