// Attack (command): A line of a log or a page, in a note, is a quick action of GitLab (`/merge`), and runs with the
// token's rights
// Defense: No line of a note begins with a slash
// Attack (command): A note of another user copies the marker, or has one with a newer run
// Defense: A note counts only if the token's user wrote it, and as newer only with a signature
// Attack (command): A redirect takes the GitLab token to another server
// Defense: It is sent as OAuth sends it, and dropped for another origin

import { describe, expect, test } from 'vitest';
import { type GitLabStandIn, startGitLab, type TroubleRule } from '../../emulator/gitlab/index.ts';
import { gitLabComments, gitLabProject } from '../../src/cli/gitlab-notes.ts';
import { type CommentRequest, writeComment } from '../../src/comments/comment.ts';
import { join as joined } from '../../src/comments/model/assemble.ts';
import { markerSigner } from '../../src/comments/model/marker.ts';
import { gitlabMergeRequest, gitlabPush } from './ci-environments.ts';

const place = { project: 5, iid: 12 };
const signer = markerSigner(Buffer.alloc(32, 1), 'acme/site', place.iid);
const strangers = markerSigner(Buffer.alloc(32, 2), 'acme/site', place.iid);

async function start(): Promise<GitLabStandIn> {
  const gitlab = await startGitLab();
  gitlab.openMergeRequest(place);
  return gitlab;
}

const body = (text: string, run = 1, by = signer) =>
  joined({ marker: { key: 'key', runId: String(run), runAttempt: '1' }, signer: by, runUrl: '' }, [
    text,
  ]);

const project = ({ apiUrl, url }: GitLabStandIn) => ({
  apiUrl,
  id: String(place.project),
  url: `${url}/acme/site`,
});

function threadOf(gitlab: GitLabStandIn, token = gitlab.token) {
  const { signal } = new AbortController();
  return gitLabComments(project(gitlab), token).open(place.iid, signal);
}

const request = (text: string, run = 1, more: Partial<CommentRequest> = {}): CommentRequest => ({
  marker: { key: 'key', runId: String(run), runAttempt: '1' },
  signer,
  bodyAfter: () => body(text, run),
  mayCreate: true,
  known: undefined,
  ...more,
});

const texts = (gitlab: GitLabStandIn) =>
  gitlab.notes(place).map(({ body: text }) => text.split('\n').at(-1));

describe('our one note', () => {
  test('is created, found again and edited', async () => {
    await using gitlab = await start();
    const first = await writeComment(threadOf(gitlab), request('One'));
    expect(first?.url).toBe(
      `${gitlab.url}/acme/site/-/merge_requests/12#note_${gitlab.notes(place)[0]?.id}`,
    );
    await writeComment(threadOf(gitlab), request('Two', 2));
    await writeComment(threadOf(gitlab), request('Three', 3, { known: first?.id }));
    expect(texts(gitlab)).toEqual(['Three']);
    expect(gitlab.violations).toEqual([]);
  });

  test('that tells what it told before is edited once', async () => {
    await using gitlab = await start();
    await writeComment(threadOf(gitlab), request('One'));
    const bodyAfter = (before: string) => body(`Two after ${before.split('\n').at(-1)}`, 2);
    await writeComment(threadOf(gitlab), request('', 2, { bodyAfter }));
    expect(texts(gitlab)).toEqual(['Two after One']);
  });

  test('is found behind pages of others', async () => {
    await using gitlab = await start();
    await writeComment(threadOf(gitlab), request('One'));
    const [own] = gitlab.notes(place).splice(0);
    const others = Array.from({ length: 230 }, (_, index) => ({
      author: 'octocat',
      body: `Note ${index}`,
    }));
    gitlab.addNotes(place, others);
    if (own) gitlab.notes(place).push(own);
    await writeComment(threadOf(gitlab), request('Two', 2));
    expect(texts(gitlab).filter((text) => !text?.startsWith('Note'))).toEqual(['Two']);
  });

  test("is not one of another user, nor GitLab's own, whatever is in it", async () => {
    await using gitlab = await start();
    gitlab.addNotes(place, [
      { author: 'stranger', body: body('Hostile', 99, strangers) },
      { author: 'stranger', body: body('Copied', 99) },
      { author: 'site-bot', body: body('System', 99), system: true },
      { author: 'site-bot', body: `quoted\n${body('Quoted', 99)}` },
    ]);
    const before = structuredClone(gitlab.notes(place));
    await writeComment(threadOf(gitlab), request('Ours'));
    expect(gitlab.notes(place).slice(0, 4)).toEqual(before);
    expect(texts(gitlab).at(-1)).toBe('Ours');
    expect(gitlab.notes(place)).toHaveLength(5);
  });

  test('is not held up by a newer run that another key signed', async () => {
    await using gitlab = await start();
    gitlab.addNotes(place, [{ author: 'site-bot', body: body('Forged', 99, strangers) }]);
    await writeComment(threadOf(gitlab), request('Ours'));
    expect(texts(gitlab)).toEqual(['Ours']);
  });

  test("stays a newer run's", async () => {
    await using gitlab = await start();
    gitlab.addNotes(place, [{ author: 'site-bot', body: body('Newer', 99) }]);
    const written = await writeComment(threadOf(gitlab), request('Ours'));
    expect(written?.isNewer).toBe(true);
    expect(texts(gitlab)).toEqual(['Newer']);
  });

  test('is one, if two runs begin at once', async () => {
    await using gitlab = await start();
    let isFirst = true;
    gitlab.on('notes/create', async () => {
      if (!isFirst) return;
      isFirst = false;
      await writeComment(threadOf(gitlab), request('Other', 2));
    });
    await writeComment(threadOf(gitlab), request('Ours', 1));
    expect(texts(gitlab)).toEqual(['Other']);
  });

  test('is created again if it was deleted', async () => {
    await using gitlab = await start();
    const first = await writeComment(threadOf(gitlab), request('One'));
    gitlab.notes(place).splice(0);
    await writeComment(threadOf(gitlab), request('Two', 2, { known: first?.id }));
    expect(texts(gitlab)).toEqual(['Two']);
  });

  test('is written once, if the answer is lost', async () => {
    await using gitlab = await start();
    let losses = 1;
    gitlab.trouble = ({ operation }) => {
      if (operation !== 'notes/create' || losses === 0) return undefined;
      losses -= 1;
      return 'lost-answer';
    };
    await writeComment(threadOf(gitlab), request('One'));
    expect(texts(gitlab)).toEqual(['One']);
  });
});

test.each([
  ['/close'],
  ['~~~\n/close\n~~~'],
  ['text\n\r/merge\nmore'],
  ['text\r\n/label ~secret'],
  ['/approve\n/assign @octocat\n/title Mine'],
])('no quick action is carried out, nor taken out: %j', async (text) => {
  await using gitlab = await start();
  await writeComment(threadOf(gitlab), request(text));
  await writeComment(threadOf(gitlab), request(`${text}\nagain`, 2));
  expect(gitlab.quickActions).toEqual([]);
  const [written = ''] = gitlab.notes(place).map((note) => note.body);
  for (const word of text.match(/\/\w+/g) ?? []) expect(written).toContain(word);
  // A third run reads its own text again, and has nothing to change.
  const before = gitlab.journal.length;
  await writeComment(threadOf(gitlab), request(`${text}\nagain`, 2));
  expect(gitlab.journal.slice(before).map(({ method }) => method)).not.toContain('PUT');
});

test('the token is sent to GitLab alone, and as OAuth does', async () => {
  await using gitlab = await start();
  await using elsewhere = await start();
  gitlab.trouble = ({ path }) =>
    path.endsWith('/user') ? undefined : { status: 307, headers: { location: elsewhere.apiUrl } };
  await expect(writeComment(threadOf(gitlab), request('One'))).rejects.toThrow();
  expect(elsewhere.journal.length).toBeGreaterThan(0);
  for (const { headers } of elsewhere.journal) expect(headers.authorization).toBeUndefined();
  for (const { headers } of gitlab.journal) {
    expect(headers.authorization).toBe(`Bearer ${gitlab.token}`);
  }
});

const refusal = (message: string) => () => ({ status: 403, body: { message } });

describe('what went wrong', () => {
  test.each<[TroubleRule, RegExp]>([
    [
      'unauthorized',
      /GitLab at 127\.0\.0\.1:\d+ returned 401\): Unauthorized\. Set SITE_GITLAB_TOKEN to a valid access token of this server, with the scope api/,
    ],
    ['forbidden', /returned 403\): The request requires higher privileges.* the scope api/],
    [refusal('403 Forbidden'), /returned 403\): Forbidden\. Give SITE_GITLAB_TOKEN the scope/],
    [
      refusal('403 Forbidden - Your account has been blocked.'),
      /returned 403\): Forbidden - Your account has been blocked\.$/,
    ],
    ['not-found', /returned 404\): Project Not Found\. Give SITE_GITLAB_TOKEN access/],
    ['rate-limit', /returned 429\): no reason given\. GitLab's rate limit is exceeded\.$/],
    ['server-error', /returned 500\): Internal Server Error\.$/],
    ['html', /returned 502\): no reason given\.$/],
    [
      'reset',
      /^Could not write the comment: GitLab at 127\.0\.0\.1:\d+ is unreachable: .* in CI_API_V4_URL, and/,
    ],
  ])('%s', async (trouble, words) => {
    await using gitlab = await start();
    gitlab.trouble = trouble;
    const error = await writeComment(threadOf(gitlab), request('One')).catch((one) => one);
    const { describeTrouble } = gitLabComments(project(gitlab), gitlab.token);
    const { code, text } = describeTrouble('write the comment', error);
    expect(code).toBe('SD8010');
    expect(text).toMatch(words);
    expect(text.split(' ').length).toBeLessThanOrEqual(35);
  });

  test("a job's own token may not write", async () => {
    await using gitlab = await start();
    const thread = threadOf(gitlab, gitlab.jobToken);
    await expect(writeComment(thread, request('One'))).rejects.toThrow('GitLab returned 401');
  });

  test.each([
    [{ status: 200, body: 'Welcome' }, 'the response is not JSON'],
    [{ status: 200, body: { id: 1 } }, "GitLab's response is not a list"],
  ])('an answer that is none: %j', async (reply, words) => {
    await using gitlab = await start();
    gitlab.trouble = () => reply;
    await expect(writeComment(threadOf(gitlab), request('One'))).rejects.toThrow(words);
  });
});

describe('the project of a merge request', () => {
  test('is the one that it goes to', () => {
    expect(gitLabProject({ ...gitlabMergeRequest, CI_PROJECT_ID: '77' })).toEqual({
      apiUrl: 'https://gitlab.example.com/api/v4',
      id: '5',
      url: 'https://gitlab.example.com/acme/site',
    });
  });

  test.each([
    ['of a push', gitlabPush],
    ['outside GitLab', { ...gitlabMergeRequest, GITLAB_CI: '' }],
    ['without an address', { ...gitlabMergeRequest, CI_API_V4_URL: 'not a url' }],
    ['without an id', { ...gitlabMergeRequest, CI_MERGE_REQUEST_PROJECT_ID: '../5' }],
  ])('is none %s', (_name, environment) => {
    expect(gitLabProject(environment)).toBeUndefined();
  });
});
