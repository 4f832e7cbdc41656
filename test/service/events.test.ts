import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readEvents, type ServerEvent } from '../../src/service/events.ts';
import { pairwise, rows } from '../support/exhaustive.ts';
import { reset, startStub } from './stub.ts';
import { failureOf, follow, openClient, readStream } from './support.ts';

const eventStream = { 'content-type': 'text/event-stream; charset=utf-8' };

/** Writes bytes in pieces, a turn of the event loop apart, and ends the answer. */
async function writePieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  response.writeHead(200, eventStream);
  response.flushHeaders();
  for (let start = 0; start < bytes.length; start += size) {
    response.write(bytes.subarray(start, start + size));
    await nextTurn();
  }
  response.end();
}

const event = (data: string, lastEventId = '', name = '') => ({ name, data, lastEventId });

test.for<{ name: string; text: string; events: ServerEvent[]; retries?: number[]; from?: string }>([
  { name: 'lines of data', text: 'data: a\ndata:b\ndata:  c\n\n', events: [event('a\nb\n c')] },
  { name: 'empty data', text: 'data\n\ndata:\n\n', events: [event(''), event('')] },
  { name: 'no data', text: 'event: x\n\nid: 1\n\n', events: [] },
  { name: 'an id without data', text: 'id: 1\n\ndata: a\n\n', events: [event('a', '1')] },
  {
    name: 'an id that stays',
    text: 'id: 1\ndata: a\n\ndata: b\n\n',
    events: [event('a', '1'), event('b', '1')],
  },
  { name: 'an id after its data', text: 'data: a\nid: 1\n\n', events: [event('a', '1')] },
  { name: 'an id that is taken back', text: 'data: a\nid\n\n', events: [event('a')], from: '7' },
  { name: 'the id of the start', text: 'data: a\n\n', events: [event('a', '7')], from: '7' },
  {
    name: 'an id as long as none is',
    text: `id: ${'x'.repeat(256)}\ndata: a\n\nid: ${'x'.repeat(257)}\ndata: b\n\n`,
    events: [event('a', 'x'.repeat(256)), event('b')],
  },
  { name: 'an id with a null', text: 'id: a\u0000b\ndata: a\n\n', events: [event('a')] },
  {
    name: 'a name for one event',
    text: 'event: x\ndata: a\n\ndata: b\n\n',
    events: [event('a', '', 'x'), event('b')],
  },
  {
    name: 'comments and unknown fields',
    text: ': c\n:\nfoo: bar\nfoo\ndata: a\n\n',
    events: [event('a')],
  },
  {
    name: 'lone carriage returns',
    text: 'data: a\rdata: b\r\rdata: c\r\r\n',
    events: [event('a\nb'), event('c')],
  },
  { name: 'an event that is not ended', text: 'data: a\n\nid: 9\ndata: b\n', events: [event('a')] },
  {
    name: 'retries',
    text: 'retry: 10\nretry: x\nretry: -1\ndata: a\n\nretry: 20\n\n',
    events: [event('a')],
    retries: [10, 20],
  },
  { name: 'a byte order mark', text: '\uFEFFdata: a\n\n', events: [event('a')] },
  {
    name: 'letters of many bytes',
    text: 'event: é\nid: 日\ndata: 😀\u2028\n\n',
    events: [event('😀\u2028', '日', 'é')],
  },
  { name: 'nothing', text: '', events: [] },
])('$name, in pieces of every size', async ({ text, events, retries = [], from = '' }) => {
  const bytes = Buffer.from(text);
  await using stub = await startStub((response, { url }) => {
    void writePieces(response, bytes, Number(url.slice(1)));
  });
  await using opened = openClient(stub.url);
  const sizes = [1, 2, 3, 5, 7, Math.max(1, bytes.length)];
  for (const size of rows(sizes, (_, index) => [0, 2, 5].includes(index))) {
    const heard = await readStream(opened.client, `/${size}`, from);
    expect(heard, `pieces of ${size} bytes`).toEqual({ events, retries, oversized: 0 });
  }
});

test('bytes that are no UTF-8 are replaced', async () => {
  const bytes = Buffer.from('data: a?b\n\n').map((byte) => (byte === 0x3f ? 0xff : byte));
  await using stub = await startStub((response) => {
    response.writeHead(200, eventStream).end(bytes);
  });
  await using opened = openClient(stub.url);
  const { events } = await readStream(opened.client, '/');
  expect(events).toEqual([event('a\uFFFDb')]);
});

test.for([
  { name: 'HTML', status: 200, type: 'text/html', says: /is text\/html, not an event stream$/ },
  {
    name: 'JSON',
    status: 200,
    type: 'application/json',
    says: /is application\/json, not an event stream$/,
  },
  { name: 'text', status: 206, type: 'text/plain', says: /is text\/plain, not an event stream$/ },
  { name: 'no type', status: 200, type: undefined, says: /is \?, not an event stream$/ },
  { name: 'an error', status: 404, type: 'text/event-stream', says: /returned 404$/ },
])('$name is no event stream, and its connection is given up', async ({ status, type, says }) => {
  await using stub = await startStub((response) => {
    response.writeHead(status, type === undefined ? {} : { 'content-type': type });
    // A stream has no end; an error has one.
    if (status < 400) response.write(': hello\n\n');
    else response.end();
  });
  await using opened = openClient(stub.url);
  const error = await failureOf(readStream(opened.client, '/events'));
  expect(error.fault).toBe(status < 400 ? 'body' : 'answer');
  expect(error.message).toMatch(says);
  if (status < 400) await stub.idle();
});

test.for(['text/event-stream', 'text/event-stream;charset=utf-8', 'TEXT/Event-Stream ; x'])(
  'an event stream of the type "%s"',
  async (type) => {
    await using stub = await startStub((response) => {
      response.writeHead(200, { 'content-type': type }).end('data: a\n\n');
    });
    await using opened = openClient(stub.url);
    expect(await readStream(opened.client, '/')).toHaveProperty('events', [event('a')]);
  },
);

test('a reset in an event loses that event only', async () => {
  await using stub = await startStub((response) => {
    response.writeHead(200, eventStream);
    response.write('id: 1\ndata: a\n\n');
    response.write('id: 2\ndata: b', () => reset(response));
  });
  await using opened = openClient(stub.url);
  const { client, run } = opened;
  const open = follow('/', run.signal);
  const seen: ServerEvent[] = [];
  const read = async () => {
    for await (const one of await client.openEvents(open)) seen.push(one);
  };
  const error = await failureOf(read());
  expect(error).toMatchObject({
    fault: 'broken',
    message: expect.stringContaining('Could not follow'),
  });
  expect(seen).toEqual([event('a', '1')]);
});

test('a slow reader slows the stream down', async () => {
  const size = 100_000;
  const frame = `data: ${'x'.repeat(size)}\n\n`;
  let sent = 0;
  await using stub = await startStub((response) => {
    response.writeHead(200, eventStream);
    const write = () => {
      do sent += 1;
      while (!response.destroyed && response.write(frame));
    };
    response.on('drain', write);
    write();
  });
  await using opened = openClient(stub.url);
  const { client, run } = opened;
  const open = follow('/', run.signal);
  let read = 0;
  let ahead = 0;
  for await (const { data } of await client.openEvents(open)) {
    expect(data).toHaveLength(size);
    read += 1;
    ahead = Math.max(ahead, sent - read);
    if (read === 200) break;
    // Turns in which the sender could send on, if nothing held it back.
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  }
  // What sockets hold is some megabytes; without a bound it would be ten events a turn.
  expect(ahead * size).toBeLessThan(20_000_000);
  await stub.idle();
});

// V8 itself collects nothing of that: the tests' processes have room for 16 MB of young objects.
test('garbage is collected as a long stream is read', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, ':\n');
  let garbage: WeakRef<object> | undefined;
  async function* body() {
    garbage = new WeakRef({});
    for (let count = 0; count < 3; count += 1) {
      // What is made in a turn of the loop is kept until it ends.
      await nextTurn();
      yield megabyte;
    }
  }
  const listener = { onRetry: () => undefined, onOversized: () => undefined };
  for await (const _ of readEvents(body(), '', listener));
  expect(garbage?.deref()).toBeUndefined();
});

/** As much of a line as is held back until its end comes, in bytes. */
const held = 1024 * 1024;

const lines = [-1, 0, 1, 2].flatMap((more) =>
  Object.entries({ LF: '\n', CR: '\r', CRLF: '\r\n' }).flatMap(([name, end]) =>
    [65_536, held, 2 * held].map((piece) => [more, name, piece, end] as const),
  ),
);

test.for(pairwise(lines, ([more, name, piece]) => [more, name, piece]))(
  'a line of as many bytes as are held back and %i, ended by %s, in pieces of %i',
  async ([more, _, piece, end]) => {
    const comment = `:${'x'.repeat(held + more - 1)}`;
    const bytes = Buffer.from(`data: a${end}${comment}${end}data: b${end}${end}`);
    async function* body() {
      for (let start = 0; start < bytes.length; start += piece) {
        // A buffer of its own, overwritten afterwards: nothing may be kept of it.
        const given = Buffer.from(bytes.subarray(start, start + piece));
        yield given;
        given.fill(0);
      }
    }
    const listener = { onRetry: () => undefined, onOversized: () => undefined };
    const events: ServerEvent[] = [];
    for await (const one of readEvents(body(), '', listener)) events.push(one);
    expect(events).toEqual([event('a\nb')]);
  },
);
