import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import {
  type PullRequest,
  startGitHub,
  type TroubleRule,
} from '../../../src/emulator/github/index.ts';

const pullRequest: PullRequest = {
  number: 7,
  state: 'open',
  head: {
    ref: 'topic',
    sha: '0123456789abcdef0123456789abcdef01234567',
    repo: { full_name: 'octo-org/octo-site', fork: false },
  },
  base: { ref: 'main', sha: '89abcdef0123456789abcdef0123456789abcdef' },
  title: 'A change',
};
const path = '/repos/octo-org/octo-site/pulls/7';
const authorization = 'Bearer fake-github-token';

async function start() {
  const github = await startGitHub();
  github.pullRequests.set('octo-org/octo-site#7', pullRequest);
  return github;
}

test.each(['token fake-github-token', 'Bearer fake-github-token'])(
  'gives a pull request for %s',
  async (given) => {
    await using github = await start();
    const response = await fetch(`${github.url}${path}?a=1`, { headers: { authorization: given } });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(pullRequest);
    expect(github.journal).toMatchObject([
      { method: 'GET', path, query: { a: '1' }, body: undefined, status: 200 },
    ]);
  },
);

describe('refuses', () => {
  test.each([
    ['a request without token', 'GET', path, undefined, 401, 'Requires authentication'],
    ['a wrong token', 'GET', path, 'Bearer wrong', 401, 'Bad credentials'],
    ['an unknown pull request', 'GET', `${path}1`, authorization, 404, 'Not Found'],
    ['an unknown path', 'GET', '/nothing', authorization, 404, 'Not Found'],
    ['an unknown method', 'DELETE', path, authorization, 404, 'Not Found'],
  ])('%s', async (_name, method, asked, given, status, message) => {
    await using github = await start();
    const headers = given === undefined ? {} : { authorization: given };
    const response = await fetch(`${github.url}${asked}`, { method, headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      message,
      documentation_url: expect.stringMatching(/^https:\/\/docs\.github\.com\/rest/),
      status: String(status),
    });
  });
});

test('refuses a request that does not name its user agent', async () => {
  await using github = await start();
  const request = get(`${github.url}${path}`, { headers: { authorization } });
  const [response] = await once(request, 'response');
  expect(response.statusCode).toBe(403);
  expect(await text(response)).toContain('administrative rules');
});

describe('trouble', () => {
  const rules: [string, TroubleRule, number, RegExp][] = [
    ['a missing permission', 'forbidden', 403, /Resource not accessible by integration/],
    ['an error page', 'html', 502, /^<!DOCTYPE html>/],
    ['the rate limit', 'rate-limit', 403, /API rate limit exceeded/],
    ['the secondary rate limit', 'secondary-rate-limit', 403, /secondary rate limit/],
    [
      'trouble with one path',
      ({ path: asked }) => (asked === path ? 'forbidden' : undefined),
      403,
      /Resource/,
    ],
  ];

  test.each(rules)('%s', async (_name, rule, status, answer) => {
    await using github = await start();
    github.trouble = rule;
    const response = await fetch(`${github.url}${path}`, { headers: { authorization } });
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(answer);
    github.trouble = undefined;
    const again = await fetch(`${github.url}${path}`, { headers: { authorization } });
    expect(again.status).toBe(200);
  });

  test('the limits say when to come back', async () => {
    await using github = await start();
    github.trouble = 'secondary-rate-limit';
    const burst = await fetch(`${github.url}${path}`, { headers: { authorization } });
    expect(burst.headers.get('retry-after')).toBe('60');
    github.trouble = 'rate-limit';
    const hourly = await fetch(`${github.url}${path}`, { headers: { authorization } });
    expect(hourly.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(hourly.headers.get('x-ratelimit-reset')) * 1000).toBeGreaterThan(Date.now());
  });
});

test('the journal keeps bodies, parsed where they are JSON', async () => {
  await using github = await start();
  for (const body of ['{"a":1}', 'text']) {
    await fetch(`${github.url}/x`, { method: 'POST', headers: { authorization }, body });
  }
  expect(github.journal.map(({ body }) => body)).toEqual([{ a: 1 }, 'text']);
});
