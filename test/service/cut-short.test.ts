import { expect, test } from 'vitest';
import { unsafeText } from '../../src/kernel/text/safe.ts';
import { startStub, startTcpStub } from './stub.ts';
import { failureOf, fakeKey, follow, openClient, projectId, readStream } from './support.ts';

const eventStream = { 'content-type': 'text/event-stream' };

test('a call ends with the reason while its connection is being opened, and leaves none', async () => {
  const opening = Promise.withResolvers<void>();
  await using stub = await startTcpStub(() => opening.resolve());
  const opened = openClient(`https://127.0.0.1:${stub.port}`);
  const reason = new Error('stop');
  const failed = expect(opened.client.listProjects('all')).rejects.toBe(reason);
  await opening.promise;
  opened.run.abort(reason);
  await failed;
  await opened.client.close();
  await stub.idle();
});

test('a call with a signal of its own ends with the run, too', async () => {
  const waiting = Promise.withResolvers<void>();
  await using stub = await startStub(() => waiting.resolve());
  await using opened = openClient(stub.url);
  const reason = new Error('stop');
  const own = new AbortController();
  const failed = expect(opened.client.readEnvironment(projectId, own.signal)).rejects.toBe(reason);
  await waiting.promise;
  opened.run.abort(reason);
  await failed;
});

test('what is no event stream is given up at its head', async () => {
  await using stub = await startStub((response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders();
  });
  await using opened = openClient(stub.url);
  const { details } = await failureOf(opened.client.openEvents(follow('/x', opened.run.signal)));
  expect(details).toMatchObject({ fault: 'body', detail: expect.stringContaining('text/html') });
  await stub.idle();
});

test('a secret is not cut in two where an unusable body is quoted', async () => {
  const body = `${'x'.repeat(40)} ${fakeKey.repeat(4)}`;
  await using stub = await startStub((response) => response.end(body));
  const hide = (text: string) => unsafeText(text.replaceAll(fakeKey.repeat(4), '***'));
  await using opened = openClient(stub.url, { clean: hide });
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error.message).toContain('***');
  expect(error.message).not.toContain(fakeKey.slice(0, 8));
});

test('a key that no header can carry is refused before anything is sent', async () => {
  await using stub = await startStub((response) => response.end('[]'));
  await using opened = openClient(stub.url, { apiKey: 'fake\nkey' });
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error).toMatchObject({ fault: 'invalid', mayHaveArrived: false });
  expect(stub.received).toEqual([]);
});

const line = `data: ${'x'.repeat(1000)}\n`;
test.for([
  ['of one line', `data: ${'x'.repeat(1_500_000)}\n\n`],
  ['of many lines', `${line.repeat(1500)}\n`],
  ['of very many lines', `${line.repeat(3000)}\n`],
  ['of many lines with CRLF', `${line.replace('\n', '\r\n').repeat(1500)}\r\n`],
] as const)(
  'an oversized event %s is passed over once, and the next one is not',
  async ([, big]) => {
    await using stub = await startStub((response) =>
      response.writeHead(200, eventStream).end(`data: before\n\nevent: big\n${big}data: next\n\n`),
    );
    await using opened = openClient(stub.url);
    const heard = await readStream(opened.client, '/x');
    expect(heard.events.map(({ name, data }) => [name, data])).toEqual([
      ['', 'before'],
      ['', 'next'],
    ]);
    expect(heard.oversized).toBe(1);
  },
);
