import { createRequire } from 'node:module';
import type { WebhookDefinition } from '@octokit/webhooks-examples';
import { expect, test } from 'vitest';
import type { PullRequest } from '../../github/index.ts';
import { ask, baseSha, headSha, pullRequest, repository, start } from './support.ts';

const require = createRequire(import.meta.url);
const webhooks: WebhookDefinition[] = require('@octokit/webhooks-examples');

const forkSha = 'f'.repeat(40);
const mergeSha = 'e'.repeat(40);
const fork = { full_name: 'octocat/octo-site', fork: true };

async function startWithPulls() {
  const github = await start();
  const others: PullRequest[] = [
    pullRequest(8, { head: { ref: 'topic', sha: forkSha, repo: fork } }),
    pullRequest(9, { state: 'closed', base: { ref: 'next', sha: baseSha } }),
    pullRequest(10, {
      state: 'closed',
      merged_at: '2026-01-01T00:00:00Z',
      merge_commit_sha: mergeSha,
    }),
    pullRequest(11, { head: { ref: 'gone', sha: forkSha, repo: null }, user: { login: 'ghost' } }),
  ];
  for (const one of others) github.pullRequests.set(`${repository}#${one.number}`, one);
  github.pullRequests.set('octo-org/other#12', pullRequest(12));
  return github;
}

test.each<[string, number[]]>([
  ['pulls', [11, 8, 7]],
  ['pulls?state=open&direction=asc', [7, 8, 11]],
  ['pulls?state=closed', [10, 9]],
  ['pulls?state=all', [11, 10, 9, 8, 7]],
  ['pulls?state=all&per_page=2&page=2', [9, 8]],
  ['pulls?head=octo-org:topic-7', [7]],
  ['pulls?head=octocat:topic', [8]],
  ['pulls?head=ghost:gone', [11]],
  ['pulls?head=topic-7', [11, 8, 7]],
  ['pulls?state=all&base=next', [9]],
  [`commits/${headSha}/pulls`, [7, 10]],
  [`commits/${forkSha}/pulls`, [8, 11]],
  [`commits/${mergeSha}/pulls`, [10]],
  ['commits/topic-7/pulls', [7]],
  [`commits/${'a'.repeat(40)}/pulls`, []],
])('GET %s', async (path, numbers) => {
  await using github = await startWithPulls();
  const { status, body } = await ask(github, 'GET', path);
  expect(status).toBe(200);
  expect(body).toMatchObject(numbers.map((number) => ({ number })));
  expect(body).toHaveLength(numbers.length);
  expect(github.violations).toEqual([]);
});

test('a pull request alone says more than in a list', async () => {
  await using github = await startWithPulls();
  github.addComments(repository, 8, [{ author: 'octocat', body: 'Hello' }]);
  const { body } = await ask(github, 'GET', 'pulls/8');
  expect(body).toMatchObject({
    number: 8,
    state: 'open',
    merged: false,
    comments: 1,
    head: { label: 'octocat:topic', ref: 'topic', sha: forkSha, repo: fork },
    base: { label: 'octo-org:main', repo: { full_name: repository } },
    user: { login: 'octocat' },
  });
  expect((await ask(github, 'GET', 'pulls')).body).toMatchObject([
    expect.not.objectContaining({ merged: expect.anything() }),
    {},
    {},
  ]);
});

test.each([
  ['fork', { repo: null }],
  ['account', { repo: null, user: null, label: null }],
])('a deleted %s is null, alone and in a list', async (_name, gone) => {
  await using github = await start();
  const head = { ref: 'topic', sha: forkSha, ...gone };
  github.pullRequests.set(`${repository}#7`, pullRequest(7, { head }));
  expect((await ask(github, 'GET', 'pulls/7')).body).toMatchObject({ head: gone });
  expect((await ask(github, 'GET', 'pulls')).body).toMatchObject([{ head: gone }]);
  expect(github.violations).toEqual([]);
});

test('a merged pull request says so', async () => {
  await using github = await startWithPulls();
  expect((await ask(github, 'GET', 'pulls/10')).body).toMatchObject({ merged: true });
  expect((await ask(github, 'GET', 'pulls/9')).body).toMatchObject({ merged: false });
});

test('a pull request of a real event is answered as it is', async () => {
  await using github = await start();
  const event = webhooks.find(({ name }) => name === 'pull_request')?.examples[0];
  if (event === undefined || !('pull_request' in event)) throw new Error('No such example');
  const given: PullRequest = { ...event.pull_request };
  github.pullRequests.set(`${repository}#2`, given);
  const { status, body } = await ask(github, 'GET', 'pulls/2');
  expect(status).toBe(200);
  expect(body).toMatchObject({ title: given['title'], head: { sha: given.head.sha } });
  expect(github.violations).toEqual([]);
});

test('an order that is not emulated is a violation', async () => {
  await using github = await start();
  expect((await ask(github, 'GET', 'pulls?sort=popularity')).status).toBe(500);
  expect(github.violations).toEqual(['pulls/list: Error: the emulator has no sort=popularity']);
});
