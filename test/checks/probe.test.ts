import { expect, test } from 'vitest';
import { createProbe, type ProbeResult } from '../../src/checks/apply.ts';
import { type Answerer, pour, reset, startStub } from '../service/stub.ts';
import { nowhere } from '../support/ports.ts';

const limit = 5 * 1024 * 1024;

/** Asks a page once, with a probe of its own. */
async function ask(url: string, signal = new AbortController().signal): Promise<ProbeResult> {
  const probe = createProbe('tests/1');
  try {
    return await probe.request({ url: new URL(url), method: 'GET', follows: true }, signal);
  } finally {
    await probe.close();
  }
}

test('a page is asked for without the key', async () => {
  await using stub = await startStub((response) => response.end('<h1>é</h1>'));
  const result = await ask(`${stub.url}/a%20b?c=d#e`);
  expect(result).toMatchObject({ status: 200, text: '<h1>é</h1>', truncated: false });
  expect(stub.received).toEqual([
    {
      method: 'GET',
      url: '/a%20b?c=d',
      body: '',
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        'cache-control': 'no-cache',
        connection: 'keep-alive',
        host: `127.0.0.1:${stub.port}`,
        'user-agent': 'tests/1',
      },
    },
  ]);
});

test.for([204, 304, 400, 401, 404, 500, 503])('%i is told as it is, once', async (status) => {
  await using stub = await startStub((response) => response.writeHead(status).end());
  expect(await ask(stub.url)).toMatchObject({ status, text: '', truncated: false });
  expect(stub.received).toHaveLength(1);
});

/** Redirects `/n` to `/n-1`, and answers `/0`. */
const countdown: Answerer = (response, { url }) => {
  const left = Number(url.slice(1));
  if (left === 0) response.end('there');
  else response.writeHead(302, { location: `/${left - 1}` }).end('on the way');
};

test.for([
  { redirects: 0, status: 200 },
  { redirects: 1, status: 200 },
  { redirects: 5, status: 200 },
  { redirects: 6, status: 302 },
])('$redirects redirects end with $status', async ({ redirects, status }) => {
  await using stub = await startStub(countdown);
  const result = await ask(`${stub.url}/${redirects}`);
  expect(result).toMatchObject({ status, text: status === 200 ? 'there' : 'on the way' });
  expect(stub.received).toHaveLength(Math.min(redirects, 5) + 1);
  const followed = Math.min(redirects, 5);
  const end = { address: `/${redirects - followed}`, redirects: followed };
  expect(result).toMatchObject({ end: followed === 0 ? undefined : end });
});

test.for(['http://page.localhost', 'http://127.0.0.1', 'http://u:p@127.0.0.1', '//127.0.0.1'])(
  'a redirect to another host or port (%s) is not followed',
  async (place) => {
    await using other = await startStub((response) => response.end('there'));
    await using stub = await startStub((response) => {
      response.writeHead(301, { location: `${place}:${other.port}/x?y` }).end('elsewhere');
    });
    expect(await ask(stub.url)).toMatchObject({ status: 301, text: 'elsewhere' });
    expect(other.received).toEqual([]);
  },
);

test('a redirect is not followed if nothing says so', async () => {
  await using stub = await startStub(countdown);
  const probe = createProbe('tests/1');
  try {
    const question = { url: new URL(`${stub.url}/1`), method: 'HEAD', follows: false } as const;
    expect(await probe.request(question, new AbortController().signal)).toMatchObject({
      status: 302,
      headers: { location: '/0' },
    });
    expect(stub.received).toMatchObject([{ method: 'HEAD' }]);
  } finally {
    await probe.close();
  }
});

test.for(['http://[', 'mailto:somebody@site.invalid'])(
  'a redirect to %s is told as it is',
  async (location) => {
    await using stub = await startStub((response) => response.writeHead(302, { location }).end());
    expect(await ask(stub.url)).toMatchObject({ status: 302, headers: { location } });
    expect(stub.received).toHaveLength(1);
  },
);

test('a redirect without a target is told as it is', async () => {
  await using stub = await startStub((response) => response.writeHead(302).end('x'));
  expect(await ask(stub.url)).toMatchObject({ status: 302, text: 'x', truncated: false });
});

test.for([
  { name: 'the most that is read', bytes: limit, truncated: false },
  { name: 'a byte more', bytes: limit + 1, truncated: true },
])('a page of $name', async ({ bytes, truncated }) => {
  await using stub = await startStub((response) => response.end('x'.repeat(bytes)));
  const result = await ask(stub.url);
  expect(result).toMatchObject({ status: 200, truncated });
  expect('text' in result && result.text.length).toBe(limit);
});

test('an endless page is given up', async () => {
  await using stub = await startStub(pour);
  const probe = createProbe('tests/1');
  try {
    const result = await probe.request(
      { url: new URL(stub.url), method: 'GET', follows: true },
      new AbortController().signal,
    );
    expect(result).toMatchObject({ status: 200, truncated: true });
    await stub.idle();
  } finally {
    await probe.close();
  }
});

test.for<{ name: string; answer: Answerer; says: RegExp }>([
  { name: 'a reset', answer: (response) => reset(response), says: /^the connection broke: / },
  {
    name: 'a page that breaks off',
    answer: (response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('x', () => reset(response));
    },
    says: /^the connection broke: /,
  },
  {
    name: 'an answer that is no HTTP',
    answer: (response) => response.socket?.end('hello\r\n\r\n'),
    says: /^the connection broke: /,
  },
])('$name is a failure in words', async ({ answer, says }) => {
  await using stub = await startStub(answer);
  expect(await ask(stub.url)).toEqual({ failure: expect.stringMatching(says) });
  expect(stub.received).toHaveLength(1);
});

test('a refused connection is a failure in words', async () => {
  const result = await ask(nowhere);
  expect(result).toEqual({ failure: expect.stringMatching(/^no connection: .*ECONNREFUSED/) });
});

test.for<{ name: string; answer: (waiting: () => void) => Answerer }>([
  { name: 'the head of an answer', answer: (waiting) => () => waiting() },
  { name: 'the rest of a page', answer: (waiting) => (response) => response.write('x', waiting) },
  {
    name: 'the page after a redirect',
    answer: (waiting) => (response, _, n) => {
      if (n === 1) response.writeHead(302, { location: '/there' }).end();
      else waiting();
    },
  },
])('a probe that waits for $name ends with the reason', async ({ answer }) => {
  const waiting = Promise.withResolvers<void>();
  await using stub = await startStub(answer(waiting.resolve));
  const controller = new AbortController();
  const reason = new Error('stop');
  const failed = expect(ask(stub.url, controller.signal)).rejects.toBe(reason);
  await waiting.promise;
  controller.abort(reason);
  await failed;
  await stub.idle();
});

test('a probe is not begun after the end of the run', async () => {
  await using stub = await startStub((response) => response.end());
  const reason = new Error('stop');
  await expect(ask(stub.url, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(stub.received).toEqual([]);
});
