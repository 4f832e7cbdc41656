import { expect, test } from 'vitest';
import { z } from 'zod';
import { type CacheServer, startCacheServer } from '../cache/index.ts';

const start = (options = {}) => startCacheServer({ protocol: 'older', ...options });

/** Asks the service as the runner's client does. */
async function ask(server: CacheServer, path: string, init: RequestInit = {}, token?: string) {
  const { ACTIONS_CACHE_URL: url, ACTIONS_RUNTIME_TOKEN: own } = server.environment;
  const headers = { authorization: `Bearer ${token ?? own}`, ...init.headers };
  const response = await fetch(`${url}_apis/artifactcache/${path}`, { ...init, headers });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const post = (server: CacheServer, path: string, fields: object) =>
  ask(server, path, { method: 'POST', body: JSON.stringify(fields) });

const patch = (server: CacheServer, id: number, content: string, range: string) =>
  ask(server, `caches/${id}`, {
    method: 'PATCH',
    body: content,
    headers: { 'content-range': range },
  });

const lookUp = (server: CacheServer, keys: string, version = 'v') =>
  ask(server, `cache?keys=${keys}&version=${version}`);

const reserve = async (server: CacheServer, key: string, cacheSize: number) => {
  const { body } = await post(server, 'caches', { key, version: 'v', cacheSize });
  return z.object({ cacheId: z.int() }).parse(body).cacheId;
};

/** Saves a content in the three steps that it takes. */
async function save(server: CacheServer, key: string, content: string): Promise<void> {
  const id = await reserve(server, key, content.length);
  expect((await patch(server, id, content, `bytes 0-${content.length - 1}/*`)).status).toBe(204);
  expect((await post(server, `caches/${id}`, { size: content.length })).status).toBe(204);
}

test('what was saved is found by its key, by a beginning, and by another key', async () => {
  await using server = await start();
  await save(server, 'a-1', 'one');
  await save(server, 'a-2', 'two');
  for (const [keys, found, content] of [
    ['a-1', 'a-1', 'one'],
    ['a-', 'a-2', 'two'],
    ['b-,a-', 'a-2', 'two'],
  ] as const) {
    const { body } = await lookUp(server, keys);
    expect(body).toMatchObject({ cacheKey: found });
    expect(await (await fetch(body.archiveLocation)).text()).toBe(content);
  }
});

test('what is not there is answered with 204', async () => {
  await using server = await start();
  await save(server, 'a-1', 'one');
  expect(await lookUp(server, 'b-')).toEqual({ status: 204, body: undefined });
  expect(await lookUp(server, 'a-', 'w')).toEqual({ status: 204, body: undefined });
});

test('an entry is found only once its upload is complete, and of the right size', async () => {
  await using server = await start();
  const id = await reserve(server, 'a', 3);
  expect((await post(server, `caches/${id}`, { size: 3 })).status).toBe(404);
  expect((await patch(server, id, 'one', 'bytes 0-9/*')).status).toBe(400);
  await patch(server, id, 'one', 'bytes 0-2/*');
  expect((await post(server, `caches/${id}`, { size: 4 })).status).toBe(400);
  expect((await lookUp(server, 'a')).status).toBe(204);
});

test('a key is taken once, and a content is never changed', async () => {
  await using server = await start();
  await save(server, 'a', 'one');
  const again = await post(server, 'caches', { key: 'a', version: 'v', cacheSize: 3 });
  expect(again).toEqual({ status: 409, body: { message: 'Cache already exists.' } });
  expect((await patch(server, 1, 'two', 'bytes 0-2/*')).status).toBe(404);
});

test('what a token may not do is refused in the words of GitHub', async () => {
  await using server = await start({ permission: 'read' });
  const created = await post(server, 'caches', { key: 'a', version: 'v', cacheSize: 3 });
  expect(created).toEqual({
    status: 403,
    body: { message: expect.stringMatching(/^cache write denied:/) },
  });
  server.access.permission = 'none';
  expect(await lookUp(server, 'a')).toMatchObject({ status: 403 });
  expect((await ask(server, 'cache?keys=a&version=v', {}, 'another')).status).toBe(401);
});

test('the calls of the newer protocol are not there, nor its in the newer one', async () => {
  await using server = await start();
  const url = new URL(
    '/twirp/github.actions.results.api.v1.CacheService/CreateCacheEntry',
    server.environment['ACTIONS_CACHE_URL'],
  );
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(404);
  await using other = await startCacheServer();
  const base = other.environment['ACTIONS_RESULTS_URL'];
  expect((await fetch(`${base}_apis/artifactcache/cache?keys=a&version=v`)).status).toBe(404);
});
