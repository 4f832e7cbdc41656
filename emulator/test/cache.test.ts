import { expect, test } from 'vitest';
import { z } from 'zod';
import { type CacheServer, cacheTroubles, startCacheServer } from '../cache/index.ts';

/** Calls the service as the runner's client does. */
async function call(server: CacheServer, method: string, body: object, token?: string) {
  const { ACTIONS_RESULTS_URL: url, ACTIONS_RUNTIME_TOKEN: own } = server.environment;
  const service = 'twirp/github.actions.results.api.v1.CacheService';
  const response = await fetch(`${url}${service}/${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token ?? own}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const signed = z.object({
  signed_upload_url: z.string().optional(),
  signed_download_url: z.string().optional(),
});

/** The signed address in an answer. */
function addressIn(body: unknown): string {
  const { signed_upload_url: upload, signed_download_url: download } = signed.parse(body);
  return upload ?? download ?? '';
}

const blob = { 'x-ms-blob-type': 'BlockBlob' };

/** Saves a content in the three steps that it takes. */
async function save(server: CacheServer, key: string, content: string): Promise<void> {
  const created = await call(server, 'CreateCacheEntry', { key, version: 'v' });
  await fetch(addressIn(created.body), { method: 'PUT', headers: blob, body: content });
  const finalizing = { key, version: 'v', size_bytes: String(content.length) };
  const { body } = await call(server, 'FinalizeCacheEntryUpload', finalizing);
  expect(body).toEqual({ ok: true, entry_id: expect.stringMatching(/^\d+$/) });
}

const lookUp = (server: CacheServer, key: string, others: string[] = [], version = 'v') =>
  call(server, 'GetCacheEntryDownloadURL', { key, restore_keys: others, version });

test('what was saved is found by its key, by a beginning, and by another key', async () => {
  await using server = await startCacheServer();
  await save(server, 'a-1', 'one');
  await save(server, 'a-2', 'two');
  for (const [key, others, found] of [
    ['a-1', [], 'a-1'],
    ['a-', [], 'a-2'],
    ['b-', ['a-'], 'a-2'],
  ] as const) {
    const { body } = await lookUp(server, key, [...others]);
    expect(body).toMatchObject({ ok: true, matched_key: found });
  }
});

test.each([
  ['another key', 'b-', 'v'],
  ['another version', 'a-', 'w'],
])('%s finds nothing', async (_, key, version) => {
  await using server = await startCacheServer();
  await save(server, 'a-1', 'one');
  expect(await lookUp(server, key, [], version)).toEqual({ status: 200, body: { ok: false } });
});

test('an entry is found only once its upload is complete', async () => {
  await using server = await startCacheServer();
  const { body } = await call(server, 'CreateCacheEntry', { key: 'a', version: 'v' });
  expect((await lookUp(server, 'a')).body).toEqual({ ok: false });
  await fetch(addressIn(body), { method: 'PUT', headers: blob, body: 'one' });
  expect((await lookUp(server, 'a')).body).toEqual({ ok: false });
  const wrong = { key: 'a', version: 'v', size_bytes: '4' };
  expect((await call(server, 'FinalizeCacheEntryUpload', wrong)).body).toMatchObject({ ok: false });
  expect((await lookUp(server, 'a')).body).toEqual({ ok: false });
});

test('a key is taken once, in each scope; other scopes are read in their order', async () => {
  await using server = await startCacheServer({ scopes: ['refs/heads/main'] });
  await save(server, 'a', 'of main');
  expect((await call(server, 'CreateCacheEntry', { key: 'a', version: 'v' })).status).toBe(409);
  server.access.scopes = ['refs/pull/1/merge', 'refs/heads/main'];
  await save(server, 'a', 'of the pull request');
  const { body } = await lookUp(server, 'a');
  expect(await (await fetch(addressIn(body))).text()).toBe('of the pull request');
  server.access.scopes = ['refs/heads/other'];
  expect((await lookUp(server, 'a')).body).toEqual({ ok: false });
});

test('an address serves the purpose that it was signed for, without a token beside it', async () => {
  await using server = await startCacheServer();
  const { body } = await call(server, 'CreateCacheEntry', { key: 'a', version: 'v' });
  expect((await fetch(addressIn(body))).status).toBe(403);
  const headers = { ...blob, authorization: 'Bearer fake' };
  const both = await fetch(addressIn(body), { method: 'PUT', headers, body: 'x' });
  expect(both.status).toBe(400);
  const [unsigned = ''] = addressIn(body).split('?');
  expect((await fetch(unsigned, { method: 'PUT', headers: blob, body: 'x' })).status).toBe(403);
});

test.each([
  ['another token', 'CreateCacheEntry', { key: 'a', version: 'v' }, 'another', 401],
  ['no key', 'CreateCacheEntry', { version: 'v' }, undefined, 400],
  [
    'a key that is too long',
    'CreateCacheEntry',
    { key: 'a'.repeat(513), version: 'v' },
    undefined,
    400,
  ],
  [
    'a size that is a number',
    'FinalizeCacheEntryUpload',
    { key: 'a', version: 'v', size_bytes: 1 },
    undefined,
    400,
  ],
])('%s is refused', async (_, method, body, token, status) => {
  await using server = await startCacheServer();
  expect((await call(server, method, body, token)).status).toBe(status);
  expect(server.entries).toEqual([]);
});

test('what a token may not do is refused in the words of GitHub', async () => {
  await using server = await startCacheServer({ permission: 'read' });
  const created = await call(server, 'CreateCacheEntry', { key: 'a', version: 'v' });
  expect(created.body).toEqual({
    ok: false,
    message: expect.stringMatching(/^cache write denied:/),
  });
  server.access.permission = 'none';
  const found = await lookUp(server, 'a');
  expect(found.status).toBe(403);
  expect(found.body).toMatchObject({ msg: expect.stringMatching(/^cache read denied:/) });
});

test('faults strike the operation that they are for, as long as they are there', async () => {
  await using server = await startCacheServer();
  await save(server, 'a', '0123456789');
  server.faults.download = 'cut-body';
  const { body } = await lookUp(server, 'a');
  await expect(fetch(addressIn(body)).then((answer) => answer.text())).rejects.toThrow();
  server.faults.download = 'reset';
  await expect(fetch(addressIn(body))).rejects.toThrow();
  server.faults.download = { status: 302, headers: { location: 'http://127.0.0.1:1/' } };
  const moved = await fetch(addressIn(body), { redirect: 'manual' });
  expect(moved.status).toBe(302);
  delete server.faults.download;
  expect(await (await fetch(addressIn(body))).text()).toBe('0123456789');
  expect(server.journal.of('download').map(({ status }) => status)).toEqual([200, null, 302, 200]);
});

test('faults in a list strike one request each, in their order', async () => {
  await using server = await startCacheServer();
  await save(server, 'a', '0123456789');
  const { body } = await lookUp(server, 'a');
  server.faults.download = [{ status: 500 }, cacheTroubles.expired];
  const statuses: number[] = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await fetch(addressIn(body))).status);
  expect(statuses).toEqual([500, 403, 200]);
});

test('an endless answer ends with its reader, and a stalled one never', async () => {
  await using server = await startCacheServer();
  await save(server, 'a', '0123456789');
  const { body } = await lookUp(server, 'a');
  server.faults.download = ['endless', 'stall'];
  const endless = (await fetch(addressIn(body))).body?.getReader();
  let size = 0;
  while (size < 10 * 1024 * 1024) size += (await endless?.read())?.value?.length ?? 0;
  await endless?.cancel();
  await server.journal.waitFor(({ operation, endedAt }) => operation === 'download' && !!endedAt);
  const stalled = await fetch(addressIn(body));
  const reader = stalled.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('01234');
  await reader?.cancel();
});
