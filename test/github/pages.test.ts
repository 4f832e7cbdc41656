import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { type GitHubStandIn, type OwnReply, startGitHub } from '../../emulator/github/index.ts';
import { openOctokit, readPages } from '../../src/github/client.ts';

const repository = 'octo-org/octo-site';

/** How a server answers a request for a page of 120 comments. */
type Paging = (all: readonly object[], page: number) => OwnReply;

const link = (relation: string) => ({ link: `<https://elsewhere.example/x>; rel="${relation}"` });

/** Lists the comments of a pull request as we do, from a server that pages in its own way. */
async function list(paging?: Paging) {
  await using github: GitHubStandIn = await startGitHub();
  const written = Array.from({ length: 120 }, (_, index) => ({
    author: 'octocat',
    body: `${index}`,
  }));
  github.issues.add(`${repository}#7`);
  const all = github.addComments(repository, 7, written);
  if (paging !== undefined) {
    github.trouble = ({ operationId, query }) =>
      operationId === 'issues/list-comments' ? paging(all, Number(query['page'])) : undefined;
  }
  const access = { apiUrl: github.url, token: github.token, repository };
  const { rest, owner, repo } = await openOctokit(access, new AbortController().signal);
  const listed = readPages((page) =>
    rest.issues.listComments({ owner, repo, issue_number: 7, ...page }),
  );
  const ids: number[] = [];
  for await (const { id } of listed) ids.push(id);
  expect(ids).toEqual(all.slice(0, ids.length).map(({ id }) => id));
  return { found: ids.length, requests: github.journal.length };
}

const slice = (all: readonly object[], size: number, page: number) => ({
  status: 200,
  body: all.slice((page - 1) * size, page * size),
});

test.each<[name: string, found: number, requests: number, paging?: Paging]>([
  ['GitHub', 120, 2],
  ['a server that gives all at once, whatever page is asked', 120, 2, (all) => slice(all, 120, 1)],
  [
    'one that gives the same page and says that another follows',
    50,
    2,
    (all) => ({ ...slice(all, 50, 1), headers: link('next') }),
  ],
  [
    'one with short pages, which links the next',
    120,
    3,
    (all, page) => ({ ...slice(all, 50, page), headers: link(page < 3 ? 'next' : 'prev') }),
  ],
  [
    'one whose full page is the last, and says so',
    100,
    1,
    (all) => ({ ...slice(all, 100, 1), headers: link('first') }),
  ],
  ['one that links no pages', 120, 2, (all, page) => slice(all, 100, page)],
])(
  'the comments of %s are read to their end: %i in %i requests',
  async (_, found, requests, paging) => {
    expect(await list(paging)).toEqual({ found, requests });
  },
);

test('a list that never ends is given up', async () => {
  let next = 0;
  const read = async () => ({
    data: Array.from({ length: 100 }, () => ({ id: next++ })),
    headers: link('next'),
  });
  const reading = async () => {
    for await (const _ of readPages(read));
  };
  await expect(reading()).rejects.toThrow('list has more than 10000 items');
});

test('a page that breaks off is an error, and not an empty one', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.setHeader('content-length', 100);
    response.write('[{"id":', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = { apiUrl, token: 'fake-github-token', repository };
  const { rest, owner, repo } = await openOctokit(access, new AbortController().signal);
  await expect(rest.pulls.list({ owner, repo })).rejects.toThrow();
  server.close();
});
