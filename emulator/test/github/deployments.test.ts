import { describe, expect, test } from 'vitest';
import type { CommitCondition, NewDeployment } from '../../github/index.ts';
import { ask, baseSha, headSha, repository, start } from './support.ts';

const bypass = { auto_merge: false, required_contexts: [] };

describe('a deployment', () => {
  test("has GitHub's defaults", async () => {
    await using github = await start();
    const { status, body } = await ask(github, 'POST', 'deployments', { ref: headSha });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ref: headSha,
      sha: headSha,
      task: 'deploy',
      environment: 'production',
      production_environment: true,
      transient_environment: false,
      description: null,
      payload: {},
      creator: { login: 'github-actions[bot]' },
    });
    expect(body).not.toHaveProperty('statuses');
    expect(github.deployments(repository)).toMatchObject([{ ...Object(body), statuses: [] }]);
  });

  test('of another environment is not production', async () => {
    await using github = await start();
    const asked = { ref: headSha, environment: 'preview/pr-7', transient_environment: true };
    const { body } = await ask(github, 'POST', 'deployments', asked);
    expect(body).toMatchObject({ production_environment: false, transient_environment: true });
  });

  test.each([
    ['topic-7', headSha],
    ['refs/heads/topic-7', headSha],
    ['main', baseSha],
    ['v1', 'c'.repeat(40)],
  ])('of %s is of its commit', async (ref, sha) => {
    await using github = await start();
    github.refs.set(`${repository}@v1`, 'c'.repeat(40));
    const { body } = await ask(github, 'POST', 'deployments', { ref });
    expect(body).toMatchObject({ ref, sha });
  });

  test('of an unknown ref is refused', async () => {
    await using github = await start();
    const { status, body } = await ask(github, 'POST', 'deployments', { ref: 'nowhere' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: 'No ref found for: nowhere' });
    expect(github.deployments(repository)).toEqual([]);
  });

  test.each<[string, CommitCondition, object, number, string?]>([
    ['all contexts succeed', { contexts: { ci: 'success' } }, {}, 201],
    ['any context fails', { contexts: { a: 'success', b: 'failure' } }, {}, 409, 'checks failed'],
    ['one is pending', { contexts: { ci: 'pending' } }, {}, 409, 'checks failed'],
    [
      'another fails',
      { contexts: { a: 'success', b: 'error' } },
      { required_contexts: ['a'] },
      201,
    ],
    ['one was not submitted', {}, { required_contexts: ['ci'] }, 409, 'checks failed'],
    ['none is required', { contexts: { ci: 'failure' } }, bypass, 201],
    ['it conflicts', { behind: 'conflicting' }, {}, 409, 'Conflict merging main'],
    ['it conflicts, unmerged', { behind: 'conflicting' }, bypass, 201],
    ['it is behind, unmerged', { behind: 'mergeable' }, bypass, 201],
  ])('when %s', async (_name, condition, asked, status, words) => {
    await using github = await start();
    github.commits.set(`${repository}@${headSha}`, condition);
    const answer = await ask(github, 'POST', 'deployments', { ref: 'topic-7', ...asked });
    expect(answer.status).toBe(status);
    if (words !== undefined)
      expect(answer.body).toMatchObject({ message: expect.stringContaining(words) });
    expect(github.deployments(repository)).toHaveLength(status === 201 ? 1 : 0);
    expect(github.violations).toEqual([]);
  });

  test('that is behind is merged instead, and deployed when it is asked for again', async () => {
    await using github = await start();
    github.commits.set(`${repository}@${headSha}`, { behind: 'mergeable' });
    expect(await ask(github, 'POST', 'deployments', { ref: 'topic-7' })).toMatchObject({
      status: 202,
      body: { message: 'Auto-merged main into topic-7 on deployment.' },
    });
    expect(github.deployments(repository)).toEqual([]);
    expect((await ask(github, 'POST', 'deployments', { ref: 'topic-7' })).status).toBe(201);
  });
});

test.each<[string, string[]]>([
  ['', ['newest', 'middle', 'oldest']],
  ['?environment=preview/pr-7', ['newest', 'oldest']],
  [`?sha=${baseSha}`, ['middle']],
  ['?ref=topic-7', ['oldest']],
  ['?task=clean', ['newest']],
  ['?environment=preview/pr-7&task=deploy', ['oldest']],
  ['?environment=nowhere', []],
  ['?per_page=1&page=2', ['middle']],
])('the list of deployments%s', async (query, descriptions) => {
  await using github = await start();
  const environment = 'preview/pr-7';
  const all: NewDeployment[] = [
    { description: 'oldest', sha: headSha, ref: 'topic-7', environment },
    { description: 'middle', sha: baseSha },
    { description: 'newest', sha: headSha, environment, task: 'clean' },
  ];
  for (const one of all) github.addDeployment(repository, one, [{ state: 'success' }]);
  github.addDeployment('octo-org/other', { sha: headSha });
  const { body } = await ask(github, 'GET', `deployments${query}`);
  expect(body).toMatchObject(descriptions.map((description) => ({ description })));
  expect(body).toHaveLength(descriptions.length);
  expect(github.violations).toEqual([]);
});

describe('a status', () => {
  test('is kept, newest first in the list', async () => {
    await using github = await start();
    const { id } = github.addDeployment(repository, { sha: headSha, environment: 'qa' });
    const path = `deployments/${id}/statuses`;
    const full = {
      state: 'success',
      description: 'Live',
      environment_url: 'https://pr-7.preview.example.com',
      log_url: 'https://github.com/octo-org/octo-site/actions/runs/1',
    };
    expect((await ask(github, 'POST', path, { state: 'in_progress' })).status).toBe(201);
    const { headers, body } = await ask(github, 'POST', path, full);
    expect(body).toMatchObject({ ...full, environment: 'qa', target_url: full.log_url });
    const [deployment] = github.deployments(repository);
    expect(headers.get('location')).toBe(deployment?.statuses[1]?.url);
    expect((await ask(github, 'GET', path)).body).toEqual(deployment?.statuses.toReversed());
    expect(deployment?.statuses).toMatchObject([{ state: 'in_progress' }, { state: 'success' }]);
    expect(github.violations).toEqual([]);
  });

  test('may move the deployment to another environment', async () => {
    await using github = await start();
    const { id } = github.addDeployment(repository, { sha: headSha, environment: 'qa' });
    await ask(github, 'POST', `deployments/${id}/statuses`, { state: 'queued', environment: 'qb' });
    await ask(github, 'POST', `deployments/${id}/statuses`, { state: 'success' });
    expect(github.deployments(repository)).toMatchObject([
      { environment: 'qb', original_environment: 'qa', statuses: [{}, { environment: 'qb' }] },
    ]);
  });

  test.each([
    [140, 201],
    [141, 422],
  ])('takes a description of %i characters with %i', async (length, status) => {
    await using github = await start();
    const { id } = github.addDeployment(repository, { sha: headSha });
    const asked = { state: 'success', description: '🚀'.repeat(length) };
    const answer = await ask(github, 'POST', `deployments/${id}/statuses`, asked);
    expect(answer.status).toBe(status);
    expect(github.deployments(repository)[0]?.statuses).toHaveLength(status === 201 ? 1 : 0);
    expect(github.violations).toEqual([]);
  });

  test('of an unknown deployment is refused', async () => {
    await using github = await start();
    expect((await ask(github, 'GET', 'deployments/1/statuses')).status).toBe(404);
    const answer = await ask(github, 'POST', 'deployments/1/statuses', { state: 'success' });
    expect(answer.status).toBe(404);
  });
});

describe('auto_inactive', () => {
  const environment = 'qa';
  const live = [{ state: 'success' as const }];
  const qa = { sha: headSha, environment };

  test.each<[string, NewDeployment, object, string]>([
    ['an earlier success ends', qa, {}, 'inactive'],
    ['not a transient one', { ...qa, transient: true }, {}, 'success'],
    ['not one of production', { ...qa, production: true }, {}, 'success'],
    ['not one of another environment', { ...qa, environment: 'qb' }, {}, 'success'],
    ['not if it is turned off', qa, { auto_inactive: false }, 'success'],
    ['not by a failure', qa, { state: 'failure' }, 'success'],
  ])('%s', async (_name, earlier, asked, state) => {
    await using github = await start();
    github.addDeployment(repository, earlier, live);
    const { id } = github.addDeployment(repository, qa);
    const body = { state: 'success', ...asked };
    await ask(github, 'POST', `deployments/${id}/statuses`, body);
    const [first] = github.deployments(repository);
    expect(first?.statuses.at(-1)).toMatchObject({ state });
    expect(github.violations).toEqual([]);
  });

  test('leaves alone what was not a success, and what is later', async () => {
    await using github = await start();
    github.addDeployment(repository, qa, [{ state: 'failure' }]);
    const { id } = github.addDeployment(repository, qa);
    github.addDeployment(repository, qa, live);
    await ask(github, 'POST', `deployments/${id}/statuses`, { state: 'success' });
    const states = github.deployments(repository).map(({ statuses }) => statuses.at(-1)?.state);
    expect(states).toEqual(['failure', 'success', 'success']);
  });
});
