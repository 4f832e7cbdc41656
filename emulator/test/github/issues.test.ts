import { describe, expect, test } from 'vitest';
import { ask, repository, start } from './support.ts';

const bot = 'github-actions[bot]';

describe('issues', () => {
  test('share their numbers with pull requests, and are listed with them', async () => {
    await using github = await start();
    const created = await ask(github, 'POST', 'issues', { title: 'One', body: 'Text' });
    expect(created).toMatchObject({ status: 201, body: { number: 8, user: { login: bot } } });
    github.issues.open(repository, { author: 'octocat', title: 'Two' });
    const numbers = async (query: string) => {
      const { body } = await ask(github, 'GET', `issues?${query}`);
      return (body as { number: number; pull_request?: object }[]).map((one) => [
        one.number,
        one.pull_request !== undefined,
      ]);
    };
    expect(await numbers('')).toEqual([
      [9, false],
      [8, false],
      [7, true],
    ]);
    expect(await numbers('direction=asc&per_page=1')).toEqual([[7, true]]);
    expect(await numbers(`creator=${encodeURIComponent(bot)}`)).toEqual([[8, false]]);
    await ask(github, 'PATCH', 'issues/8', { state: 'closed' });
    expect(await numbers('state=closed')).toEqual([[8, false]]);
    expect(github.violations).toEqual([]);
  });

  test.each([
    [{ state: 'closed' }, { state_reason: 'completed', closed_by: { login: bot } }],
    [{ state: 'closed', state_reason: 'duplicate' }, { state_reason: 'duplicate' }],
    [
      { state: 'open', state_reason: 'not_planned' },
      { state: 'open', state_reason: null },
    ],
    [{ body: 'New' }, { body: 'New', title: 'One', state: 'open' }],
  ])('changed by %j are %j', async (change, shown) => {
    await using github = await start();
    github.issues.open(repository, { author: 'octocat', title: 'One' });
    expect((await ask(github, 'PATCH', 'issues/8', change)).body).toMatchObject(shown);
  });

  test('that are reopened say so', async () => {
    await using github = await start();
    const issue = github.issues.open(repository, { author: 'octocat', title: 'One' });
    github.changeIssue(issue, { state: 'closed', state_reason: 'not_planned' }, 'octocat');
    expect((await ask(github, 'PATCH', 'issues/8', { state: 'open' })).body).toMatchObject({
      state_reason: 'reopened',
      closed_by: null,
      closed_at: null,
    });
  });

  test.each<[string, string, object, number]>([
    ['POST', 'issues', { title: ' ' }, 422],
    ['POST', 'issues', { title: 'x'.repeat(257) }, 422],
    ['POST', 'issues', { title: 'x', body: 'x'.repeat(65_537) }, 422],
    ['PATCH', 'issues/9', { title: 'x' }, 404],
  ])('%s %s is refused', async (method, path, body, status) => {
    await using github = await start();
    expect((await ask(github, method, path, body)).status).toBe(status);
  });

  test('that are turned off are 410, but for the list', async () => {
    await using github = await start();
    github.issues.open(repository, { author: bot, title: 'One' });
    github.withoutIssues.add(repository);
    const off = { status: 410, body: { message: 'Issues are disabled for this repo' } };
    expect(await ask(github, 'POST', 'issues', { title: 'Two' })).toMatchObject(off);
    expect(await ask(github, 'PATCH', 'issues/8', { title: 'Two' })).toMatchObject(off);
    expect((await ask(github, 'GET', 'issues')).body).toMatchObject([{ number: 7 }]);
  });

  test('need their own permission', async () => {
    await using github = await start();
    const token = github.issueToken({ login: bot, permissions: { 'pull-requests': 'write' } });
    const { status } = await fetch(`${github.url}/repos/${repository}/issues`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(403);
  });
});
