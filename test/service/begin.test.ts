import { expect, test } from 'vitest';
import { safe } from '../../src/kernel/text/safe.ts';
import { createTransport, prefetch, type Transport } from '../../src/service/http.ts';
import { startStub } from './stub.ts';
import {
  emptyEnvironment,
  failureOf,
  fakeClock,
  fakeKey,
  openClient,
  projectId,
} from './support.ts';

const otherProject = '00000000-0000-4000-8000-00000000000c';

function openTransport(baseUrl: string): Transport {
  const clean = () => safe`cleaned`;
  return createTransport({
    baseUrl,
    apiKey: fakeKey,
    userAgent: 'tests/1',
    clock: fakeClock(),
    clean,
  });
}

/** A look at a project's variables, sent before there is a client, and the client. */
async function begin(url: string, signal = new AbortController().signal) {
  const transport = openTransport(url);
  await transport.begin({ ...prefetch.environment(projectId), signal });
  return openClient(url, { transport });
}

test('a look that was begun is written before it is answered, and taken by the client once', async () => {
  const { promise: isBegun, resolve: answer } = Promise.withResolvers<void>();
  await using stub = await startStub(async (response) => {
    await isBegun;
    response.end(emptyEnvironment);
  });
  await using opened = await begin(stub.url);
  // Had it waited for the answer, it would wait for ever.
  answer();
  await opened.client.readEnvironment(projectId);
  expect(stub.received).toHaveLength(1);
  expect(opened.client.requests).toBe(1);
  expect(stub.received[0]?.headers['x-api-key']).toBe(fakeKey);
  await opened.client.readEnvironment(projectId);
  expect(stub.received).toHaveLength(2);
});

test('a look that was begun is another than one at another project', async () => {
  await using stub = await startStub((response) => response.end(emptyEnvironment));
  await using opened = await begin(stub.url);
  await opened.client.readEnvironment(otherProject);
  expect(stub.received.map(({ url }) => url.split('/')[3])).toEqual([projectId, otherProject]);
  await opened.client.readEnvironment(projectId);
  expect(stub.received).toHaveLength(2);
});

test('a question that was begun is known by its body', async () => {
  await using stub = await startStub((response) => response.end('{"results":[]}'));
  const transport = openTransport(stub.url);
  const { signal } = new AbortController();
  await transport.begin({ ...prefetch.availability(['a.example']), signal });
  await using opened = openClient(stub.url, { transport });
  await opened.client.checkDomains(['b.example']);
  await opened.client.checkDomains(['a.example']);
  expect(stub.received.map(({ body }) => body)).toEqual([
    '{"domains":["a.example"]}',
    '{"domains":["b.example"]}',
  ]);
});

test('a look that was begun and failed is repeated as any other', async () => {
  const statuses = [503, 200];
  await using stub = await startStub((response) => {
    response.statusCode = statuses.shift() ?? 500;
    response.end(emptyEnvironment);
  });
  await using opened = await begin(stub.url);
  await opened.client.readEnvironment(projectId);
  expect(stub.received).toHaveLength(2);
  expect(opened.clock.pauses).toEqual([250]);
});

test('a look whose answer nobody takes is no fault, and begins nothing where nobody is', async () => {
  await using gone = await startStub((response) => response.end());
  const { url } = gone;
  await gone[Symbol.asyncDispose]();
  await using opened = await begin(url);
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error.fault).toBe('connect');
});

test('a look that was begun ends with its run', async () => {
  await using stub = await startStub(() => undefined);
  const run = new AbortController();
  await using opened = await begin(stub.url, run.signal);
  const reading = opened.client.readEnvironment(projectId);
  run.abort(new Error('cancelled'));
  await expect(reading).rejects.toThrow('cancelled');
});
