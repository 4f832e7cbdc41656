import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { GitHubStandIn } from '../../emulator/github/index.ts';
import type { DialectOptions, EmulatedProject } from '../../emulator/index.ts';
import { openPage, type Page, type RequestRow, terminalLine } from '../../emulator/page/index.ts';
import { quoted } from '../../src/cli/init/next-steps.ts';
import { suggestion } from '../../src/site-file/document.ts';
import { pushChange } from './change.ts';
import { readDialect } from './dialect.ts';
import { here, readGiven } from './given-file.ts';
import { localValues, readValues } from './local-values.ts';
import { findRepository, type OwnRepository, serveOwn } from './own-repository.ts';
import { played, repository } from './play.ts';
import { UsageError } from './usage-error.ts';
import { type LocalWorld, openWorld, siteAndPreview } from './world.ts';
import { readContents } from './world-file.ts';

const usage = `Starts a local site service and a local GitHub, with a project and a repository, and a page that shows them.

  --port <number>         the service's port (default: a free one)
  --page-port <number>    the page's port (default: a free one); a page that is open finds the emulator after a restart
  --github-port <number>  GitHub's port (default: a free one)
  --api-key <text>        the service's API key (default: a new one)
  --git-token <text>      the password of the projects' repositories (default: a new one)
  --github-token <text>   GitHub's token (default: a new one); programs that know it can run this action
  --build-ms <number>     how long a deployment takes, in milliseconds (default: 3000)
  --repo <folder>         serves a copy of this git repository as GitHub does, and plays its workflows
  --secrets <file>        secrets for these workflows, as lines NAME=value; missing ones get fake values
  --vars <file>           variables for these workflows, as lines NAME=value
  --run-steps             runs the workflows' run: steps too, on this machine, as you: text of an event may become a command
  --unfold                expands the groups of the workflows' logs, such as inputs
  --world <file>          the projects, domains and records to create: see docs/trying-it.md
  --dialect <name=value>  a setting of the service's behavior; may be repeated; npm run try -- --help dialect lists them
  --write <file>          writes its addresses and keys as lines for $GITHUB_OUTPUT once it is ready
  --quiet                 prints no line for each request
  --help                  shows this text
`;

const options = {
  port: { type: 'string', default: '0' },
  'page-port': { type: 'string', default: '0' },
  'github-port': { type: 'string', default: '0' },
  'api-key': { type: 'string' },
  'git-token': { type: 'string' },
  'github-token': { type: 'string' },
  'build-ms': { type: 'string', default: '3000' },
  repo: { type: 'string' },
  secrets: { type: 'string' },
  vars: { type: 'string' },
  'run-steps': { type: 'boolean', default: false },
  unfold: { type: 'boolean', default: false },
  world: { type: 'string' },
  dialect: { type: 'string', multiple: true, default: [] as string[] },
  write: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const wholeNumber = (name: string, max: number) =>
  z
    .string()
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value <= max, `${name} must be a whole number from 0 to ${max}`);

/** A token that fits a header, an address and a shell's command. Without one, a new one. */
const token = (option: string) =>
  z
    .string()
    .regex(/^[\w.-]+$/, `--${option} can have letters, digits, and . _ -`)
    .default(() => `fake-${option}-${randomBytes(12).toString('hex')}`);

const settings = z.object({
  port: wholeNumber('--port', 65_535),
  'page-port': wholeNumber('--page-port', 65_535),
  'github-port': wholeNumber('--github-port', 65_535),
  'build-ms': wholeNumber('--build-ms', 3_600_000),
  'api-key': token('api-key'),
  'git-token': token('git-token'),
  'github-token': token('github-token'),
});

/** The command line that deploys the HEAD of a project with these inputs. */
type Trial = (inputs: Readonly<Record<'base-url' | 'api-key' | 'project-id', string>>) => string;

/** How many requests the emulator remembers: it may run for days. */
const keptRequests = 1000;

/** What a build prints, for there to be something to watch. */
const logLines = ['Installing 3 packages', 'Building 2 pages', 'Built in 1.2 s'];

/** A service that takes its time, so that a person can see what happens. */
function dialectOf(buildMs: number, given: DialectOptions): DialectOptions {
  return { buildMs, verifyMs: buildMs, ...given, stream: { logLines, ...given.stream } };
}

/** Runs the command line until it is told to stop. Gives the exit status. */
async function keepWorld(args: readonly string[], trial: Trial): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { port, 'page-port': pagePort, 'build-ms': buildMs, ...given } = settings.parse(values);
  if (values.repo !== undefined) checkActions();
  const own = values.repo === undefined ? undefined : await findRepository('repo', values.repo);
  const playValues = await readPlayValues(values);
  const contents = await contentsFor(values.world, own);
  await using world = await openWorld({
    port,
    dialect: dialectOf(buildMs, readDialect(values.dialect)),
    journalLimit: keptRequests,
    keys: { key: given['api-key'], gitToken: given['git-token'] },
    // Anyone who knows the token may run code here: by default it is nowhere but in this terminal.
    gitHub: {
      login: own ? 'octocat' : 'github-actions[bot]',
      token: given['github-token'],
      port: given['github-port'],
    },
    hasOwnAddress: own !== undefined,
    ...(contents && { contents }),
  });
  const { 'run-steps': runSteps, unfold } = values;
  const served =
    own && (await serveOwn(world, own, playValues, { runSteps, unfold, print: console.log }));
  await using _ = served?.runs ?? (await fillRepository(world));
  // Whoever read what it prints may be gone: the emulator goes on.
  process.stdout.on('error', () => undefined);
  const print = values.quiet
    ? {}
    : { onRequest: (row: RequestRow) => console.log(terminalLine(row)) };
  const watched = { ...world, ...(served && { history: served.history }) };
  await using page = await openPage(watched, { port: pagePort, ...print });
  // Before, each of these ends the process at once, as nothing of it is worth keeping.
  const signals = ['SIGINT', 'SIGTERM', ...(process.connected ? ['disconnect'] : [])];
  const stopped = Promise.race(signals.map((signal) => once(process, signal)));
  if (values.write !== undefined) await writeOutputs(world, resolve(here, values.write));
  console.log(describe(world, page, own, trial));
  await stopped;
  return 0;
}

/** @throws UsageError if the actions that workflows use are not here, as in the package of the command line */
function checkActions(): void {
  if (existsSync(join(played, 'action.yml'))) return;
  throw new UsageError(
    "--repo plays workflows with the actions of a checkout of this action's repository: set ACTIONS_ROOT to its folder",
  );
}

/** What `--secrets` and `--vars` hold. @throws UsageError for a file that nothing would use */
async function readPlayValues(values: { repo?: string; secrets?: string; vars?: string }) {
  for (const name of ['secrets', 'vars'] as const) {
    const isUnused = values.repo === undefined && values[name] !== undefined;
    if (isUnused) throw new UsageError(`--${name} needs --repo`);
  }
  return {
    secrets: await readValues('secrets', values.secrets),
    vars: await readValues('vars', values.vars),
  };
}

/** What there is: as a file says, or what a repository of one's own needs. */
async function contentsFor(file: string | undefined, own: OwnRepository | undefined) {
  if (file === undefined) return own && siteAndPreview;
  const given = await readGiven('world', file);
  return readContents(given.source, given.file);
}

/** Without a repository of one's own, GitHub has the project's, with one more commit. */
async function fillRepository({ project, github }: LocalWorld): Promise<null> {
  await pushChange(project, 'A change of mine', 'main', await github.gitFolder(repository));
  return null;
}

type Row = readonly [name: string, value: string];

const projectRows = ({ id, gitUrl, siteUrl }: EmulatedProject): Row[] => [
  ['project id', id],
  ['git URL', gitUrl],
  ['site', siteUrl],
];

/** The address of a repository, with what git needs to push there. */
function cloneUrl({ url, token }: GitHubStandIn, name: string): URL {
  const clone = new URL(`${url}/${name}.git`);
  clone.username = 'x-access-token';
  clone.password = token;
  return clone;
}

function gitHubRows(github: GitHubStandIn, name: string): Row[] {
  const { url, token } = github;
  return [
    ['GITHUB_API_URL', url],
    ['GITHUB_SERVER_URL', url],
    ['token', token],
    ['repository', cloneUrl(github, name).href],
  ];
}

/** What sets up the repository, to be pasted into a shell, and what shows how it is. */
function setupCommands(world: LocalWorld, { folder, name }: OwnRepository): string[] {
  const { github } = world;
  const { secrets, vars } = localValues(world);
  const { SITE_URL: _, ...inputs } = vars;
  const values = {
    ...secrets,
    ...inputs,
    SITE_REPOSITORY: name,
    SITE_GITHUB_TOKEN: github.token,
    SITE_GITHUB_API_URL: github.url,
  };
  const exported = Object.entries(values).flatMap(([variable, value]) =>
    value === '' ? [] : [`  export ${variable}=${quoted(value.replaceAll('\n', ','))}`],
  );
  return [
    'To set your repository up with the command site-deploy, paste this into another terminal:',
    ...exported,
    `  cd ${quoted(folder)}`,
    '  site-deploy init',
    '',
    'Skip its gh commands: the workflows get these values here. If git push needs a remote:',
    `  git remote add origin ${cloneUrl(github, name).href}`,
    '',
    'After a push, in the same terminal, what is live and what waits:',
    '  site-deploy status',
    '',
  ];
}

/** Commands that push and open, update and close a pull request. */
function ownCommands(github: GitHubStandIn, { folder, name }: OwnRepository): string[] {
  const { url, token } = github;
  const branch = github.defaultBranch(name);
  const send = (method: string, path: string, body?: object) => {
    const data = body === undefined ? '' : ` --data '${JSON.stringify(body)}'`;
    return `curl --request ${method} --header 'Authorization: Bearer ${token}'${data} ${url}/repos/${name}/${path}`;
  };
  return [
    `Your repository is a copy of ${folder}, which stays as it is. Commit a change there, and push it:`,
    `  git push ${cloneUrl(github, name).href} HEAD:${branch}`,
    '',
    'A pull request: push a branch and open it; a push to the branch updates it. Then close it.',
    `  git push ${cloneUrl(github, name).href} HEAD:topic`,
    `  ${send('POST', 'pulls', { title: 'A change', head: 'topic', base: branch })}`,
    `  ${send('PATCH', 'pulls/1', { state: 'closed' })}`,
    '',
    'Start a workflow of the default branch, by hand or as its schedule does:',
    `  ${send('POST', 'actions/workflows/deploy.yml/dispatches', { ref: branch })}`,
    `  ${send('POST', 'actions/workflows/drift.yml/schedule')}`,
  ];
}

function describe(
  world: LocalWorld,
  page: Page,
  own: OwnRepository | undefined,
  trial: Trial,
): string {
  const { emulator, github, projects, project } = world;
  const { url, key } = emulator;
  const section = (title: string, rows: readonly Row[]) => [
    title,
    ...rows.map(([name, value]) => `  ${name.padEnd(19)}${value}`),
    '',
  ];
  return [
    '',
    `Watch it at ${page.url}`,
    '',
    ...section('The service', [
      ['base URL', url],
      ['API key', key],
    ]),
    ...[...projects].flatMap(([name, one]) => section(`Its project "${name}"`, projectRows(one))),
    ...section('GitHub', gitHubRows(github, own?.name ?? repository)),
    ...(own === undefined
      ? [
          'Three things to try, in another terminal:',
          `  curl --header 'x-api-key: ${key}' ${url}/v1/projects`,
          `  git clone ${project.gitUrl} my-site`,
          `  ${trial({ 'base-url': url, 'api-key': key, 'project-id': project.id })}`,
        ]
      : [...setupCommands(world, own), ...ownCommands(github, own)]),
    '',
    'Press Ctrl+C to stop. Nothing is saved.',
    '',
  ].join('\n');
}

/** Writes what a step of ours needs to know, by the names of its inputs. The file is there once it is whole. */
async function writeOutputs({ emulator, project }: LocalWorld, file: string): Promise<void> {
  const outputs = {
    'api-key': emulator.key,
    'base-url': emulator.url,
    'project-id': project.id,
    'git-url': `${emulator.url}/git/{projectId}.git`,
    'git-token': emulator.gitToken,
    'verify-url': project.siteUrl,
  };
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(`${file}.part`, lines.join(''));
  await rename(`${file}.part`, file);
}

/** What is wrong, in one line for each problem; of a wrong argument with all that there are. */
function explain(error: unknown): string {
  if (error instanceof z.ZodError)
    return `${error.issues.map(({ message }) => message).join('\n')}\n\n${usage}`;
  if (!(error instanceof Error)) return String(error);
  const { code = '', port } = error as NodeJS.ErrnoException & { port?: number };
  // Node quotes the argument, which may be a secret.
  if (code.startsWith('ERR_PARSE_ARGS')) {
    const [, name = ''] = /'--([a-z-]+)/.exec(error.message) ?? [];
    const near = suggestion(name, Object.keys(options));
    if (name in options) return `--${name} lacks its value, or has one that it does not take`;
    if (near !== '') return `There is no option --${name}${near}`;
    return `An argument is not one of these, or lacks its value:\n\n${usage}`;
  }
  if (code === 'EADDRINUSE') return `Port ${port} is in use: choose another one, or 0`;
  return error.message;
}

/**
 * Starts the local world, says how to reach it and what to try, and keeps it until it is told to stop.
 *
 * @param trial gives the command line that deploys with these inputs
 * @returns the exit status
 */
export async function runEmulator(args: readonly string[], trial: Trial): Promise<number> {
  try {
    return await keepWorld(args, trial);
  } catch (error) {
    console.error(explain(error));
    return 2;
  } finally {
    // The channel would keep this process.
    if (process.connected) process.disconnect();
  }
}
