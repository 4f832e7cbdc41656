// Attack (git): A pull request pushes to a project that serves a site
// Defense: The check of the project comes first: git is not started

import { expect, test } from 'vitest';
import type { EmulatedProject } from '../../emulator/index.ts';
import { repository, startGitWorld } from '../git/support.ts';
import { rows } from '../support/exhaustive.ts';
import { openPullRequest, runPushing } from './push-world.ts';

const previewInputs = (projects: readonly EmulatedProject[]) => ({
  'project-id': '',
  'preview-domain': 'pr-{number}.preview.example.com',
  'preview-projects': projects.map(({ id }) => id).join('\n'),
  'verify-timeout': '2s',
  comment: 'false',
});

test('each of several pull requests gets its commit into the project that it leases', async () => {
  await using world = await startGitWorld();
  const count = rows([2, 10], 1).at(-1) ?? 0;
  const projects = [world.project];
  const pulls: Awaited<ReturnType<typeof openPullRequest>>[] = [];
  for (let number = 1; number <= count; number += 1) {
    pulls.push(await openPullRequest(world, number));
    if (number > 1) projects.push(await world.emulator.world.createProject());
  }
  const inputs = previewInputs(projects);
  const results = await Promise.all(
    pulls.map(({ sha, event }, index) =>
      runPushing(world, sha, { event, inputs, github: { runId: `${index + 1}` } }),
    ),
  );
  for (const [index, { outputs }] of results.entries()) {
    expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
    const leased = projects.find(({ id }) => id === outputs['project-id']);
    expect(await leased?.head()).toBe(pulls[index]?.sha);
    expect(leased?.deployments.map(({ commit }) => commit)).toEqual([pulls[index]?.sha]);
  }
  expect(new Set(results.map(({ outputs }) => outputs['project-id'])).size).toBe(count);
});

test("no pull request is pushed over another project's repository", async () => {
  await using world = await startGitWorld();
  const { emulator, project, push } = world;
  const leased = await emulator.world.createProject();
  const head = await project.head();
  const pull = await openPullRequest(world, 7);
  const pushed = { sha: await push(), event: undefined };
  const inputs = {
    ...previewInputs([leased]),
    'project-id': project.id,
    'git-url': `${emulator.url}/git/${project.id}.git`,
  };
  const needs = /^git-url: needs \{projectId\} in its host or path, or lines PROJECT_ID=URL/;
  // On a push as on a pull request, so that it shows before there is one.
  for (const { sha, event } of [pull, pushed]) {
    const { outputs } = await runPushing(world, sha, { inputs, ...(event && { event }) });
    expect(outputs['error']).toMatch(needs);
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
  }
  expect(emulator.journal.entries).toEqual([]);
  expect(await project.head()).toBe(head);
});

const careless: [string, Record<string, string>][] = [
  ['git-force is false', { 'git-force': 'false' }],
  ['the guard is off', { 'allow-production': 'true' }],
];
test.for(rows(careless, 1))(
  'a leased project loses nothing where %s, and is given back',
  async ([, inputs]) => {
    await using world = await startGitWorld();
    const { emulator, project } = world;
    const head = await project.head();
    const { sha, event } = await openPullRequest(world, 1);
    const result = await runPushing(world, sha, {
      event,
      inputs: { ...previewInputs([project]), ...inputs },
    });
    expect(result.outputs).toMatchObject({ outcome: 'failed', pushed: '' });
    expect(result.outputs['error']).toContain(`\`git-force: ${head}\``);
    expect(await project.head()).toBe(head);
    expect(emulator.world.domains.find('pr-1.preview.example.com')?.projectId ?? null).toBeNull();
  },
);

test('where git fails, a new lease is given back, an older one keeps its preview, and the comment says why', async () => {
  await using world = await startGitWorld();
  const { emulator, github, project } = world;
  const { sha, event } = await openPullRequest(world, 1);
  const inputs = {
    ...previewInputs([project]),
    'git-token': 'fake-but-wrong',
    comment: 'true',
  };
  const holder = () => emulator.world.domains.find('pr-1.preview.example.com')?.projectId ?? null;
  const first = await runPushing(world, sha, { event, inputs });
  expect(first.outputs).toMatchObject({ outcome: 'failed', pushed: '', 'project-id': project.id });
  expect(holder()).toBeNull();
  const [comment] = github.comments(repository, 1);
  expect(comment?.body).toMatch(
    /### ❌ Preview of .*1 was not deployed\n\n> The project's repository rejected git-token, or the user name in git-url/,
  );
  emulator.world.assignDomain('pr-1.preview.example.com', project.id);
  const second = await runPushing(world, sha, { event, inputs, github: { runId: '2' } });
  expect(second.outputs['error']).toBe(first.outputs['error']);
  expect(holder()).toBe(project.id);
});

test('nothing is pushed to a project that serves a site, where the code is not merged', async () => {
  await using world = await startGitWorld();
  const { emulator, project } = world;
  emulator.world.connectDomain('www.example.com', project.id);
  const { sha, event } = await openPullRequest(world, 1);
  const inputs = { comment: 'false', 'git-force': 'true' };
  const result = await runPushing(world, sha, { event, inputs });
  expect(result.outputs).toMatchObject({ outcome: 'failed', pushed: '' });
  expect(result.outputs['error']).toContain('serves www.example.com');
  expect(emulator.journal.of('git')).toEqual([]);
});
