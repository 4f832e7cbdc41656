import type { Input } from '../inputs/input.ts';
import {
  type CommandName,
  commandNames,
  descriptionOf,
  fileFlagOf,
  groupsOf,
  inputsOf,
  isList,
  isOfNode,
  settingsOf,
  variableOf,
} from './commands.ts';
import { statuses } from './exit-status.ts';
import { isOnlyOnGitHub } from './refused.ts';
import { commandWords } from './words.ts';

/** The width of a line of help, in columns. */
const width = 100;

/** Breaks a text into lines with an indent. */
function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(`${indent}${line}`);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, `${indent}${line}`];
}

const bare = (markdown: string): string => markdown.replaceAll('`', '');

function describeInput(name: string, input: Input, translate: (text: string) => string): string[] {
  const sentences = [bare(translate(input.description))];
  if (input.required) sentences.push('Required.');
  if (isList(name)) sentences.push('May be given several times.');
  // A default that is an expression is GitHub's.
  if (input.default !== undefined && !input.default.startsWith('${{')) {
    const shown = input.default === 'cache' ? "off, as the cache is GitHub's" : input.default;
    sentences.push(`Default: ${shown}.`);
  }
  const variable = variableOf(name);
  const text = sentences.join(' ');
  if (isOfNode(name)) return [`  ${variable}`, ...wrap(text, '      ')];
  const flag = input.secret ? `--${fileFlagOf(name)} FILE` : `--${name} VALUE`;
  return [`  ${flag}  (${variable})`, ...wrap(text, '      ')];
}

function describeSettings(command: CommandName): string[] {
  return Object.entries(settingsOf(command)).flatMap(([name, { takes, help }]) => {
    const flag = `--${name}${takes === undefined ? '' : ` ${takes}`}`;
    return [`  ${flag}`, ...wrap(help, '      ')];
  });
}

const examples: Readonly<Record<CommandName | 'emulator', string>> = {
  deploy: 'site-deploy deploy --base-url https://api.example.com --project-id ID --wait poll',
  'env-sync': 'site-deploy env-sync --project-id ID --env-from STRIPE_KEY --mode plan',
  domains: 'site-deploy domains --config site.yml --mode plan',
  message: "site-deploy message --project-id ID --content 'Make the headline blue.'",
  projects: 'site-deploy projects --json',
  init: 'site-deploy init --into ../my-site',
  'add-variable': 'site-deploy add-variable STRIPE_KEY --into ../my-site',
  status: 'site-deploy status --project-id ID --repository OWNER/NAME',
  emulator: 'site-deploy emulator --port 4000',
};

const emulatorHelp = 'Starts a local site service, to try the other commands.';

const rules =
  'Each input is a flag or an environment variable, which is in parentheses; the flag wins. Secrets are no flags, because others on the machine can read the arguments of a process: they come from their variables, or with --NAME-file from a file; - is standard input.';
const ofEnv =
  ' Nor should --env have secrets: use --env-from, which names variables of the environment.';

const exits = [
  'Exit status:',
  ...statuses.map(([code, what]) => `  ${String(code).padEnd(5)}${what}`),
];

/** What the command can do, or one of its commands. */
export function help(command?: CommandName): string {
  const { translate } = commandWords(command ?? 'deploy', { inputs: {}, files: {} }, {});
  if (command === undefined) {
    const row = (name: string, text: string) => [`  ${name}`, ...wrap(text, '      ')];
    return [
      'Usage: site-deploy COMMAND [--INPUT VALUE]...',
      '',
      ...commandNames.flatMap((name) => row(name, bare(translate(descriptionOf(name))))),
      ...row('emulator', emulatorHelp),
      '',
      ...wrap(rules + ofEnv, ''),
      '',
      'Examples:',
      ...Object.values(examples).map((line) => `  ${line}`),
      '',
      ...exits,
      '',
      '"site-deploy COMMAND --help" lists the inputs of a command.',
      '',
    ].join('\n');
  }
  const inputs = inputsOf(command);
  const isMissing = (name: string) => isOnlyOnGitHub(command, name);
  const groups = groupsOf(command).flatMap(([title, names]) => {
    const available = names.filter((name) => !isMissing(name));
    if (available.length === 0) return [];
    const described = available.flatMap((name) => {
      const input = inputs[name];
      return input === undefined ? [] : describeInput(name, input, translate);
    });
    return [`${translate(title)}:`, ...described, ''];
  });
  const onGitHub = Object.keys(inputs).filter(isMissing).join(', ');
  const onlyOnGitHub =
    onGitHub === '' ? [] : [...wrap(`Only on GitHub, by the action: ${onGitHub}.`, ''), ''];
  return [
    ...wrap(bare(translate(descriptionOf(command))), ''),
    '',
    `Example: ${examples[command]}`,
    '',
    ...(groups.length === 0 ? [] : [...wrap('env' in inputs ? rules + ofEnv : rules, ''), '']),
    ...groups,
    ...onlyOnGitHub,
    'The run:',
    ...describeSettings(command),
    '',
    ...exits,
    '',
  ].join('\n');
}
