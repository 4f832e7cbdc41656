// Attack (secrets): A proxy reads the key of a service on this machine, or answers https in plain HTTP
// Defense: No proxy for loopback; https goes through a tunnel; checks send no key

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProbe } from '../../src/checks/apply.ts';
import { type Stub, startStub, startTcpStub } from './stub.ts';
import { failureOf, fakeKey, newVariable, openClient, projectId } from './support.ts';

const variables = ['http_proxy', 'https_proxy', 'no_proxy'];

beforeEach(() => {
  for (const name of variables.flatMap((lower) => [lower, lower.toUpperCase()])) {
    vi.stubEnv(name, undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A proxy that notes what it is asked and refuses. */
interface Proxy extends Stub {
  /** The heads of the requests, as they came. */
  readonly heads: readonly string[];
}

async function startProxy(status = 403): Promise<Proxy> {
  const heads: string[] = [];
  const stub = await startTcpStub((socket) => {
    socket.once('data', (bytes) => {
      heads.push(bytes.toString());
      socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    });
  });
  return { ...stub, heads };
}

test.for(['localhost', 'app.localhost', 'a.b.LOCALHOST', '127.0.0.1'])(
  '%s is this machine',
  async (host) => {
    await using stub = await startStub((response) => response.end('[]'));
    await using opened = openClient(`http://${host}:${stub.port}`);
    expect(await opened.client.listProjects('all')).toEqual([]);
    expect(stub.received[0]?.headers.host).toBe(`${host.toLowerCase()}:${stub.port}`);
  },
);

test.for(['https_proxy', 'HTTPS_PROXY', 'http_proxy'])('%s is honoured', async (name) => {
  await using proxy = await startProxy();
  vi.stubEnv(name, proxy.url);
  await using opened = openClient('https://service.invalid/api');
  const error = await failureOf(opened.client.createVariable(projectId, newVariable));
  expect(error.message).toContain(`the proxy 127.0.0.1:${proxy.port} refused it (status 403)`);
  expect(proxy.heads.length).toBeGreaterThan(0);
  for (const head of proxy.heads) {
    expect(head).toMatch(/^CONNECT service\.invalid:443 HTTP\/1\.1\r\n/);
    expect(head).not.toContain('x-api-key');
    expect(head).not.toContain(fakeKey);
  }
});

test('a probe of a public page goes through the proxy, without the key', async () => {
  await using proxy = await startProxy();
  vi.stubEnv('https_proxy', proxy.url);
  const probe = createProbe('tests/1');
  try {
    const result = await probe.request(
      { url: new URL('https://site.invalid/page'), method: 'GET', follows: true },
      new AbortController().signal,
    );
    expect(result).toEqual({
      failure: `no connection: the proxy 127.0.0.1:${proxy.port} refused it (status 403)`,
    });
    expect(proxy.heads).toEqual([expect.stringMatching(/^CONNECT site\.invalid:443 /)]);
  } finally {
    await probe.close();
  }
});

test.for(['127.0.0.1', 'localhost', 'app.localhost'])('no proxy is used for %s', async (host) => {
  await using proxy = await startProxy();
  for (const name of ['http_proxy', 'https_proxy']) vi.stubEnv(name, proxy.url);
  await using stub = await startStub((response) => response.end('[]'));
  await using opened = openClient(`http://${host}:${stub.port}`);
  expect(await opened.client.listProjects('all')).toEqual([]);
  expect(proxy.heads).toEqual([]);
});

// The unspecified address leads to this machine, and is not one of the hosts that are known to be it.
const elsewhere = '0.0.0.0';

test.for([
  { name: 'no_proxy', value: elsewhere },
  { name: 'NO_PROXY', value: `example.com,${elsewhere}` },
  { name: 'no_proxy', value: '*' },
])('$name="$value" is honoured', async ({ name, value }) => {
  await using proxy = await startProxy();
  vi.stubEnv('https_proxy', proxy.url);
  vi.stubEnv(name, value);
  const heard: number[] = [];
  await using direct = await startTcpStub((socket) => {
    socket.once('data', (bytes) => {
      heard.push(bytes[0] ?? 0);
      socket.destroy();
    });
  });
  await using opened = openClient(`https://${elsewhere}:${direct.port}`);
  const look = { operation: 'look', path: '/', signal: opened.run.signal };
  await failureOf(opened.client.readOnce(look));
  expect(proxy.heads).toEqual([]);
  // 22 begins a TLS handshake. Windows refuses to connect to the unspecified address.
  if (process.platform !== 'win32') expect(heard).toEqual([22]);
});

test('no_proxy for another host changes nothing', async () => {
  await using proxy = await startProxy();
  vi.stubEnv('https_proxy', proxy.url);
  vi.stubEnv('no_proxy', 'other.invalid');
  await using opened = openClient('https://service.invalid');
  const look = { operation: 'look', path: '/', signal: opened.run.signal };
  await failureOf(opened.client.readOnce(look));
  expect(proxy.heads).toHaveLength(1);
});

test('https is never answered by a server that speaks plain HTTP', async () => {
  await using stub = await startStub((response) => response.end('[]'));
  await using opened = openClient(stub.url.replace('http:', 'https:'));
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error).toMatchObject({ fault: 'connect', mayHaveArrived: false });
  expect(stub.received).toEqual([]);
});

test('no more than ten connections are opened', async () => {
  const full = Promise.withResolvers<void>();
  const held: (() => void)[] = [];
  await using stub = await startStub((response) => {
    held.push(() => response.end('[]'));
    if (held.length === 10) full.resolve();
  });
  await using opened = openClient(stub.url);
  const all = Promise.all(Array.from({ length: 12 }, () => opened.client.listProjects('all')));
  await full.promise;
  expect(stub.connections.size).toBe(10);
  for (let n = 0; n < 12; n += 1) {
    await vi.waitUntil(() => held.length > n, { interval: 1, timeout: 20_000 });
    held[n]?.();
  }
  expect(await all).toHaveLength(12);
  expect(stub.connections.size).toBe(10);
});
