// Starts the local world, says how to reach it and what to try, and keeps it until it is told to stop.
import { once } from 'node:events';
import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { GitHubStandIn } from '../emulator/github/index.ts';
import type { EmulatedProject } from '../emulator/index.ts';
import { pushChange } from './player/change.ts';
import { readDialect } from './player/dialect.ts';
import { here, readGiven } from './player/given-file.ts';
import { repository } from './player/play.ts';
import { UsageError } from './player/usage-error.ts';
import { type LocalWorld, openWorld } from './player/world.ts';
import { readContents } from './player/world-file.ts';

const usage = `Starts a local site service and a local GitHub, with a project and a repository.

  --port <number>         the service's port (default: a free one)
  --build-ms <number>     how long a deployment takes, in milliseconds (default: 3000)
  --world <file>          the projects, domains and records to create: see docs/trying-it.md
  --dialect <name=value>  a setting of the service's behavior; may be repeated; npm run try -- --help dialect lists them
  --write <file>          writes its addresses and keys as lines for $GITHUB_OUTPUT once it is ready
  --help                  shows this text
`;

const options = {
  port: { type: 'string', default: '0' },
  'build-ms': { type: 'string', default: '3000' },
  world: { type: 'string' },
  dialect: { type: 'string', multiple: true, default: [] as string[] },
  write: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const wholeNumber = (name: string, max: number) =>
  z
    .string()
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value <= max, `${name} must be a whole number from 0 to ${max}`);

const settings = z.object({
  port: wholeNumber('--port', 65_535),
  'build-ms': wholeNumber('--build-ms', 3_600_000),
});

/** Runs the command line until it is told to stop. Gives the exit status. */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { port, 'build-ms': buildMs } = settings.parse(values);
  const given = values.world === undefined ? undefined : await readGiven('world', values.world);
  const signals = ['SIGINT', 'SIGTERM', ...(process.connected ? ['disconnect'] : [])];
  const stopped = Promise.race(signals.map((signal) => once(process, signal)));
  await using world = await openWorld({
    port,
    dialect: { buildMs, ...readDialect(values.dialect) },
    ...(given && { contents: readContents(given.source, given.file) }),
  });
  const folder = await world.github.gitFolder(repository);
  await pushChange(world.project, 'A change of mine', 'main', folder);
  if (values.write !== undefined) await writeOutputs(world, resolve(here, values.write));
  console.log(describe(world));
  await stopped;
  // The channel would keep this process.
  if (process.connected) process.disconnect();
  return 0;
}

type Row = readonly [name: string, value: string];

const projectRows = ({ id, gitUrl, siteUrl }: EmulatedProject): Row[] => [
  ['project id', id],
  ['git URL', gitUrl],
  ['site', siteUrl],
];

function gitHubRows({ url, token }: GitHubStandIn): Row[] {
  const clone = new URL(`${url}/${repository}.git`);
  clone.username = 'x-access-token';
  clone.password = token;
  return [
    ['GITHUB_API_URL', url],
    ['GITHUB_SERVER_URL', url],
    ['token', token],
    ['repository', clone.href],
  ];
}

function describe({ emulator, github, projects, project }: LocalWorld): string {
  const { url, key } = emulator;
  const section = (title: string, rows: readonly Row[]) => [
    title,
    ...rows.map(([name, value]) => `  ${name.padEnd(19)}${value}`),
    '',
  ];
  const inputs = `base-url=${url} api-key=${key} project-id=${project.id}`;
  return [
    '',
    ...section('The service', [
      ['base URL', url],
      ['API key', key],
    ]),
    ...[...projects].flatMap(([name, one]) => section(`Its project "${name}"`, projectRows(one))),
    ...section('GitHub', gitHubRows(github)),
    'Three things to try, in another terminal:',
    `  curl --header 'x-api-key: ${key}' ${url}/v1/projects`,
    `  git clone ${project.gitUrl} my-site`,
    `  npm run try -- deploy ${inputs} commit-sha=HEAD`,
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

/** What is wrong, in one line for each problem. */
function explain(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues.map(({ message }) => message).join('\n');
  return error instanceof Error ? error.message : String(error);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // What a file or a field is wrong about needs no usage beside it.
  const more = error instanceof UsageError ? '' : `\n\n${usage}`;
  console.error(`${explain(error)}${more}`);
  process.exitCode = 2;
}
