import {
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { diff } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readWorkflow } from '../../emulator/workflow/read-workflow.ts';
import { readSiteFile } from '../../src/declared/model/read.ts';
import { siteDeploy } from './site-deploy.ts';

type Files = Readonly<Record<string, string>>;

/** All files of a folder, by their paths. */
const filesIn = (folder: string): Files =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );

const write = (folder: string, files: Files) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};

/** Which lines of which files differ, with the line breaks of Windows: `+` and the number of a new line, `-` of an old one. */
const changes = (before: Files, after: Files): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(after).flatMap(([path, text]) => {
      let [old, now] = [0, 0];
      const lines = diff((before[path] ?? '').split('\n'), text.split('\n')).flatMap(
        ([sign, line]) => {
          if (sign !== -1) old += 1;
          if (sign !== 1) now += 1;
          if (sign === 0) return [];
          return [sign === 1 ? `-${old}:${line}` : `+${now}:${line}`];
        },
      );
      return before[path] === text ? [] : [[path, lines]];
    }),
  );

/** Adds a variable to a repository with `--yes`, and gives what changed. */
async function add(files: Files, args: readonly string[] = ['STRIPE_KEY']) {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'add-variable-'));
  const { path: folder } = temporary;
  write(folder, files);
  const first = await siteDeploy(['add-variable', ...args, '--yes'], { folder });
  const after = filesIn(folder);
  const second = await siteDeploy(['add-variable', ...args, '--yes'], { folder });
  expect(changes(after, filesIn(folder)), 'a second run').toEqual({});
  for (const [path, text] of Object.entries(after)) {
    if (!path.startsWith('.github/workflows/') || files[path] === text) continue;
    expect(await readWorkflow(basename(path), text.replace(/^\ufeff/, ''))).not.toHaveProperty(
      'mistakes',
    );
  }
  return { ...first, second, changed: changes(files, after), after };
}

const indented = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

/** A workflow with steps, written from the column of their dashes. */
const workflow = (steps: string, top = '') =>
  `on: push\n${top}jobs:\n  deploy:\n    runs-on: ubuntu-latest\n    steps:\n${indented(steps, 6)}`;

/** A step with inputs, and what follows them. */
const step = (inputs: string, rest = '', uses = 'OWNER/site-deploy-action@v1') =>
  `- uses: ${uses}\n  with:\n    api-key: \${{ secrets.SITE_API_KEY }}\n    base-url: https://api.example.com\n${indented(inputs, 4)}${indented(rest, 2)}`;

const withSite = 'config: .github/site.yml\n';
const env = `env:\n  A: \${{ secrets.A }}\n`;
const line = `STRIPE_KEY: \${{ secrets.STRIPE_KEY }}`;
const site = 'environment:\n  A: {}\n';
const at = (name: string) => `.github/workflows/${name}.yml`;
const siteChange = { '.github/site.yml': ['+3:  STRIPE_KEY: {}'] };

/** One repository: its files, and what changes in each. */
interface Case {
  files: Files;
  changed: Record<string, string[]>;
  args?: string[];
  /** What is left to do by hand; then the exit status is 1. */
  byHand?: string[];
  secrets?: string[];
}

const cases: Record<string, Case> = {
  'a step with env:, in the middle of comments and blank lines': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(
        `# before\n${step(withSite, 'env: # values\n  # the first\n  A: "x" # end\n  # after the last\n')}\n\n# next\n- run: echo\n`,
      ),
    },
    changed: { ...siteChange, [at('a')]: [`+15:          ${line}`] },
  },
  'a step without env:, with another indentation': {
    files: {
      '.github/site.yml': site,
      [at('a')]:
        `on: push\njobs:\n    deploy:\n        runs-on: ubuntu-latest\n        steps:\n            -   name: Deploy\n                uses: OWNER/site-deploy-action@v1\n                with:\n                    config: .github/site.yml # the list\n                if: always()\n`,
    },
    changed: {
      ...siteChange,
      [at('a')]: ['+11:                env:', `+12:                  ${line}`],
    },
  },
  'env: before with:, and a text of several lines as its last value': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(
        `- env:\n    A: |\n      one\n\n      two\n\n  uses: OWNER/site-deploy-action@v1\n  with:\n    ${withSite}`,
      ),
    },
    changed: { ...siteChange, [at('a')]: [`+11:          ${line}`] },
  },
  'env: without a value': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(step(withSite, 'env: # none yet\n')),
    },
    changed: { ...siteChange, [at('a')]: [`+12:          ${line}`] },
  },
  'mappings in braces': {
    files: {
      '.github/site.yml': 'environment: { A: {} } # all\n',
      [at('a')]: workflow(step(withSite, `env: { A: '\${{ secrets.A }}', } # all\n`)),
      [at('b')]:
        `{ "on": "push", "jobs": { "d": { "runs-on": "x", "steps": [{ "uses": "OWNER/site-deploy-action@v1", "with": { "config": ".github/site.yml" } }] } } }\n`,
      [at('c')]: workflow(step(withSite, 'env: {}\n')),
    },
    changed: {},
    byHand: [
      '.github/site.yml: add STRIPE_KEY: {} to its environment:',
      `${at('a')}:6: add ${line} to its env:`,
      `${at('b')}:1: add ${line} to its env:`,
      `${at('c')}:6: add ${line} to its env:`,
    ],
  },
  'line breaks of Windows': {
    files: {
      '.github/site.yml': '# list\r\nenvironment:\r\n  A: {}\r\n\r\nchecks: []\r\n',
      [at('a')]: workflow(step(withSite, `${env}if: always()\n`)).replaceAll('\n', '\r\n'),
    },
    changed: {
      '.github/site.yml': ['+4:  STRIPE_KEY: {}\r'],
      [at('a')]: [`+13:          ${line}\r`],
    },
  },
  'byte order marks, and no line break at the end': {
    files: {
      '.github/site.yml': '\ufeffenvironment:\n  A: {}',
      [at('a')]: `\ufeff${workflow(step(withSite, env))}`.trimEnd(),
    },
    changed: {
      '.github/site.yml': ['+3:  STRIPE_KEY: {}'],
      [at('a')]: [`+13:          ${line}`],
    },
  },
  'no site file yet': {
    files: { [at('a')]: workflow(step(withSite, env)) },
    changed: {
      '.github/site.yml': ['+1:environment:', '+2:  STRIPE_KEY: {}'],
      [at('a')]: [`+13:          ${line}`],
    },
  },
  'a site file of comments': {
    files: {
      '.github/site.yml': '# nothing yet\n',
      [at('a')]: workflow(step(withSite, env)),
    },
    changed: {
      '.github/site.yml': ['+2:environment:', '+3:  STRIPE_KEY: {}'],
      [at('a')]: [`+13:          ${line}`],
    },
  },
  'a site file whose environment: has only comments': {
    files: {
      '.github/site.yml': '---\nenvironment: # ours\n  # A: {}\n\nchecks:\n    - path: /\n',
      [at('a')]: workflow(step(withSite, env)),
    },
    changed: {
      '.github/site.yml': ['+3:  STRIPE_KEY: {}'],
      [at('a')]: [`+13:          ${line}`],
    },
  },
  'a site file that takes the value from another variable': {
    files: {
      '.github/site.yml': 'environment:\n  STRIPE_KEY: { from: PROD_STRIPE }\n',
      [at('a')]: workflow(step(withSite, env)),
    },
    changed: { [at('a')]: [`+13:          PROD_STRIPE: \${{ secrets.PROD_STRIPE }}`] },
    secrets: ['PROD_STRIPE'],
  },
  'a site file that has the value itself': {
    files: {
      '.github/site.yml': 'environment:\n  STRIPE_KEY: { value: "x", kind: plain }\n',
      [at('a')]: workflow(step(withSite, env)),
    },
    changed: {},
    secrets: [],
  },
  'a site file that deletes the variable': {
    files: {
      '.github/site.yml': 'environment:\n  STRIPE_KEY: { remove: true }\n',
      [at('a')]: workflow(step(withSite, env)),
    },
    changed: { [at('a')]: [`+13:          ${line}`] },
    byHand: ['.github/site.yml: add STRIPE_KEY: {} to its environment:'],
  },
  'a site file with a mistake': {
    files: {
      '.github/site.yml': 'environment:\n\tA: {}\n',
      [at('a')]: workflow(step(withSite, env)),
    },
    changed: { [at('a')]: [`+13:          ${line}`] },
    byHand: ['.github/site.yml: add STRIPE_KEY: {} to its environment:'],
  },
  'a site file of checks, beside one of variables': {
    files: {
      '.github/site.yml': site,
      '.github/checks.yml': 'checks:\n    - path: / # home\n# end\n',
      [at('a')]: workflow(step(withSite, env)),
      [at('b')]: workflow(step('config: .github/checks.yml\n', env)),
    },
    changed: { ...siteChange, [at('a')]: [`+13:          ${line}`] },
  },
  'lists in env-from, in each form': {
    files: {
      [at('a')]: workflow(
        [
          step('env-from: A # one\n', env),
          step('env-from: | # all\n  A\n\n  # more\n  B=C\n\n', env),
          step('env-from: &names A\nenv-remove: *names\n', env),
          step('env-from: STRIPE_KEY=LIVE_KEY\n', env),
        ].join('\n'),
      ),
    },
    changed: {
      [at('a')]: [
        `+13:          ${line}`,
        `+27:          ${line}`,
        `+37:          ${line}`,
        `+46:          LIVE_KEY: \${{ secrets.LIVE_KEY }}`,
      ],
    },
    byHand: [6, 15, 29].map((number) => `${at('a')}:${number}: add STRIPE_KEY to its env-from:`),
    secrets: ['LIVE_KEY', 'STRIPE_KEY'],
  },
  'a list and a site file, for runs that outsiders can cause': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(step(`${withSite}env-from: A\n`, env)),
    },
    changed: { ...siteChange, [at('a')]: [`+14:          ${line}`] },
  },
  'previews, which have secrets of their own': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(step(`${withSite}preview-projects: x\n`, env)),
      [at('b')]: workflow(step(`${withSite}preview-domain: x\n`, env)).replace(
        'push',
        '[pull_request]',
      ),
      [at('c')]: workflow(step(`${withSite}preview-domain: x\n`, env)),
    },
    changed: {
      ...siteChange,
      [at('a')]: [`+14:          STRIPE_KEY: \${{ secrets.PREVIEW_STRIPE_KEY }}`],
      [at('b')]: [`+14:          STRIPE_KEY: \${{ secrets.PREVIEW_STRIPE_KEY }}`],
      [at('c')]: [`+14:          ${line}`],
    },
    secrets: ['PREVIEW_STRIPE_KEY', 'STRIPE_KEY'],
  },
  'other steps and other actions': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(
        [
          '- uses: actions/checkout@v7\n  env: { A: b }\n',
          step(withSite, env, 'OWNER/site-deploy-action/domains@v1'),
          step('content: x\n', env, 'OWNER/site-deploy-action/message@v1'),
          step(withSite, env, 'OWNER/site-deploy-action-2@v1'),
          step(withSite, env, 'OWNER/other@v1'),
          '- uses: ./\n  with: { config: .github/site.yml }\n',
          step('deploy: false\n', env),
          step(
            withSite,
            env,
            '"Fork/Site-Deploy-Action/env-sync@0123456789012345678901234567890123456789"',
          ),
          step(withSite, env, './env-sync'),
          step(withSite, env, './'),
        ].join(''),
      ),
      '.github/workflows/b.yaml': workflow(step(withSite, env)),
      '.github/workflows/old/c.yml': workflow(step(withSite, env)),
    },
    changed: {
      ...siteChange,
      [at('a')]: [`+52:          ${line}`],
      '.github/workflows/b.yaml': [`+13:          ${line}`],
    },
  },
  'a monorepo of two sites': {
    files: {
      'shop/site.yml': site,
      'blog/site.yml': site,
      [at('shop')]: workflow(step('config: shop/site.yml\n', env)),
      [at('blog')]: workflow(step('config: ./blog/site.yml\n', env)),
    },
    changed: {
      'shop/site.yml': ['+3:  STRIPE_KEY: {}'],
      'blog/site.yml': ['+3:  STRIPE_KEY: {}'],
      [at('shop')]: [`+13:          ${line}`],
      [at('blog')]: [`+13:          ${line}`],
    },
  },
  'a site file that an expression names': {
    files: { [at('a')]: workflow(step(`config: \${{ vars.FILE }}\n`, env)) },
    changed: { [at('a')]: [`+13:          ${line}`] },
    byHand: [`\${{ vars.FILE }}: add STRIPE_KEY: {} to its environment:`],
  },
  'a value that a workflow or a job has in env:': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(step(withSite, env), 'env:\n  STRIPE_KEY: x\n'),
      [at('b')]: workflow(step(withSite, env)).replace(
        '    steps:',
        '    env: { STRIPE_KEY: x }\n    steps:',
      ),
    },
    changed: siteChange,
    secrets: [],
  },
  'an env: that only steps of the action share by an anchor': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(
        `${step(withSite, 'env: &values\n  A: x # one\n')}${step(withSite, 'env: *values\n')}`,
      ),
    },
    changed: siteChange,
    byHand: [`${at('a')}:6: add ${line} to its env:`, `${at('a')}:13: add ${line} to its env:`],
  },
  'an env: that other steps share': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(
        `- run: echo\n  env: &values\n    A: x\n${step(withSite, 'env: *values\n')}`,
      ),
      [at('b')]: workflow(
        `${step(withSite, 'env: &values\n  A: x\n')}- run: echo\n  env: *values\n`,
      ),
      [at('c')]: workflow(
        `${step(withSite, 'env: &values\n  A: x\n')}${step(`${withSite}preview-projects: x\n`, 'env: *values\n')}`,
      ),
    },
    changed: siteChange,
    byHand: [
      `${at('a')}:9: add ${line} to its env:`,
      `${at('b')}:6: add ${line} to its env:`,
      `${at('c')}:6: add ${line} to its env:`,
      `${at('c')}:13: add STRIPE_KEY: \${{ secrets.PREVIEW_STRIPE_KEY }} to its env:`,
    ],
    secrets: ['PREVIEW_STRIPE_KEY', 'STRIPE_KEY'],
  },
  'steps that two jobs share': {
    files: {
      '.github/site.yml': site,
      [at('a')]:
        `${workflow(step(withSite, env)).replace('steps:', 'steps: &steps')}  again:\n    runs-on: ubuntu-latest\n    env: { STRIPE_KEY: x }\n    steps: *steps\n`,
    },
    changed: siteChange,
    byHand: [`${at('a')}:6: add ${line} to its env:`],
  },
  'steps that run in parallel': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(`- parallel:\n${indented(step(withSite, env), 4)}`),
    },
    changed: { ...siteChange, [at('a')]: [`+14:              ${line}`] },
  },
  'an env: that is an expression': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(step(withSite, `env: \${{ fromJSON(vars.VALUES) }}\n`)),
    },
    changed: siteChange,
    byHand: [`${at('a')}:6: add ${line} to its env:`],
  },
  'a workflow that is not valid YAML': {
    files: {
      '.github/site.yml': site,
      [at('a')]: workflow(step(withSite, env)),
      [at('b')]: `${workflow(step(withSite, env))}\tx: y\n`,
      [at('c')]: 'a: "\n',
    },
    changed: { ...siteChange, [at('a')]: [`+13:          ${line}`] },
    byHand: [`${at('b')}:13: indentation with a tab: use spaces. Then run this again`],
  },
};

describe.concurrent('a variable is added to', () => {
  it.each(Object.entries(cases))(
    '%s',
    async (_, { files, changed, args, byHand = [], secrets = ['STRIPE_KEY'] }) => {
      const ran = await add(files, args);
      expect(ran.stderr).toBe('');
      expect(ran.changed).toEqual(changed);
      const lines = ran.stdout.split('\n');
      const start = lines.findIndex((one) => one.startsWith('To do by hand')) + 1;
      const end = lines.findIndex((one, index) => index > start && !one.startsWith('  '));
      expect(start === 0 ? [] : lines.slice(start, end).map((one) => one.slice(2))).toEqual(byHand);
      const commands = lines.filter((one) => one.startsWith('  gh '));
      expect(commands).toEqual(secrets.map((name) => `  gh secret set ${name}`));
      expect(ran.status).toBe(byHand.length > 0 ? 1 : 0);
      expect(ran.second.status).toBe(ran.status);
    },
  );
});

describe('add-variable', () => {
  it('changes only the lists and environments of the starter', async () => {
    const files = Object.fromEntries(
      Object.entries(filesIn('examples/starter/.github')).map(([path, text]) => [
        `.github/${path}`,
        text,
      ]),
    );
    const ran = await add(files);
    const value = `          STRIPE_KEY: \${{ secrets.`;
    expect(ran.changed).toEqual({
      '.github/site.yml': ['+14:  STRIPE_KEY: {}'],
      [at('deploy')]: [`+39:${value}STRIPE_KEY }}`],
      [at('drift')]: [`+41:${value}STRIPE_KEY }}`],
      [at('preview')]: [`+55:${value}PREVIEW_STRIPE_KEY }}`],
      [at('sync')]: [`+44:${value}STRIPE_KEY }}`],
    });
    expect(readSiteFile(ran.after['.github/site.yml'] ?? '').ok).toBe(true);
    expect(ran.stdout).toMatch(/\nThen commit and push the files\.\n$/);
    expect(ran.second).toMatchObject({
      status: 0,
      stdout: 'STRIPE_KEY is already in each site file and each env: that needs it.\n',
    });
  });

  it('adds only lines to the other examples, which stay valid', async () => {
    const names = globSync('*.yml', { cwd: 'examples/workflows' });
    const texts = names.map((name) => readFileSync(join('examples/workflows', name), 'utf8'));
    const files = Object.fromEntries(
      names.map((name, index) => [`.github/workflows/${name}`, texts[index] ?? '']),
    );
    const sites = ['site.yml', 'checks.yml'].map((name) => [
      `.github/${name}`,
      readFileSync(join('examples', name), 'utf8'),
    ]);
    const all = { ...files, ...Object.fromEntries(sites) };
    const ran = await add(all, ['NEW_KEY']);
    const lines = Object.entries(ran.changed).flatMap(([path, changed]) =>
      changed.map((one) => `${basename(path)} ${one.slice(0, 1)} ${one.replace(/^.\d+: */, '')}`),
    );
    expect(lines.sort()).toMatchInlineSnapshot(`
      [
        "drift-issue.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
        "env-drift.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
        "env-environments.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
        "env-projects.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
        "env-sync.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
        "fleet.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
        "new-project.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
        "pull-request.yml + NEW_KEY: \${{ secrets.PREVIEW_NEW_KEY }}",
        "push-checks.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
        "push.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
        "redeploy.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
        "site.yml + NEW_KEY: {}",
        "two-sites.yml + NEW_KEY: \${{ secrets.NEW_KEY }}",
      ]
    `);
  });

  it.each([
    ['no .github', {}, 'no step in .github/workflows reads variables: site-deploy init writes'],
    [
      'no step of this action',
      { [at('a')]: workflow('- run: echo\n') },
      'site-deploy init writes workflows',
    ],
    [
      'a site file of checks only',
      { '.github/site.yml': 'checks: []\n', [at('a')]: workflow(step(withSite)) },
      'and environment: to that file',
    ],
    [
      'a site file outside of it',
      { [at('a')]: workflow(step('config: ../outside-of-add-variable.yml\n')) },
      '../outside-of-add-variable.yml is or contains a link, which is not followed, or is outside',
    ],
    [
      'no list',
      { [at('a')]: workflow(step('deploy: true\n')) },
      'add config: .github/site.yml to the step, after one with actions/checkout',
    ],
  ])('is an error in a repository with %s', async (_, files, message) => {
    const ran = await add(files);
    expect(ran).toMatchObject({ status: 2, changed: {}, stdout: '' });
    expect(ran.stderr).toContain(message);
  });

  it.each([
    ['', 'name the variable first: site-deploy add-variable STRIPE_KEY'],
    ['--dry-run', 'name the variable first: site-deploy add-variable STRIPE_KEY'],
    ['A B', '"A B" is not a valid variable name'],
    ['A=not-a-real-secret', '"A=…" is not a valid variable name'],
    ['a.b', "a.b can't be added: a secret of GitHub has only letters, digits and _"],
    ['PREVIEW_A', "PREVIEW_A can't be added: the secrets of previews begin so"],
    ['GITHUB_TOKEN', "GITHUB_TOKEN can't be added: the runner, Node, git or this command reads it"],
    ['SITE_API_KEY', "SITE_API_KEY can't be added: the runner, Node, git or this command reads it"],
    ['NODE_OPTIONS', "NODE_OPTIONS can't be added: the runner, Node, git or this command reads it"],
  ])('refuses %s', async (name, message) => {
    const ran = await add({ [at('a')]: workflow(step(withSite, env)) }, [name]);
    expect(ran).toMatchObject({ status: 2, changed: {} });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toContain('not-a-real');
  });

  it('shows what it would write, and writes it only after a yes', async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'add-variable-'));
    const { path: folder } = temporary;
    const files = { '.github/site.yml': site, [at('a')]: workflow(step(withSite, env)) };
    write(folder, files);
    const shown = [
      ...['.github/site.yml:3', '+   STRIPE_KEY: {}'],
      ...[`${at('a')}:13`, `+           ${line}`, ''],
    ].join('\n');
    const args = ['add-variable', 'STRIPE_KEY', '--into', folder];
    const dry = await siteDeploy([...args, '--dry-run']);
    expect(dry).toMatchObject({ status: 0, stderr: '' });
    expect(dry.stdout.startsWith(shown), dry.stdout).toBe(true);
    const without = await siteDeploy(args);
    expect(without).toMatchObject({ status: 2, stdout: shown });
    expect(without.stderr).toContain('--yes writes the files, and --dry-run only shows them');
    const atTerminal = (typed: string) => ({
      sees: 'Write these 2 files? [y/N]',
      types: () => typed,
    });
    expect(await siteDeploy(args, { atTerminal: atTerminal('maybe\n') })).toMatchObject({
      status: 130,
      stderr: 'site-deploy: Canceled. Nothing was written. (SD9002)\n',
    });
    expect(filesIn(folder)).toEqual(files);
    expect(await siteDeploy(args, { atTerminal: atTerminal('y\n') })).toMatchObject({ status: 0 });
    expect(Object.keys(changes(files, filesIn(folder)))).toHaveLength(2);
  });

  it.skipIf(process.platform === 'win32')('writes nothing through a link', async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'add-variable-'));
    const { path: folder } = temporary;
    write(folder, { 'shared.yml': site, [at('a')]: workflow(step(withSite, env)) });
    symlinkSync('../shared.yml', join(folder, '.github/site.yml'));
    const before = filesIn(folder);
    const ran = await siteDeploy(['add-variable', 'STRIPE_KEY', '--yes'], { folder });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain('.github/site.yml is or contains a link, which is not followed');
    expect(filesIn(folder)).toEqual(before);
  });
});
