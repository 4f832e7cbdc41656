import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { numberOf } from '../../src/emulator/github/index.ts';
import type { RunEvent } from '../../src/emulator/runner.ts';
import { startAction } from '../../src/emulator/runner.ts';
import { type GitWorld, repository, startGitWorld } from '../git/support.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { shareProcess } from '../support/shared-process.ts';
import { root } from './run-step.ts';

const texts = z.record(z.string(), z.coerce.string());
const workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.tuple([z.object({ uses: z.string(), with: texts, env: texts.optional() })]),
    }),
  ),
});

/** The inputs and the environment of an example's only step, with names filled in and nothing else changed. */
async function stepOf(file: string, known: Readonly<Record<string, string>>) {
  const source = await readFile(join(root, 'examples/workflows', file), 'utf8');
  const [job] = Object.values(workflow.parse(parse(source)).jobs);
  if (job === undefined) throw new Error(`${file} has no job`);
  const [{ uses, with: inputs, env = {} }] = job.steps;
  expect(uses).toMatch(/^OWNER\/site-deploy-action@/);
  const fill = (some: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(some).map(([name, text]) => [
        name,
        text.replace(/\$\{\{ (.*?) \}\}/g, (_, key: string) => known[key] ?? `fake ${key}`),
      ]),
    );
  return { inputs: fill(inputs), env: fill(env) };
}

/** Runs the step of an example, as a runner does that has checked nothing out. */
async function runExample(
  world: GitWorld,
  file: string,
  event: RunEvent,
  options: { inputs?: Record<string, string>; runId?: string } = {},
) {
  const { emulator, github, project } = world;
  const { inputs, env } = await stepOf(file, {
    'secrets.SITE_API_KEY': emulator.key,
    'secrets.SITE_GIT_TOKEN': emulator.gitToken,
    'vars.SITE_BASE_URL': emulator.url,
    'vars.SITE_GIT_URL': `${emulator.url}/git/{projectId}.git`,
    'vars.SITE_PROJECT_ID': project.id,
    'vars.SITE_PREVIEW_PROJECTS': project.id,
    'vars.SITE_URL': project.siteUrl,
  });
  const { runId = '1' } = options;
  return await startAction({
    action: root,
    event,
    inputs: { ...inputs, ...options.inputs },
    env,
    github: { repository, runId, serverUrl: github.url, apiUrl: github.url, token: github.token },
    launch: shareProcess,
  }).done;
}

/** Opens pull request 7 with a commit of its own. */
async function openPullRequest({ dev, github, push }: GitWorld, from: string) {
  const base = await dev.git('rev-parse', 'HEAD');
  await dev.git('checkout', '--quiet', '-B', 'topic');
  const sha = await push();
  const head = { ref: 'topic', sha, repo: { full_name: from, fork: from !== repository } };
  const pull = { number: 7, head, base: { ref: 'main', sha: base } };
  const set = (state: 'open' | 'closed') =>
    github.pullRequests.set(`${repository}#7`, { ...pull, state });
  set('open');
  return { sha, close: () => set('closed') };
}

const deployedBy = ({ project }: GitWorld) => project.deployments.map(({ commit }) => commit);

test('push.yml takes an existing repository to a new project, which adopts it', async () => {
  await using world = await startGitWorld();
  const { project, push } = world;
  const template = await project.head();
  const pushed = async (options = {}) => {
    const commit = await push();
    const payload = { ref: 'refs/heads/main', after: commit };
    return { commit, ...(await runExample(world, 'push.yml', { name: 'push', payload }, options)) };
  };
  const first = await pushed();
  expect(first.outputs).toMatchObject({ outcome: 'failed', pushed: '' });
  const [, wanted = ''] = /`git-force: ([0-9a-f]{40})`/.exec(first.outputs['error'] ?? '') ?? [];
  expect(wanted).toBe(template);
  const second = await pushed({ inputs: { 'git-force': wanted }, runId: '2' });
  const third = await pushed({ inputs: { 'git-force': wanted }, runId: '3' });
  for (const { outputs } of [second, third]) {
    expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
  }
  expect(deployedBy(world)).toEqual([second.commit, third.commit]);
});

test('pull-request.yml brings the commit to the leased project, and ends its preview', async () => {
  await using world = await startGitWorld();
  const { emulator } = world;
  const { sha, close } = await openPullRequest(world, repository);
  const event = (action: string) => ({
    name: 'pull_request',
    payload: adjust(examplePayload('pull_request', action), {
      number: 7,
      'pull_request.number': 7,
      'pull_request.head.sha': sha,
      'pull_request.head.ref': 'topic',
      'pull_request.head.repo.full_name': repository,
      'pull_request.base.repo.full_name': repository,
    }),
  });
  const result = await runExample(world, 'pull-request.yml', event('opened'));
  expect(result.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
  expect(deployedBy(world)).toEqual([sha]);
  expect(emulator.world.domains.all[0]?.projectId).toBe(world.project.id);
  close();
  const ended = await runExample(world, 'pull-request.yml', event('closed'), { runId: '2' });
  expect(ended.outputs).toMatchObject({ outcome: 'cleaned-up', pushed: '' });
  expect(emulator.world.domains.all[0]?.projectId).toBeNull();
  expect(world.github.violations).toEqual([]);
});

test("fork-preview.yml brings a fork's commit, of which nothing is checked out", async () => {
  await using world = await startGitWorld();
  const fork = 'stranger/octo-site';
  const { sha } = await openPullRequest(world, fork);
  // A fork's commit is on no branch of the repository: GitHub keeps it here.
  await world.dev.git('push', '--quiet', 'origin', 'topic:refs/pull/7/head', ':refs/heads/topic');
  const payload = adjust(examplePayload('workflow_run', 'completed'), {
    'workflow_run.event': 'pull_request',
    'workflow_run.head_sha': sha,
    'workflow_run.head_repository.id': numberOf(fork),
    'workflow_run.repository.id': numberOf(repository),
    'workflow_run.pull_requests': [],
  });
  const result = await runExample(world, 'fork-preview.yml', { name: 'workflow_run', payload });
  expect(result.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
  expect(deployedBy(world)).toEqual([sha]);
  expect(await world.project.head()).toBe(sha);
  expect(world.github.violations).toEqual([]);
});
