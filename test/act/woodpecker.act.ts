import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readBuild } from '../../src/cli/ci.ts';

/** The path of Woodpecker's command line; empty: it can't be installed. */
const woodpecker = process.env['WOODPECKER'] ?? '';

const head = 'a'.repeat(40);

/** A workflow for every event, whose only step writes down its variables. */
const workflow = `when:
  - event: [push, tag, release, cron, manual, deployment, pull_request, pull_request_closed, pull_request_metadata]
skip_clone: true
steps:
  - name: variables
    image: bash
    commands:
      - node -p 'JSON.stringify(process.env)' > "$VARIABLES"
`;

/** How a build of an event comes out, by the variables that Woodpecker sets for it. */
async function built(event: string, ref: string): Promise<object> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'woodpecker-'));
  const variables = join(folder.path, 'variables.json');
  const file = join(folder.path, '.woodpecker.yaml');
  await writeFile(file, workflow);
  const args = ['exec', '--backend-engine', 'local', '--env', `VARIABLES=${variables}`];
  const commit = ['--commit-sha', head, '--commit-ref', ref, '--commit-branch', 'main'];
  const change = ['--commit-refspec', 'topic:main', '--pipeline-event', event];
  await promisify(execFile)(woodpecker, [...args, ...commit, ...change, file], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'], HOME: folder.path },
  });
  const environment: Record<string, string> = JSON.parse(await readFile(variables, 'utf8'));
  expect(environment).toMatchObject({ CI_PIPELINE_EVENT: event });
  return readBuild(environment, { readReference: async () => undefined }, {}, true);
}

const merged = { commitSha: head, pullRequest: undefined };
const change = { number: 12, isFork: true };

test.skipIf(woodpecker === '').each([
  ['push', 'refs/heads/main', merged],
  ['cron', 'refs/heads/main', merged],
  ['manual', 'refs/heads/main', merged],
  ['deployment', 'refs/heads/main', merged],
  ['tag', 'refs/tags/v1.0', { ...merged, branch: undefined }],
  ['release', 'refs/tags/v1.0', { ...merged, branch: undefined }],
  [
    'pull_request',
    'refs/pull/12/head',
    { commitSha: head, branch: 'topic', pullRequest: { ...change, isClosed: false } },
  ],
  ['pull_request_closed', 'refs/pull/12/head', { pullRequest: { ...change, isClosed: true } }],
])('Woodpecker itself, %s of %s', async (event, ref, expected) => {
  expect(await built(event, ref)).toMatchObject(expected);
});

test.skipIf(woodpecker === '').each(['pull_request_metadata', 'deployment'])(
  'Woodpecker itself, %s of a pull request, is not clear',
  async (event) => {
    await expect(built(event, 'refs/pull/12/head')).rejects.toThrow("It isn't clear");
  },
);
