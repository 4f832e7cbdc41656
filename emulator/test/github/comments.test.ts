import { getOctokit } from '@actions/github';
import { describe, expect, test } from 'vitest';
import { ask, repository, start } from './support.ts';

const comments = 'issues/7/comments';
const many = Array.from({ length: 250 }, (_, index) => ({
  author: 'octocat',
  body: `Comment ${index + 1}`,
}));
const bodiesFrom = (first: number, count: number) =>
  many.slice(first - 1, first - 1 + count).map(({ body }) => ({ body }));

/** The links of an answer by their relation: the page that each leads to. */
function linkedPages(headers: Headers): Record<string, string | null> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g);
  return Object.fromEntries(
    [...links].map(([, url = '', relation]) => [relation, new URL(url).searchParams.get('page')]),
  );
}

describe('the list over 250 comments', () => {
  test.each<[string, object[], Record<string, string>]>([
    ['', bodiesFrom(1, 30), { next: '2', last: '9' }],
    ['?per_page=100', bodiesFrom(1, 100), { next: '2', last: '3' }],
    ['?per_page=100&page=2', bodiesFrom(101, 100), { prev: '1', next: '3', last: '3', first: '1' }],
    ['?per_page=100&page=3', bodiesFrom(201, 50), { prev: '2', first: '1' }],
    ['?per_page=100&page=4', [], { prev: '3', first: '1' }],
    ['?per_page=1000', bodiesFrom(1, 100), { next: '2', last: '3' }],
    ['?per_page=0&page=0', bodiesFrom(1, 30), { next: '2', last: '9' }],
  ])('GET comments%s', async (query, bodies, links) => {
    await using github = await start();
    github.addComments(repository, 7, many);
    const { status, headers, body } = await ask(github, 'GET', `${comments}${query}`);
    expect(status).toBe(200);
    expect(body).toMatchObject(bodies);
    expect(body).toHaveLength(bodies.length);
    expect(linkedPages(headers)).toEqual(links);
    expect(github.violations).toEqual([]);
  });

  test("GitHub's own client reads all pages by following the links", async () => {
    await using github = await start();
    github.addComments(repository, 7, many);
    const octokit = getOctokit(github.token, { baseUrl: github.url });
    const read = await octokit.paginate(octokit.rest.issues.listComments, {
      owner: 'octo-org',
      repo: 'octo-site',
      issue_number: 7,
      per_page: 100,
    });
    expect(read.map(({ body }) => body)).toEqual(many.map(({ body }) => body));
    const paths = github.journal.map(({ path, query }) => [path, query['page']]);
    expect(paths).toEqual([
      [`/repos/${repository}/${comments}`, undefined],
      [expect.stringMatching(/^\/repositories\/\d+\/issues\/7\/comments$/), '2'],
      [expect.stringMatching(/^\/repositories\/\d+\/issues\/7\/comments$/), '3'],
    ]);
    expect(new Set(github.journal.map(({ operationId }) => operationId))).toEqual(
      new Set(['issues/list-comments']),
    );
  });

  test('one page has no links', async () => {
    await using github = await start();
    github.addComments(repository, 7, many.slice(0, 30));
    const { headers, body } = await ask(github, 'GET', comments);
    expect(body).toHaveLength(30);
    expect(headers.has('link')).toBe(false);
  });

  test('since leaves out what was not touched since', async () => {
    await using github = await start();
    const [old] = github.addComments(repository, 7, many.slice(0, 2));
    Object.assign(old ?? {}, { updated_at: '2020-01-01T00:00:00Z' });
    const { body } = await ask(github, 'GET', `${comments}?since=2021-01-01T00:00:00Z`);
    expect(body).toMatchObject([{ body: 'Comment 2' }]);
  });
});

describe('a comment', () => {
  test("is created by the token's bot, after those that are there", async () => {
    await using github = await start();
    const [other] = github.addComments(repository, 7, [{ author: 'octocat', body: 'Hello' }]);
    const { status, headers, body } = await ask(github, 'POST', comments, { body: 'Deploying …' });
    const [, created] = github.comments(repository, 7);
    expect(status).toBe(201);
    expect(body).toEqual(created);
    expect(headers.get('location')).toBe(created?.url);
    expect(created).toMatchObject({
      body: 'Deploying …',
      user: { login: 'github-actions[bot]', type: 'Bot', id: 41_898_282 },
      performed_via_github_app: { slug: 'github-actions' },
    });
    expect(other).toMatchObject({
      user: { login: 'octocat', type: 'User' },
      performed_via_github_app: null,
    });
  });

  test('is read, changed in place and deleted by its id', async () => {
    await using github = await start();
    const [first, second] = github.addComments(repository, 7, many.slice(0, 2));
    const path = `issues/comments/${first?.id}`;
    expect((await ask(github, 'GET', path)).body).toMatchObject({ body: 'Comment 1' });
    const changed = await ask(github, 'PATCH', path, { body: 'Live' });
    expect(changed).toMatchObject({ status: 200, body: { id: first?.id, body: 'Live' } });
    expect(github.comments(repository, 7)).toMatchObject([{ body: 'Live' }, { body: 'Comment 2' }]);
    expect(await ask(github, 'DELETE', path)).toMatchObject({ status: 204, body: '' });
    expect(github.comments(repository, 7)).toEqual([second]);
    for (const method of ['GET', 'DELETE']) {
      expect((await ask(github, method, path)).status).toBe(404);
    }
    expect((await ask(github, 'PATCH', path, { body: 'Live' })).status).toBe(404);
    expect(github.violations).toEqual([]);
  });

  test('of one repository is not found in another', async () => {
    await using github = await start();
    const [first] = github.addComments(repository, 7, many.slice(0, 1));
    const { status } = await ask(
      github,
      'GET',
      `/repos/octo-org/other/issues/comments/${first?.id}`,
    );
    expect(status).toBe(404);
  });

  test('is taken on an issue, and not on what does not exist', async () => {
    await using github = await start();
    github.issues.add(`${repository}#8`);
    const write = (number: number) =>
      ask(github, 'POST', `issues/${number}/comments`, { body: 'Hello' });
    expect((await write(8)).status).toBe(201);
    expect((await write(9)).status).toBe(404);
    expect((await ask(github, 'GET', 'issues/9/comments')).status).toBe(404);
  });

  test.each([
    ['65,536 letters', 'a'.repeat(65_536), 201],
    ['65,537 letters', 'a'.repeat(65_537), 422],
    ['65,536 characters of two units each', '🚀'.repeat(65_536), 201],
    ['nothing but space', ' \n', 422],
  ])('%s', async (_name, body, status) => {
    await using github = await start();
    const written = await ask(github, 'POST', comments, { body });
    expect(written.status).toBe(status);
    expect(github.comments(repository, 7)).toHaveLength(status === 201 ? 1 : 0);
    const [comment] = github.addComments(repository, 7, many);
    const changed = await ask(github, 'PATCH', `issues/comments/${comment?.id}`, { body });
    expect(changed.status).toBe(status === 201 ? 200 : 422);
    expect(github.violations).toEqual([]);
  });

  test('that is too long is refused in the words of GitHub', async () => {
    await using github = await start();
    const { body } = await ask(github, 'POST', comments, { body: 'a'.repeat(70_000) });
    expect(body).toEqual({
      message: 'Validation Failed',
      errors: [
        {
          resource: 'IssueComment',
          code: 'unprocessable',
          field: 'data',
          message: 'Body is too long (maximum is 65536 characters)',
        },
      ],
      documentation_url: 'https://docs.github.com/rest/issues/comments#create-an-issue-comment',
      status: '422',
    });
  });
});
