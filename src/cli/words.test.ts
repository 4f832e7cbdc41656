import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { type ActionName, actions } from '../inputs.ts';
import { actionNames } from './commands.ts';
import { commandWords, mentions, phrases } from './words.ts';

const nothing = { inputs: {}, files: {} };

/** In place of what a template fills in: a number, which values such as "1/2" can have. */
const hole = '2';

/** The texts with a space that a source writes out, each with its place. */
function textsOf(path: string): { place: string; text: string }[] {
  const source = readFileSync(path, 'utf8');
  const found: { place: string; text: string }[] = [];
  const take = (text: string, start: number) => {
    const line = source.slice(0, start).split('\n').length;
    if (text.includes(' ')) found.push({ place: `${path}:${line}`, text });
  };
  const read = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as {
      type?: string;
      start: number;
      value?: unknown;
      quasis?: readonly { value: { cooked: string } }[];
    };
    if (node.type === 'Literal' && typeof node.value === 'string') take(node.value, node.start);
    if (node.quasis !== undefined) {
      take(node.quasis.map((one) => one.value.cooked).join(hole), node.start);
    }
    for (const child of Object.values(node)) read(child);
  };
  read(parseAst(source, { lang: 'ts' }));
  return found;
}

const texts = globSync('src/**/!(*.test).ts', { exclude: ['src/cli/**'] }).flatMap(textsOf);

/** Texts that the command never shows: those about runs of a workflow, and what describes outputs. */
const onGitHub: readonly RegExp[] = [
  /^src\/(github|ledger\/cache|ledger\/store\/cache|actions\/post)\b/,
  /^src\/step\/input-problems\.ts:\d+ .*(second workflow|Dependabot|it comes from)/,
  /^src\/report\/explanation\.ts:\d+ (Permissions this job needs|permissions: )/,
  /^src\/push\/model\/git-failure\.ts:\d+ Add `contents: read` to the job's/,
  /^src\/deploy\/job\.ts:\d+ .*Add the condition .* to the job's if\./,
  /^src\/actions\/explain\/explained\.ts:\d+ Use another event, such as workflow_dispatch\./,
  / workflow commands (are )?neutralized as in the log\.$/,
  / for `strategy\.matrix`, /,
  // An expression in a value, which the text is about.
  / contains \$\{\{ … \}\}, which is replaced only in workflow files\./,
  /\$\{\{ … \}\} works only in workflow files\./,
];

/** Where a name is no input. */
const otherwise = /Requests to the service: |if on the service: /g;

const values = `${hole}\\b|true|false|auto|none|off|apply|plan|explain|overwrite|keep|deploy`;

/** What a text for workflow authors has, by the inputs of the command that shows it. */
const foreignWords = (command: ActionName): RegExp => {
  const names = Object.keys(actions[command].inputs);
  const compound = names.filter((name) => name.includes('-')).join('|');
  return new RegExp(
    [
      `(?<![\\w.-])(?:${names.join('|')}): (?:${values})`,
      `(?<![\\w.{/@-])(?:${compound})(?![\\w-])`,
      '\\b(?:[Tt]his|[Tt]he) (?:/?[a-z-]+ )?action\\b',
      '\\b(?:jobs?|workflows?|steps?|runner|env:)(?!\\w)',
    ].join('|'),
  );
};

describe.each(actionNames)('site-deploy %s', (command) => {
  const { translate } = commandWords(command, nothing, {});
  const foreign = foreignWords(command);

  it('names no input as YAML, and speaks of no workflow, job, step, runner or action', () => {
    const wrong = texts
      .map(({ place, text }) => `${place} ${text}`)
      .filter((line) => !onGitHub.some((one) => one.test(line)))
      .flatMap((line) => {
        const [place = ''] = line.split(' ', 1);
        const shown = translate(line.slice(place.length + 1)).replace(otherwise, '');
        const [found] = foreign.exec(shown) ?? [];
        return found === undefined ? [] : [`${found} in ${place} ${shown}`];
      });
    expect(wrong).toEqual([]);
  });
});

/** Texts of several parts. */
const composed = [
  'pull_request (closed) of pull request #2',
  'This server does not support it. Set github-deployment: false.',
  'value in env',
  'value in config',
  'A (env) and a (config) differ only by case',
  'both removed and declared (in env)',
  'both removed and declared (in config)',
  'must be fail or roll-back',
  'Workspace  site.yml',
  '**Workspace**: site.yml',
];

test('each phrase is in a text', () => {
  const titles = textsOf('src/cli/topics.ts');
  const all = [...[...texts, ...titles].map(({ text }) => text), ...composed].join('\n');
  const isIn = (phrase: string | RegExp) =>
    typeof phrase === 'string' ? all.includes(phrase) : all.search(phrase) >= 0;
  const unused = [
    ...phrases.map(([phrase]) => phrase),
    ...mentions.map((one) => one.replace(/[{}]/g, '')),
  ].filter((phrase) => !isIn(phrase));
  expect(unused).toEqual([]);
});

test.each([
  ['Set allow-production: true.', 'Set --allow-production true.'],
  [
    'Check api-key, project-id and git-token.',
    'Check SITE_API_KEY, --project-id and SITE_GIT_TOKEN.',
  ],
  ['If it is slow, raise timeout.', 'If it is slow, raise --timeout.'],
  ['A (env) and a (env-from)', 'A (--env) and a (--env-from)'],
  [
    'If it is final, add success=zorp or failure=zorp to service; if not, raise timeout.',
    'If it is final, add success=zorp or failure=zorp to --service; if not, raise --timeout.',
  ],
  ['success=zorp to the input service', 'success=zorp to --service'],
  ['Workspace  a.yml must be checked out by an earlier step', 'Folder     a.yml must be there'],
  ['needs a wait other than none', 'needs a --wait other than none'],
  // What there is on GitHub alone.
  [
    "Skipped: the author's association is not one of OWNER, MEMBER, COLLABORATOR.",
    'Skipped: the pull request is from a fork.',
  ],
  ['or review the plan in the summary and set', 'or review the plan and set'],
  ['Verification failed; see the summary.', 'Verification failed; see the report (--report FILE).'],
  ['deploy is false', '--deploy is false'],
  ['Run this step, or run this step', 'Run the command, or run the command'],
  // What is no input.
  ['Could not find preview-domain.example.com', 'Could not find preview-domain.example.com'],
  ['{preview-domain} in a/git-url', '{preview-domain} in a/git-url'],
  ['--git-url is not git-urls', '--git-url is not git-urls'],
  ['Requests to the service: 4', 'Requests to the service: 4'],
  ['type: TXT, content: 1', 'type: TXT, content: 1'],
  // What is quoted.
  ['returned "mode: plan" for mode: plan', 'returned "mode: plan" for --mode plan'],
  ['3 has an opening " only. Use env-from', '3 has an opening " only. Use --env-from'],
  [
    '(1) an opening ". (SD1205) (2) Use "env-from". (SD1)',
    '(1) an opening ". (SD1205) (2) Use "env-from". (SD1)',
  ],
  ['<code>git-url</code> and git-url', '<code>git-url</code> and --git-url'],
  ['a\n```text\ngit-url\n```\ngit-url', 'a\n```text\ngit-url\n```\n--git-url'],
  ['<!-- git-url --> [a](b git-url) git-url', '<!-- git-url --> [a](b git-url) --git-url'],
  // A comment that was too long ends in one.
  ['git-url\n```text\n"git-url\nthis step', '--git-url\n```text\n"git-url\nthis step'],
  [
    '````text\n```\ngit-url\n```\ngit-url\n````\ngit-url',
    '````text\n```\ngit-url\n```\ngit-url\n````\n--git-url',
  ],
  [
    'Set git-branch. Git: no pull request of this step',
    'Set --git-branch. Git: no pull request of this step',
  ],
  ['Check git-url. It returned 403: see git-url', 'Check --git-url. It returned 403: see git-url'],
  [
    'GET /git-url returned 400: no project-id in this step. Check project-id. (SD1)',
    'GET /git-url returned 400: no project-id in this step. Check --project-id. (SD1)',
  ],
  [
    '> This step has no git-url\n> in the action\n\nthis step',
    '> This step has no git-url\n> in the action\n\nthis run',
  ],
  ['> Check git-url. ([SD1](x))', '> Check --git-url. ([SD1](x))'],
  [
    'returned 400: set project-id. Or this step (request id 1). Check project-id.',
    'returned 400: set project-id. Or this step (request id 1). Check --project-id.',
  ],
  [
    'returned 400: set project-id. Check project-id. (SD3400) x (request id 2)',
    'returned 400: set project-id. Check --project-id. (SD3400) x (request id 2)',
  ],
  ['returned 400. Check project-id', 'returned 400. Check --project-id'],
  [
    'GitLab returned 403): this step. Check project-id',
    'GitLab returned 403): this step. Check --project-id',
  ],
  [
    'The deployment failed with status "no step": this step. Build error: in the workspace',
    'The deployment failed with status "no step": this step. Build error: in the workspace',
  ],
  ['Build error: not in the workspace', 'Build error: not in the workspace'],
  ['its provisioning failed: this step', 'its provisioning failed: this step'],
  ['Git failed; retrying in 1s. fatal: this step', 'Git failed; retrying in 1s. fatal: this step'],
  [
    'for the message: this step. The AI may have changed files: read its answer in the summary',
    'for the message: this step. The AI may have changed files: read its answer',
  ],
  [
    'The service reported: this step. Create the DNS records in the summary, then rerun the job.',
    'The service reported: this step. Create the DNS records in the report (--report FILE), then run the command again.',
  ],
])('the words of %j', (text, expected) => {
  expect(commandWords('deploy', nothing, {}).translate(text)).toBe(expected);
});

test('an input is called by what gave it', () => {
  const given = { inputs: { mode: 'plan', wait: 'poll' }, files: { 'api-key': 'key' } };
  const environment = { SITE_MODE: 'x', SITE_DEPLOY: '', SITE_TIMEOUT: '3s' };
  const { nameOf, howToGive, translate } = commandWords('deploy', given, environment);
  expect(
    ['mode', 'wait', 'api-key', 'deploy', 'timeout', 'strict', 'env-file', 'x'].map(nameOf),
  ).toEqual([
    '--mode',
    '--wait',
    '--api-key-file',
    'SITE_DEPLOY',
    'SITE_TIMEOUT',
    '--strict',
    'SITE_ENV_FILE',
    'x',
  ]);
  expect(translate('deploy: false with mode: plan')).toBe('SITE_DEPLOY=false with --mode plan');
  expect(['project-id', 'deploy', 'git-token', 'api-key', 'env-file'].map(howToGive)).toEqual([
    'set it, or SITE_PROJECT_ID',
    'set it, or --deploy',
    'set it, or --git-token-file FILE',
    'set it, or SITE_API_KEY',
    'set it',
  ]);
});

test('GitLab has merge requests', () => {
  const gitLab = { name: 'merge request', sign: '!' } as const;
  const { translate } = commandWords('deploy', nothing, {}, gitLab);
  expect(translate('Pull request #13, pull requests and #4 with --pull-request')).toBe(
    'Merge request !13, merge requests and #4 with --pull-request',
  );
});

// In quadratic time it would last longer than a test may.
test.each([
  ['](', 200_000],
  ['<code>', 200_000],
  ['<!--', 200_000],
  ['```\n', 200_000],
  ['```x\n', 200_000],
  // Looks 1,000 characters ahead from each.
  ['returned 500: ', 20_000],
])('a quotation without an end stays as it is: %j', (start, times) => {
  const text = start.repeat(times);
  expect(commandWords('deploy', nothing, {}).translate(text) === text).toBe(true);
});
