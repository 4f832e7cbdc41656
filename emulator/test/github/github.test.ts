import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { ask, authorization, headSha, pullRequest, repository, start } from './support.ts';

const path = `/repos/${repository}/pulls/7`;

test.each(['token fake-github-token', 'Bearer fake-github-token'])(
  'gives a pull request for %s',
  async (given) => {
    await using github = await start();
    const response = await fetch(`${github.url}${path}`, { headers: { authorization: given } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ number: 7, head: { sha: headSha } });
    expect(github.journal).toMatchObject([
      { method: 'GET', path, query: {}, body: undefined, operationId: 'pulls/get', status: 200 },
    ]);
  },
);

test('refuses another version of the API', async () => {
  await using github = await start();
  const headers = { authorization, 'x-github-api-version': '2026-03-10' };
  const response = await fetch(`${github.url}${path}`, { headers });
  expect(response.status).toBe(400);
});

describe('refuses', () => {
  test.each([
    ['a request without token', path, undefined, 401, 'Requires authentication'],
    ['a wrong token', path, 'Bearer wrong', 401, 'Bad credentials'],
    ['an unknown pull request', `${path}1`, authorization, 404, 'Not Found'],
  ])('%s', async (_name, asked, given, status, message) => {
    await using github = await start();
    const headers = given === undefined ? {} : { authorization: given };
    const response = await fetch(`${github.url}${asked}`, { headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      message,
      documentation_url: expect.stringMatching(/^https:\/\/docs\.github\.com\/rest/),
      status: String(status),
    });
    expect(github.violations).toEqual([]);
  });
});

test('refuses a request that does not name its user agent', async () => {
  await using github = await start();
  const request = get(`${github.url}${path}`, { headers: { authorization } });
  const [response] = await once(request, 'response');
  expect(response.statusCode).toBe(403);
  expect(await text(response)).toContain('administrative rules');
});

test('the journal keeps bodies, parsed where they are JSON', async () => {
  await using github = await start();
  for (const body of ['{"a":1}', 'text']) {
    await fetch(`${github.url}/x`, { method: 'POST', headers: { authorization }, body });
  }
  expect(github.journal.map(({ body }) => body)).toEqual([{ a: 1 }, 'text']);
});

describe('the account of the token', () => {
  test('an installation has none', async () => {
    await using github = await start();
    expect(await ask(github, 'GET', '/user')).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    });
  });

  test('a person has one', async () => {
    await using github = await start({ login: 'hubot', token: 'fake-personal-token' });
    const headers = { authorization: 'Bearer fake-personal-token' };
    const response = await fetch(`${github.url}/user`, { headers });
    expect(await response.json()).toMatchObject({ login: 'hubot', type: 'User' });
    expect(github.violations).toEqual([]);
  });
});

describe('hooks', () => {
  test('a pull request can be closed between two requests', async () => {
    await using github = await start();
    const pull = pullRequest(7);
    github.pullRequests.set(`${repository}#7`, pull);
    github.on('issues/create-comment', () => {
      pull.state = 'closed';
    });
    expect((await ask(github, 'GET', 'pulls/7')).body).toMatchObject({ state: 'open' });
    await ask(github, 'POST', 'issues/7/comments', { body: 'Deploying …' });
    expect((await ask(github, 'GET', 'pulls/7')).body).toMatchObject({
      state: 'closed',
      closed_at: expect.any(String),
    });
  });

  test('an effect waits for each of them, and other requests do not', async () => {
    await using github = await start();
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const calls: string[] = [];
    github.on('issues/create-comment', ({ operationId }) => {
      calls.push(`first ${operationId}`);
      return first.promise;
    });
    github.on('issues/create-comment', () => {
      calls.push('second');
      return second.promise;
    });
    const created = ask(github, 'POST', 'issues/7/comments', { body: 'Deploying …' });
    await expect.poll(() => calls).toEqual(['first issues/create-comment']);
    expect((await ask(github, 'GET', 'issues/7/comments')).body).toEqual([]);
    first.resolve();
    await expect.poll(() => calls).toHaveLength(2);
    expect(github.comments(repository, 7)).toEqual([]);
    second.resolve();
    expect((await created).status).toBe(201);
    expect(github.comments(repository, 7)).toHaveLength(1);
  });

  test('are not called for a request that is refused', async () => {
    await using github = await start();
    const hook = vi.fn();
    github.on('pulls/get', hook);
    await fetch(`${github.url}${path}`);
    expect(hook).not.toHaveBeenCalled();
  });

  test('one that throws is a violation', async () => {
    await using github = await start();
    github.on('pulls/get', () => {
      throw new Error('the test is wrong');
    });
    expect((await ask(github, 'GET', 'pulls/7')).status).toBe(500);
    expect(github.violations).toEqual(['pulls/get: Error: the test is wrong']);
  });
});

test('latency delays the answer, not the effect and not other requests', async () => {
  const github = await start();
  github.latency = ({ operationId }) => (operationId === 'issues/create-comment' ? 3_600_000 : 0);
  const created = ask(github, 'POST', 'issues/7/comments', { body: 'Deploying …' });
  const settled = created.then(
    () => 'answered',
    () => 'cut',
  );
  await expect.poll(() => github.comments(repository, 7)).toHaveLength(1);
  expect((await ask(github, 'GET', 'issues/7/comments')).body).toHaveLength(1);
  await github[Symbol.asyncDispose]();
  expect(await settled).toBe('cut');
});

test('a latency for all requests', async () => {
  await using github = await start();
  github.latency = 1;
  expect((await ask(github, 'GET', 'pulls/7')).status).toBe(200);
});
