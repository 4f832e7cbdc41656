// Attack (secrets): The password of a proxy, or a token in the address of a redirect, is shown
// Defense: A proxy is named by its host, a variable by its name; queries, fragments and user names of redirects are
// left out

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProbe } from '../../src/checks/apply.ts';
import { proxyProblems, readProxies } from '../../src/http/proxies.ts';
import { startTcpStub } from '../service/stub.ts';

const variables = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'];

beforeEach(() => {
  for (const name of variables.flatMap((lower) => [lower, lower.toUpperCase()])) {
    vi.stubEnv(name, undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const password = 'fake%password';

/** A page, requested once by a check. */
async function request(url: string) {
  const probe = createProbe('tests/1');
  try {
    const signal = new AbortController().signal;
    return await probe.request({ url: new URL(url), method: 'GET', follows: true }, signal);
  } finally {
    await probe.close();
  }
}

/** A proxy that answers each request itself, and notes what it was sent. */
async function startProxy(status: number) {
  const asked: { target: string | undefined; authorization: string | undefined }[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push({ target: url, authorization: headers['proxy-authorization'] });
    response.writeHead(status).end('through the proxy');
  });
  server.on('connect', ({ url, headers }, socket) => {
    asked.push({ target: url, authorization: headers['proxy-authorization'] });
    socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    host: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('a proxy variable', () => {
  test.each<[value: string, proxy: string | undefined]>([
    ['http://proxy.example:3128', 'http://proxy.example:3128/'],
    ['HTTP://Proxy.Example:3128/', 'http://proxy.example:3128/'],
    ['https://proxy.example', 'https://proxy.example/'],
    ['socks5://proxy.example:1080', 'socks5://proxy.example:1080/'],
    ['socks5h://proxy.example:1080', 'socks5://proxy.example:1080/'],
    ['proxy.example:3128', 'http://proxy.example:3128/'],
    ['proxy.example', 'http://proxy.example/'],
    ['user:word@proxy.example:3128', 'http://user:word@proxy.example:3128/'],
    ['127.0.0.1:3128', 'http://127.0.0.1:3128/'],
    ['[::1]:3128', 'http://[::1]:3128/'],
    ['http://[2001:db8::1]:3128', 'http://[2001:db8::1]:3128/'],
    ['http://proxy.example:3128/a/path?and=query#and', 'http://proxy.example:3128/'],
    ['  http://proxy.example:3128\n', 'http://proxy.example:3128/'],
    ['http://user:50%@proxy.example', 'http://user:50%25@proxy.example/'],
    ['http://user:%zz%41@proxy.example', 'http://user:%25zzA@proxy.example/'],
    ['http://us%er@proxy.example', 'http://us%25er@proxy.example/'],
    ['http://user:%FF@proxy.example', undefined],
    ['http://', undefined],
    ['http://:3128', undefined],
    ['http:proxy.example:3128', undefined],
    ['http://pro xy.example', undefined],
    ['http://proxy.example:port', undefined],
    ['http://proxy.example:99999', undefined],
    ['http://proxy.example:3128,http://other.example:3128', undefined],
    ['socks4://proxy.example:1080', undefined],
    ['socks5://', undefined],
    ['ftp://proxy.example', undefined],
    ['file:///proxy', undefined],
    ['http://user:wo/rd@proxy.example', undefined],
    ['%', undefined],
  ])('%j is %s', (value, proxy) => {
    for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']) {
      const { http, https } = readProxies({ [name]: value });
      const found = name.toLowerCase() === 'http_proxy' ? http : https;
      expect(found).toMatchObject({ name });
      expect(found?.proxy?.href).toBe(proxy);
      const problems = proxyProblems({ environment: { [name]: value } });
      expect(problems.map(({ input, code }) => [input, code])).toEqual(
        proxy === undefined ? [[name, 'SD1010']] : [],
      );
      expect(JSON.stringify(problems)).not.toContain('user');
    }
  });

  test.each<[set: Record<string, string>, name: string | undefined]>([
    [{}, undefined],
    [{ https_proxy: '' }, undefined],
    [{ https_proxy: '  ' }, undefined],
    [{ https_proxy: '', HTTPS_PROXY: 'upper.example' }, 'HTTPS_PROXY'],
    [{ https_proxy: 'lower.example', HTTPS_PROXY: 'http://' }, 'https_proxy'],
    [{ npm_config_proxy: 'http://', npm_config_https_proxy: 'http://' }, undefined],
  ])('of %j is %s', (environment, name) => {
    expect(readProxies(environment).https?.name).toBe(name);
    expect(proxyProblems({ environment })).toEqual([]);
  });

  test.each([
    ['http://', 'http://site.invalid/'],
    ['socks4://proxy.example', 'https://site.invalid/'],
    [`http://user:%FF@proxy.example`, 'https://site.invalid/'],
  ])('of %j throws nothing where it was not checked', async (value, url) => {
    vi.stubEnv('http_proxy', value);
    expect(await request(url)).toMatchObject({ failure: expect.any(String) });
  });
});

describe('a check goes through the proxy', () => {
  test.each([
    ['of a URL', (host: string) => `http://user:${password}@${host}`],
    ['without a scheme', (host: string) => `user:${password}@${host}`],
    ['with a path', (host: string) => `http://user:${password}@${host}/path/`],
  ])('%s, with its password', async (_name, value) => {
    await using proxy = await startProxy(200);
    vi.stubEnv('http_proxy', value(proxy.host));
    expect(await request('http://site.invalid/page')).toMatchObject({ text: 'through the proxy' });
    expect(proxy.asked).toEqual([
      { target: 'http://site.invalid/page', authorization: basic(`user:${password}`) },
    ]);
  });

  test.each(['http://site.invalid/', 'https://site.invalid/'])(
    'to %s, and is told if the password is wrong, without it',
    async (url) => {
      await using proxy = await startProxy(407);
      vi.stubEnv('http_proxy', `http://user:${password}@${proxy.host}`);
      expect(await request(url)).toEqual({
        failure: `no connection: the proxy ${proxy.host} requires a valid user name and password (status 407)`,
        advice: "Put them in the proxy's URL in http_proxy.",
      });
    },
  );

  test('that does not answer, and the proxy is named', async () => {
    const { host } = await (async () => {
      await using proxy = await startProxy(200);
      return proxy;
    })();
    vi.stubEnv('https_proxy', `user:${password}@${host}`);
    expect(await request('https://site.invalid/')).toEqual({
      failure: `no connection to the proxy ${host}: nothing is listening at that address (ECONNREFUSED)`,
    });
  });

  test.each<[proxy: string, shown: string]>([
    ['http://localhost:9', 'localhost:9'],
    ['http://proxy.localhost:9', 'proxy.localhost:9'],
    ['http://[::1]:9', '[::1]:9'],
    ['http://proxy.invalid', 'proxy.invalid'],
    ['socks5://localhost:9', 'localhost:9'],
  ])('of %s that can not be reached, and the proxy is named', async (proxy, shown) => {
    vi.stubEnv('http_proxy', proxy);
    expect(await request('http://site.invalid/')).toEqual({
      failure: expect.stringContaining(`no connection to the proxy ${shown}: `),
    });
  });

  test.each<[proxy: string, url: string]>([
    ['http://127.0.0.1:3128', 'http://127.0.0.1:9/'],
    ['http://localhost:3128', 'http://localhost:9/'],
    ['http://invalid:3128', 'http://site.invalid/'],
    ['http://site.invalid.example:3128', 'http://site.invalid/'],
  ])('but for no_proxy: %s is not blamed for %s', async (proxy, url) => {
    vi.stubEnv('http_proxy', proxy);
    vi.stubEnv('no_proxy', 'site.invalid');
    expect(await request(url)).toEqual({ failure: expect.stringMatching(/^no connection: /) });
  });

  test('that speaks another protocol, and nothing is thrown', async () => {
    await using proxy = await startProxy(400);
    vi.stubEnv('https_proxy', `socks5://user:${password}@${proxy.host}`);
    expect(await request('https://site.invalid/')).toEqual({
      failure: 'no connection: the proxy refused it',
    });
  });

  test.each([
    ['lets it through', [0x05, 0x00], { text: 'through SOCKS' }],
    [
      'wants a password',
      [0x05, 0xff],
      {
        failure: 'no connection: the proxy requires a valid user name and password',
        advice: "Put them in the proxy's URL in http_proxy.",
      },
    ],
  ])('of SOCKS that %s', async (_name, method, expected) => {
    await using proxy = await startTcpStub((socket) => {
      const answers = [
        Buffer.from(method),
        Buffer.from([0x05, 0x00, 0x00, 0x01, 0, 0, 0, 0, 0, 0]),
        'HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\nthrough SOCKS',
      ];
      socket.on('data', () => socket.write(answers.shift() ?? ''));
    });
    vi.stubEnv('http_proxy', `socks5://127.0.0.1:${proxy.port}`);
    expect(await request('http://site.invalid/')).toMatchObject(expected);
  });
});

test.each([
  ['*', true],
  [' * ', true],
  ['other.invalid,*', true],
  ['.site.invalid', true],
  ['site.invalid', true],
  ['SITE.invalid', true],
  ['.invalid', true],
  ['*.invalid', true],
  ['site.invalid:80', true],
  ['site.invalid:8080', false],
  ['other.invalid site.invalid', true],
  ['te.invalid', false],
  ['10.0.0.0/8', false],
  ['[::1]:80,::1,fe80::%eth0', false],
  [',,', false],
  ['[', false],
  ['', false],
])('no_proxy=%j: direct is %s', async (value, isDirect) => {
  await using proxy = await startProxy(200);
  vi.stubEnv('http_proxy', proxy.host);
  vi.stubEnv('no_proxy', value);
  await request('http://site.invalid/');
  expect(proxy.asked.length === 0).toBe(isDirect);
});

test('an empty no_proxy does not hide NO_PROXY', async () => {
  await using proxy = await startProxy(200);
  vi.stubEnv('http_proxy', proxy.host);
  vi.stubEnv('no_proxy', '');
  vi.stubEnv('NO_PROXY', 'site.invalid');
  await request('http://site.invalid/');
  expect(proxy.asked).toEqual([]);
});
