import { describe, expect, test } from 'vitest';
import { type GitLabStandIn, startGitLab } from '../../gitlab/index.ts';

const place = { project: 5, iid: 12 };
const many = Array.from({ length: 250 }, (_, index) => ({
  author: 'octocat',
  body: `Note ${index + 1}`,
}));

async function start(): Promise<GitLabStandIn> {
  const gitlab = await startGitLab();
  gitlab.openMergeRequest(place);
  return gitlab;
}

/** Sends a request with the stand-in's token, to the notes of the merge request, or to a path from the API's. */
async function ask(
  gitlab: GitLabStandIn,
  method: string,
  path = '',
  { body, token = gitlab.token }: { body?: object; token?: string } = {},
) {
  const url = path.startsWith('/') ? path : `/projects/5/merge_requests/12/notes${path}`;
  const response = await fetch(`${gitlab.apiUrl}${url}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
}

const bodies = ({ body }: { body: { body: string }[] }) => body.map((note) => note.body);

describe('the list', () => {
  test('has 20 notes by default, the newest first', async () => {
    await using gitlab = await start();
    gitlab.addNotes(place, many);
    const { status, headers, body } = await ask(gitlab, 'GET', '');
    expect(status).toBe(200);
    expect(bodies({ body })).toHaveLength(20);
    expect(headers.get('x-total')).toBe('250');
    expect(headers.get('x-next-page')).toBe('2');
  });

  test.each([
    [1, 100, 'Note 1', '2'],
    [3, 50, 'Note 201', ''],
    [4, 0, undefined, ''],
  ])('in pages of at most 100, page %i', async (page, length, first, next) => {
    await using gitlab = await start();
    gitlab.addNotes(place, many);
    const query = `?sort=asc&order_by=created_at&per_page=1000&page=${page}`;
    const answer = await ask(gitlab, 'GET', query);
    expect(bodies(answer)).toHaveLength(length);
    expect(bodies(answer)[0]).toBe(first);
    expect(answer.headers.get('x-next-page')).toBe(next);
    expect(/rel="next"/.test(answer.headers.get('link') ?? '')).toBe(next !== '');
  });

  test('takes no other parameter', async () => {
    await using gitlab = await start();
    expect(await ask(gitlab, 'GET', '?since=1')).toMatchObject({ status: 500 });
    expect(gitlab.violations).toEqual([expect.stringContaining('notes/list')]);
  });
});

test("a note is created by the token's user, read, changed and deleted", async () => {
  await using gitlab = await start();
  const created = await ask(gitlab, 'POST', '', { body: { body: 'Deploying' } });
  expect(created).toMatchObject({
    status: 201,
    body: { body: 'Deploying', author: { username: 'site-bot' }, system: false, noteable_iid: 12 },
  });
  const note = `/${created.body.id}`.slice(1);
  const path = `/projects/5/merge_requests/12/notes/${note}`;
  expect((await ask(gitlab, 'GET', path)).body).toMatchObject({ body: 'Deploying' });
  const changed = await ask(gitlab, 'PUT', path, { body: { body: 'Live' } });
  expect(changed).toMatchObject({ status: 200, body: { body: 'Live' } });
  expect(gitlab.notes(place)).toMatchObject([{ body: 'Live' }]);
  expect((await ask(gitlab, 'DELETE', path)).status).toBe(204);
  for (const method of ['GET', 'DELETE']) {
    expect(await ask(gitlab, method, path)).toMatchObject({
      status: 404,
      body: { message: '404 Note Not Found' },
    });
  }
  expect(gitlab.violations).toEqual([]);
  expect(gitlab.journal.map(({ operation }) => operation)).toContain('notes/update');
});

test('the user of a token', async () => {
  await using gitlab = await start();
  expect((await ask(gitlab, 'GET', '/user')).body).toMatchObject({ username: 'site-bot' });
});

describe('a token', () => {
  test.each([
    ['none', 401, 401, 401],
    ['job', 200, 401, 401],
    ['read_api', 200, 403, 200],
    ['api', 200, 201, 200],
  ] as const)('of kind %s reads, writes and says whose it is: %i, %i, %i', async (kind, ...all) => {
    await using gitlab = await start();
    const token = kind === 'none' ? 'wrong' : gitlab.issueToken({ username: 'octocat', kind });
    const statuses = [
      (await ask(gitlab, 'GET', '', { token })).status,
      (await ask(gitlab, 'POST', '', { token, body: { body: 'Hello' } })).status,
      (await ask(gitlab, 'GET', '/user', { token })).status,
    ];
    expect(statuses).toEqual(all);
  });

  test('of another user changes nothing', async () => {
    await using gitlab = await start();
    const [note] = gitlab.addNotes(place, [{ author: 'octocat', body: 'Hello' }]);
    const path = `/projects/5/merge_requests/12/notes/${note?.id}`;
    expect((await ask(gitlab, 'PUT', path, { body: { body: 'Mine' } })).status).toBe(403);
    expect((await ask(gitlab, 'DELETE', path)).status).toBe(403);
  });
});

test('a merge request has a state, which a job may read', async () => {
  await using gitlab = await start();
  const path = '/projects/5/merge_requests/12';
  const token = gitlab.jobToken;
  expect((await ask(gitlab, 'GET', path, { token })).body).toMatchObject({ state: 'opened' });
  gitlab.openMergeRequest(place, 'merged');
  expect((await ask(gitlab, 'GET', path)).body).toMatchObject({ iid: 12, state: 'merged' });
});

test('what is not there is not found', async () => {
  await using gitlab = await start();
  const other = await ask(gitlab, 'GET', '/projects/5/merge_requests/13/notes');
  expect(other).toMatchObject({ status: 404, body: { message: '404 Not found' } });
  expect((await ask(gitlab, 'GET', '/projects/5/issues/1/notes')).status).toBe(500);
  expect(gitlab.violations).toEqual([expect.stringContaining('the emulator has no GET')]);
});

test.each([
  ['', 400],
  [' \n', 400],
  ['a'.repeat(1_000_000), 201],
  ['a'.repeat(1_000_001), 400],
])('a note must have a text, and not too much of it', async (body, status) => {
  await using gitlab = await start();
  expect((await ask(gitlab, 'POST', '', { body: { body } })).status).toBe(status);
});

describe('quick actions', () => {
  test.each([
    ['on a line of their own', 'Hello\n/close\nworld', ['close'], 'Hello\nworld'],
    ['with arguments', '/title Mine\nHello', ['title Mine'], 'Hello'],
    ['after a carriage return', 'Hello\n\r/close', ['close'], 'Hello'],
    ['in a block of code', '```\n/close\n```', [], '```\n/close\n```'],
    ['in a block of code that GitLab does not see', '~~~\n/close\n~~~', ['close'], '~~~\n~~~'],
    ['behind a space', 'Hello\n /close', [], 'Hello\n /close'],
    ['that are none', '/etc/hosts', [], '/etc/hosts'],
  ])('%s', async (_name, body, actions, text) => {
    await using gitlab = await start();
    await ask(gitlab, 'POST', '', { body: { body } });
    expect(gitlab.quickActions).toEqual(actions);
    expect(gitlab.notes(place)).toMatchObject([{ body: text }]);
  });

  test('alone make no note', async () => {
    await using gitlab = await start();
    expect((await ask(gitlab, 'POST', '', { body: { body: '/merge' } })).status).toBe(202);
    expect(gitlab.notes(place)).toEqual([]);
    expect(gitlab.quickActions).toEqual(['merge']);
  });
});

test.each([
  ['unauthorized', 401],
  ['forbidden', 403],
  ['not-found', 404],
  ['rate-limit', 429],
  ['server-error', 500],
  ['html', 502],
] as const)('trouble: %s', async (trouble, status) => {
  await using gitlab = await start();
  gitlab.trouble = trouble;
  expect((await ask(gitlab, 'GET', '')).status).toBe(status);
  gitlab.trouble = { 'notes/create': trouble };
  expect((await ask(gitlab, 'GET', '')).status).toBe(200);
});

test('an answer may be lost after its effect, or the connection before it', async () => {
  await using gitlab = await start();
  gitlab.trouble = 'reset';
  await expect(ask(gitlab, 'POST', '', { body: { body: 'One' } })).rejects.toThrow();
  gitlab.trouble = () => 'lost-answer';
  await expect(ask(gitlab, 'POST', '', { body: { body: 'Two' } })).rejects.toThrow();
  expect(gitlab.notes(place)).toMatchObject([{ body: 'Two' }]);
});

test('a hook is called before the effect', async () => {
  await using gitlab = await start();
  gitlab.on('notes/create', () => gitlab.addNotes(place, [{ author: 'octocat', body: 'First' }]));
  await ask(gitlab, 'POST', '', { body: { body: 'Second' } });
  expect(gitlab.notes(place)).toMatchObject([{ body: 'First' }, { body: 'Second' }]);
});
