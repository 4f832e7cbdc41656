import type { InputWords, StepEnvironment } from '../platform.ts';
import type { Flags } from './arguments.ts';
import type { RequestWords } from './cis.ts';
import { type CommandName, fileFlagOf, inputsOf, isOfNode, variableOf } from './commands.ts';

/** The words of the command: the texts of the engine are written for workflows on GitHub. */
export interface Words extends InputWords {
  /** A text of the engine in these words. What it quotes stays as it is. */
  translate(text: string): string;
}

/** What is said to workflow authors alone, and what the command says instead; `{input}` is an input's name. */
export const phrases: readonly (readonly [workflow: string | RegExp, command: string])[] = [
  // What to do.
  ['Rerun the job', 'Run the command again'],
  ['rerun the job', 'run the command again'],
  [', and push.', ', and run the command again.'],
  ["(the workflow's values)", '(the declared values)'],
  [
    ' To prevent this, give the workflow a concurrency group.',
    ' To prevent this, start one run at a time.',
  ],
  ['Concurrency groups prevent this.', 'To prevent this, start one run at a time.'],
  ['run fewer jobs at once', 'start fewer runs at once'],
  [" A job with environment: uses that environment's secret of the same name.", ''],
  ['Check that the secret is set for this repository and environment.', 'Check both.'],
  [
    'Deploy pull requests from forks with a second workflow: examples/workflows/fork-preview.yml.',
    'Have a member of the project start the run, where it has the secrets.',
  ],
  [' The deploy action can allow others (allowed-associations).', ''],
  ['set preview-projects and preview-domain', 'use a separate project ({project-id})'],
  [
    'To have several previews at once, use preview-projects.',
    'To have several previews at once, use a project for each.',
  ],
  ['Add the project to preview-projects', 'Set {project-id} to that project'],
  ['neither project-id nor preview-projects names one', '{project-id} does not name it'],
  ['Decrypt it in an earlier step, and', 'Decrypt it first, and'],
  ['Get the value in an earlier step, and', 'Get the value first, and'],
  ['in an earlier step, or use a runner that has it', 'on this machine'],
  ['in an earlier step', 'on this machine'],
  ['must be checked out by an earlier step', 'must be there'],
  // The name of a row, with what keeps the rows in line.
  ['Workspace  ', 'Folder     '],
  ['**Workspace**', '**Folder**'],
  [/((?:success|failure)=\S{1,200} to )(?:the input )?service\b/g, '$1{service}'],
  ['Review the plan in the summary', 'Review the plan'],
  ['review the plan in the summary', 'review the plan'],
  ['read its answer in the summary', 'read its answer'],
  ['see the summary', 'see the report (--report FILE)'],
  ['in the summary of the run and in the output `plan`', 'in the output `plan` (--json)'],
  ['the DNS records in the summary', 'the DNS records in the report (--report FILE)'],
  ['The summary lists', 'The report (--report FILE) lists'],
  ['fails the job', 'fails the run'],
  [/\b([Rr])un this step/g, '$1un the command'],
  // Where it runs, and what it is given there.
  [
    "Set a variable of the step's env: to it, and write that variable's name here",
    "Set an environment variable to the value, and write that variable's name here",
  ],
  [/, and add it to the step's env: \(\S+: \$\{\{ \S+ \}\}\)/g, ''],
  [
    /Add it to the step's env: \(([^:]+): \$\{\{ secrets\.\S+ \}\}\), and check that the secret exists and is available to this event/g,
    'Set $1 where the command runs',
  ],
  [/Set the secret that the step's env: [^.]* can read it/g, 'Set it where the command runs'],
  [/Rename it in the step's env: \((\w+): \$\{\{ … \}\}\)/g, 'Set $1 instead'],
  [
    "is replaced only in workflow files. Use from: and a variable of the step's env:",
    'is replaced only in workflow files. Use from: and an environment variable',
  ],
  ["a variable in the step's env:", 'an environment variable'],
  ["a variable in the step's environment", 'an environment variable'],
  ["Variables to read from this step's `env:`", 'Environment variables to read'],
  ["the step's environment", 'the environment'],
  [
    " The runner prints the values with the step's inputs, so they are not masked.",
    ' They are not masked.',
  ],
  ["is this workflow's repository", 'is the repository of this clone'],
  ["the workflow's value", 'the declared value'],
  ['this workflow gives no value', 'this run gives no value'],
  ["The runner's disk is full (RUNNER_TEMP)", 'The disk of the temporary folder is full'],
  ["the runner's network access", 'the network access of this machine'],
  [/\b(?:this|the) runner\b/g, 'this machine'],
  [/\b(this|the)( whole)? step\b/gi, '$1$2 run'],
  ['outside the workspace', 'outside the current folder'],
  ['in the workspace', 'in the current folder'],
  [
    'Based on the event, the inputs and the workspace only: nothing was sent to the service or to GitHub.',
    'Based on the inputs, the folder and what the CI reports: nothing was sent.',
  ],
  ['None (not a GitHub Actions run)', 'Not a pull request'],
  [/\bpull_request \((?:synchronize|closed)\) of pull request/g, 'Pull request'],
  ['the event is not for a pull request', 'the run is not for a pull request'],
  ['the event has no pull request', 'the run is not for a pull request'],
  [', without a request to the service or to GitHub', ', without a request to the service'],
  ['what a run for this event would do', 'what the run would do'],
  ['the head commit of the event', 'the commit that the CI reports, or that is checked out'],
  // What there is on GitHub alone.
  ["exceed GitHub's limit of", 'exceed the limit of'],
  ['jobs in a matrix', 'entries in the output matrix'],
  [' (starter: push, or run sync.yml)', ''],
  // Of status, which records nothing.
  [' Set github-deployment: false.', ''],
  [
    " to the job's permissions.",
    ' to the permissions of the token in {github-token}, and check {repository}.',
  ],
  ['with github-deployment: false there is no record', 'there is no record'],
  ['Required, except for runs that use `preview-projects`.', 'Required.'],
  [', `PREVIOUS` for the last good commit before the live one', ''],
  [
    '; or `if-needed`: skip a commit that was rolled back, or that is the last successful deployment if its checks pass, one of them names the commit, and no variable is waiting to be published',
    '',
  ],
  [' With `preview-projects`, each project needs its own repository.', ''],
  [
    'only in the project of `preview-projects` that the pull request uses, and in a project that contains only its template, whose commit is kept as a branch. `adopt`: as `auto`, even if no GitHub deployments can show that such a project is new.',
    'never. `adopt`: only in a project that contains only its template, whose commit is kept as a branch.',
  ],
  [
    ', or `roll-back` to the last commit whose checks passed, once. A rollback needs the GitHub deployments that the action records.',
    ', the only value that works without GitHub.',
  ],
  [
    '`skip` with a warning, `fail`, or `deploy` (without a query to GitHub). The head of the branch, and a commit that a user enters in `commit-sha`, are always deployed.',
    '`deploy`, the only value that works without GitHub.',
  ],
  [
    '`skip`; on pull requests, in a merge queue and with `github-deployment: false`: `deploy`',
    '`deploy`',
  ],
  [', usually from the variable `SITE_SERVICE`', ''],
  ['written again: `cache`, `off`,', 'written again: `off`,'],
  ['from repository secrets', 'from secrets'],
  ['for a job matrix', 'with their ids'],
  ['On GitHub', 'Comments'],
  [' (such as api-key or github-token)', ''],
  ['of a commit, HEAD or PREVIOUS', 'of a commit, or HEAD'],
  ['true, false or if-needed', 'true or false'],
  ['fail or roll-back', 'fail'],
  ['must be cache, off, or', 'must be off, or'],
  ['(expired cache, new API key or env-ledger-key)', '(its file is missing)'],
  [/the author's association is not one of [\w, ]+/g, 'the pull request is from a fork'],
  [
    ' Runs of an issue, comment, review, discussion or pull request do it only for an `OWNER`, `MEMBER` or `COLLABORATOR`.',
    ' Not for a pull request from a fork.',
  ],
  ['on the issue or pull request that triggered it', 'on the pull request'],
  // Its own name.
  [/\bthe \/?(deploy|env-sync|domains|message|projects) action\b/g, 'site-deploy $1'],
  [/\b(?:the|this) action\b/gi, 'site-deploy'],
];

/** Where a name of one word is an input, which it also is elsewhere. */
export const mentions: readonly string[] = [
  'the input {service}',
  'raise {timeout}',
  '({timeout})',
  '({strict})',
  '`{timeout}` is the limit',
  'names in {check}',
  'With `{check}`',
  'the file of {config}',
  'env-from, {env}, env-file or {config}',
  'value in {env}',
  'value in {config}',
  '({env})',
  '({config})',
  '(in {env})',
  '(in {config})',
  'a {wait} other than none',
  'and {env} would',
  'check {filter}',
  'or {filter}',
  'events in {service}',
  'status in {service}',
  '{deploy} is false',
  '{comment} is false',
];

/** The values that follow the names of inputs in texts, such as the one in "mode: plan". */
const value =
  /true|false|auto|none|off|apply|plan|explain|overwrite|keep|deploy|if-needed|PREVIOUS|all|starred|created|shared|\d+\/\d+|[0-9a-f]{12,}…?|https:\/\/\S+/;

/**
 * What is quoted: in quotation marks, unless the quotation is one of a list of mistakes; what a service or a repository's
 * host said, to the end of an error, of its sentence or to the id of its request; in Markdown, code, links, and quotations
 * other than errors, as of the AI. Each takes linear time, also where it does not end.
 */
const quoted = new RegExp(
  [
    String.raw`"(?:(?!\(SD\d)[^"\n])*"`,
    String.raw`\b(?:Git|It returned \d{3}|Build error|provisioning failed): .*`,
    String.raw`\bdeployment failed(?: with status "[^"\n]*")?: .*`,
    String.raw`\bGit failed; retrying .*`,
    String.raw`\breturned \d{3}\)?: (?:(?!\(SD\d).){0,1000}? \(request id `,
    String.raw`\b(?:returned \d{3}\)?|for the message|The service reported): .{0,1000}?(?=\. [A-Z]|$)`,
    '<code>(?:(?!<code>).)*?</code>',
    String.raw`^> (?!.*\(\[?SD\d).*`,
    '^(`{3,})[^`\\n]*\\n[\\s\\S]*?(?:^\\1$|(?![\\s\\S]))',
    String.raw`\]\([^()\n]*\)`,
    String.raw`<!--(?:(?!<!--)[\s\S])*?-->`,
  ].join('|'),
  'gm',
);

/** Text that surrounds no word of ours: a path, an address, a placeholder, a longer name. */
const [before, after] = [String.raw`(?<![\w./@<{-])`, String.raw`(?![\w@/-]|\.\w)`];

const either = (names: readonly string[]): string =>
  names.toSorted((one, other) => other.length - one.length).join('|');

/**
 * The words of a run of the command.
 *
 * @param flags what was given on the command line; an input that only a variable gave is called by that
 * @param request what its CI calls a pull request, if not that
 */
export function commandWords(
  command: CommandName,
  { inputs: given, files }: Pick<Flags, 'inputs' | 'files'>,
  environment: StepEnvironment,
  request?: RequestWords,
): Words {
  const inputs = inputsOf(command);
  const names = Object.keys(inputs);
  const isVariable = (input: string): boolean => {
    if (input in files) return false;
    const isFlag = !isOfNode(input) && inputs[input]?.secret !== true;
    return !isFlag || (!(input in given) && environment[variableOf(input)] !== undefined);
  };
  const flagOf = (input: string): string =>
    `--${inputs[input]?.secret ? fileFlagOf(input) : input}`;
  const nameOf = (input: string): string => {
    if (!(input in inputs)) return input;
    return isVariable(input) ? variableOf(input) : flagOf(input);
  };
  const assign = (input: string, text: string): string =>
    `${nameOf(input)}${isVariable(input) ? '=' : ' '}${text}`;
  const assigned = new RegExp(`${before}(${either(names)}): (${value.source})${after}`, 'g');
  const named = new RegExp(`${before}(${either(names.filter(isCompound))})${after}`, 'g');
  const replaced = [...phrases, ...mentions.map((one) => [withoutBraces(one), one] as const)].map(
    ([from, to]) => [from, to.replace(inBraces, (_, input) => nameOf(input))] as const,
  );
  const inWords = (text: string): string => {
    const result = replaced.reduce((rest, [from, to]) => rest.replaceAll(from, to), text);
    const all = result
      .replace(assigned, (_, input, text) => assign(input, text))
      .replace(named, nameOf);
    return request === undefined ? all : asRequest(all, request);
  };
  return {
    nameOf,
    howToGive: (input) => {
      const other = isVariable(input) ? flagOf(input) : variableOf(input);
      const isFile = inputs[input]?.secret && isVariable(input);
      return isOfNode(input) ? 'set it' : `set it, or ${other}${isFile ? ' FILE' : ''}`;
    },
    translate: (text) => {
      let from = 0;
      let result = '';
      for (const { 0: quotation, index } of text.matchAll(quoted)) {
        result += inWords(text.slice(from, index)) + quotation;
        from = index + quotation.length;
      }
      return result + inWords(text.slice(from));
    },
  };
}

const inBraces = /\{([a-z-]+)\}/g;

const withoutBraces = (text: string): string => text.replace(inBraces, '$1');

/** True of a name that is no word of English. */
const isCompound = (input: string): boolean => input.includes('-');

const asRequest = (text: string, { name, sign }: RequestWords): string =>
  text
    .replace(/pull request/g, name)
    .replace(/Pull request/g, `${name.charAt(0).toUpperCase()}${name.slice(1)}`)
    .replace(new RegExp(`(?<=${name} )#(?=\\d)`, 'gi'), sign);
