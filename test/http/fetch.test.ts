import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer as createSilentServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { classifyNetworkError } from '../../src/http/faults.ts';
import { fetchOver } from '../../src/http/fetch.ts';
import { openPool } from '../../src/http/pool.ts';
import { makeCertificate, trustCertificate } from '../support/certificate.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of this machine, and what it was asked. */
async function serve(answer: Answer) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Opens a `fetch` for a server. */
function open(url: string) {
  const pool = openPool(new URL(url));
  return { fetch: fetchOver(pool), [Symbol.asyncDispose]: () => pool.close() };
}

const get = { method: 'GET', headers: { authorization: 'token fake-token' } } as const;

test.for([true, false])('an answer is read as it is meant: packed %s', async (isPacked) => {
  const text = JSON.stringify({ words: 'größer'.repeat(1000) });
  await using server = await serve((_, response) => {
    const body = Buffer.from(text);
    response.setHeader('content-type', 'application/json');
    response.setHeader('link', ['<a>; rel="next"', '<b>; rel="last"']);
    if (isPacked) response.setHeader('content-encoding', 'gzip');
    response.end(isPacked ? gzipSync(body) : body);
  });
  await using client = open(server.url);
  const answer = await client.fetch(`${server.url}/list?page=2`, get);
  expect(await answer.text()).toBe(text);
  expect(answer).toMatchObject({ status: 200, url: `${server.url}/list?page=2` });
  expect(answer.headers.get('link')).toBe('<a>; rel="next", <b>; rel="last"');
  expect(server.asked[0]).toMatchObject({
    url: '/list?page=2',
    headers: { authorization: 'token fake-token', 'accept-encoding': 'gzip' },
  });
});

test('a body is sent, and bytes are given as they are', async () => {
  await using server = await serve((request, response) => {
    response.statusCode = 201;
    request.pipe(response);
  });
  await using client = open(server.url);
  const answer = await client.fetch(server.url, { ...get, method: 'POST', body: 'größer' });
  expect(answer.status).toBe(201);
  expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe('größer');
});

test('a server that speaks HTTP/2 is asked by it, as GitHub does', async () => {
  const certificate = await makeCertificate(1);
  using _trusted = trustCertificate(certificate);
  const versions: string[] = [];
  const server = createSecureServer({ ...certificate, allowHTTP1: false }, (request, response) => {
    versions.push(request.httpVersion);
    response.setHeader('link', '<a>; rel="next"');
    request.pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://site.localhost:${(server.address() as AddressInfo).port}`;
  const pool = openPool(new URL(url), { allowH2: true });
  await using _closing = {
    [Symbol.asyncDispose]: async () => {
      await pool.close();
      server.close();
    },
  };
  const answer = await fetchOver(pool)(url, { ...get, method: 'POST', body: 'größer' });
  expect(await answer.text()).toBe('größer');
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.headers.get('link')).toBe('<a>; rel="next"');
  expect(versions).toEqual(['2.0']);
});

test('a packed body that is broken is an error, not an empty text', async () => {
  await using server = await serve((_, response) => {
    response.setHeader('content-encoding', 'gzip').end('no gzip');
  });
  await using client = open(server.url);
  await expect(client.fetch(server.url, get)).rejects.toThrow(/is not valid gzip/);
});

test('a body that breaks off is an error, but that of a refusal, whose status says it', async () => {
  await using server = await serve(({ url }, response) => {
    response.statusCode = url === '/refused' ? 403 : 200;
    response.setHeader('content-length', 100);
    response.write('the first ', () => response.destroy());
  });
  await using client = open(server.url);
  await expect(client.fetch(server.url, get)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  const refusal = await client.fetch(`${server.url}/refused`, get);
  expect(refusal.status).toBe(403);
  await expect(refusal.text()).rejects.toThrow();
});

test('no bytes are an empty body, however they are said to be packed', async () => {
  await using server = await serve((_, response) => {
    response.setHeader('content-encoding', 'gzip').end();
  });
  await using client = open(server.url);
  expect(await (await client.fetch(server.url, get)).text()).toBe('');
});

test('a repository that has another name now is found there, and the token stays with its server', async () => {
  await using other = await serve((_, response) => void response.end('other'));
  await using server = await serve(({ url }, response) => {
    if (url === '/new') return void response.end('new');
    const location = url === '/old' ? '/new' : `${other.url}/`;
    response.writeHead(301, { location }).end();
  });
  await using client = open(server.url);
  expect(await (await client.fetch(`${server.url}/old`, get)).text()).toBe('new');
  expect(server.asked.at(-1)?.headers.authorization).toBe('token fake-token');
  expect(await (await client.fetch(`${server.url}/away`, get)).text()).toBe('other');
  expect(other.asked.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test.for([
  ['elsewhere each time', (url = '') => `${url}-`, 6],
  ['to where it was', (url = '') => url, 1],
] as const)('redirections come to an end: %s', async ([, next, requests]) => {
  await using server = await serve(({ url }, response) => {
    response.writeHead(302, { location: next(url) }).end();
  });
  await using client = open(server.url);
  const error: unknown = await client
    .fetch(`${server.url}/a`, get)
    .catch((cause: unknown) => cause);
  expect(classifyNetworkError(error).detail).toBe('too many redirects');
  expect(server.asked).toHaveLength(requests);
});

test.for(['ftp://127.0.0.1/', 'http://['])(
  'a redirection to %s is told as one',
  async (location) => {
    await using server = await serve((_, response) => {
      response.writeHead(302, { location }).end();
    });
    await using client = open(server.url);
    const error: unknown = await client.fetch(server.url, get).catch((cause: unknown) => cause);
    expect(classifyNetworkError(error)).toEqual({
      fault: 'broken',
      detail: 'redirects to an invalid URL',
    });
  },
);

test('a request is given up with its signal while its connection is only being made', async () => {
  const silent = createSilentServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await using client = open(url);
  const control = new AbortController();
  const fetching = client.fetch(url, { ...get, signal: control.signal });
  const [connection] = await once(silent, 'connection');
  const reason = new Error('the run is over');
  control.abort(reason);
  await expect(fetching).rejects.toBe(reason);
  // Nobody has ended the connection: the signal alone did it.
  expect(connection.destroyed).toBe(false);
  connection.destroy();
  silent.close();
});

test('a request is given up with its signal, for its reason', async () => {
  await using server = await serve(() => undefined);
  await using client = open(server.url);
  const control = new AbortController();
  const fetching = client.fetch(server.url, { ...get, signal: control.signal });
  const reason = new Error('the run is over');
  control.abort(reason);
  await expect(fetching).rejects.toBe(reason);
});
