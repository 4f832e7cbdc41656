import { describe, expect, test } from 'vitest';
import type { TroubleRule } from '../../github/index.ts';
import { ask, repository, start } from './support.ts';

const path = `/repos/${repository}/pulls/7`;

test.each<[string, TroubleRule, number, RegExp]>([
  ['a missing permission', 'forbidden', 403, /Resource not accessible by integration/],
  ['an error page', 'html', 502, /^<!DOCTYPE html>/],
  ['the rate limit', 'rate-limit', 403, /API rate limit exceeded/],
  ['a locked conversation', 'locked', 403, /issue is locked/],
  ['the secondary rate limit', 'secondary-rate-limit', 403, /secondary rate limit/],
  ['nothing there', 'not-found', 404, /Not Found/],
  ['an error of the server', 'server-error', 500, /Server Error/],
  ['an unavailable server', 'unavailable', 503, /Service unavailable/],
  [
    'trouble with one path',
    ({ path: asked }) => (asked === path ? 'forbidden' : undefined),
    403,
    /Resource/,
  ],
  ['trouble with one operation', { 'pulls/get': 'forbidden' }, 403, /Resource/],
  ['trouble with a group', { pulls: 'html' }, 502, /^<!DOCTYPE html>/],
  ['its operation before its group', { pulls: 'html', 'pulls/get': 'not-found' }, 404, /Not/],
  ["the test's own answer", () => ({ status: 200, body: '<html></html>' }), 200, /^<html>/],
  ["the test's own JSON", () => ({ status: 200, body: { number: 'seven' } }), 200, /seven/],
])('%s', async (_name, rule, status, words) => {
  await using github = await start();
  github.trouble = rule;
  const response = await ask(github, 'GET', 'pulls/7');
  expect(response.status).toBe(status);
  const { body } = response;
  expect(typeof body === 'string' ? body : JSON.stringify(body)).toMatch(words);
  github.trouble = undefined;
  expect((await ask(github, 'GET', 'pulls/7')).status).toBe(200);
  expect(github.violations).toEqual([]);
});

test('the limits say when to come back', async () => {
  await using github = await start();
  github.trouble = 'secondary-rate-limit';
  const burst = await ask(github, 'GET', 'pulls/7');
  expect(burst.headers.get('retry-after')).toBe('60');
  github.trouble = 'rate-limit';
  const hourly = await ask(github, 'GET', 'pulls/7');
  expect(hourly.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(hourly.headers.get('x-ratelimit-reset')) * 1000).toBeGreaterThan(Date.now());
});

describe('a permission that is missing', () => {
  test.each<[string, TroubleRule, number, number, number]>([
    ['for comments', { comments: 'forbidden' }, 403, 201, 200],
    ['for writing comments', { 'issues/create-comment': 'forbidden' }, 403, 201, 200],
    ['for deployments', { deployments: 'forbidden' }, 201, 403, 200],
    ['for pull requests', { pulls: 'forbidden' }, 201, 201, 403],
  ])('%s', async (_name, rule, comment, deployment, pull) => {
    await using github = await start();
    github.trouble = rule;
    const statuses = [
      (await ask(github, 'POST', 'issues/7/comments', { body: 'Hello' })).status,
      (await ask(github, 'POST', 'deployments', { ref: 'topic-7' })).status,
      (await ask(github, 'GET', 'pulls/7')).status,
    ];
    expect(statuses).toEqual([comment, deployment, pull]);
    expect(github.comments(repository, 7)).toHaveLength(comment === 201 ? 1 : 0);
    expect(github.deployments(repository)).toHaveLength(deployment === 201 ? 1 : 0);
    expect(github.violations).toEqual([]);
  });
});

test.each<['reset' | 'lost-answer' | 'late', number]>([
  ['reset', 0],
  ['lost-answer', 1],
  ['late', 0],
])('%s cuts the connection', async (trouble, effects) => {
  await using github = await start();
  github.trouble = trouble;
  await expect(ask(github, 'POST', 'issues/7/comments', { body: 'Hello' })).rejects.toThrow();
  expect(github.comments(repository, 7)).toHaveLength(effects);
  expect(github.journal).toMatchObject([{ operationId: 'issues/create-comment', status: null }]);
});

test('a late effect comes once the next request is answered', async () => {
  await using github = await start();
  github.trouble = { 'issues/create-comment': 'late' };
  await expect(ask(github, 'POST', 'issues/7/comments', { body: 'Hello' })).rejects.toThrow();
  expect((await ask(github, 'GET', 'issues/7/comments')).body).toEqual([]);
  expect(github.comments(repository, 7)).toHaveLength(1);
});

test('twice is once too often, and the answer is that of the second', async () => {
  await using github = await start();
  github.trouble = 'twice';
  const { body } = await ask(github, 'POST', 'issues/7/comments', { body: 'Hello' });
  expect(github.comments(repository, 7)).toHaveLength(2);
  expect(body).toMatchObject({ id: github.comments(repository, 7)[1]?.id });
});

test('an empty answer has its status and the effect', async () => {
  await using github = await start();
  github.trouble = 'empty-answer';
  const { status, body } = await ask(github, 'POST', 'issues/7/comments', { body: 'Hello' });
  expect({ status, body }).toEqual({ status: 201, body: '' });
  expect(github.comments(repository, 7)).toHaveLength(1);
});

test.each([true, false])("the test's own answer, with an effect: %s", async (effect) => {
  await using github = await start();
  github.trouble = () => ({ status: 201, body: { id: 'another' }, effect });
  const { body } = await ask(github, 'POST', 'issues/7/comments', { body: 'Hello' });
  expect(body).toEqual({ id: 'another' });
  expect(github.comments(repository, 7)).toHaveLength(effect ? 1 : 0);
});
