import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { createDialect } from '../../dialect.ts';
import type { DialectOptions, StreamDialect } from '../../index.ts';
import { startWorld, type World } from './support.ts';

const eventsOf = ({ path }: World, id: string) => `${path}/messages/${id}/events`;

/** A world with one finished turn that said "one, two". */
async function finished(options: DialectOptions = {}) {
  const turnText = ['one, ', 'two'];
  const world = await startWorld({ dialect: { turnMs: 0, turnText, ...options } });
  const message = world.project.sendMessage({ content: 'a' });
  await message.ended;
  return { ...world, message, events: eventsOf(world, message.id) };
}

const shared = await finished();
afterAll(() => shared[Symbol.asyncDispose]());

/** A world with a finished turn whose events are replayed in a dialect. Most turns are the same in each. */
function replayIn(options: DialectOptions = {}) {
  Object.assign(shared.emulator.dialect, createDialect(options));
  shared.emulator.journal.clear();
  return shared;
}

/** Opens the stream and gives the answer as soon as its head is there. */
async function openStream({ emulator }: World, path: string): Promise<IncomingMessage> {
  const outgoing = request(`${emulator.url}${path}`, { headers: { 'x-api-key': emulator.key } });
  outgoing.end();
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (!incoming) throw new Error('no response');
  return incoming.setEncoding('utf8');
}

/** Events as they are on the wire, with ids that count from 1. */
const wire = (frames: readonly (readonly [event: string | null, data: string])[]) =>
  frames
    .map(([event, data], index) => {
      const name = event === null ? '' : `event: ${event}\n`;
      return `id: ${index + 1}\n${name}data: ${data}\n\n`;
    })
    .join('');

const statuses = ['queued', 'running', 'succeeded'] as const;

test.for<{
  shape: StreamDialect['shape'];
  status: (id: string, status: string) => [string | null, string];
  text: (id: string, text: string) => [string | null, string];
}>([
  {
    shape: 'json',
    status: (id, status) => ['status', `{"messageId":"${id}","status":"${status}"}`],
    text: (_, text) => ['chunk', `{"type":"chunk","text":"${text}"}`],
  },
  {
    shape: 'data-only',
    status: (id, status) => [null, `{"messageId":"${id}","status":"${status}"}`],
    text: (_, text) => [null, `{"type":"chunk","text":"${text}"}`],
  },
  {
    shape: 'name-only',
    status: (_, status) => [status, `The message is ${status}.`],
    text: (_, text) => ['chunk', `{"type":"chunk","text":"${text}"}`],
  },
  {
    shape: 'nested',
    status: (id, status) => ['message', `{"message":{"messageId":"${id}","status":"${status}"}}`],
    text: (id, text) => ['chunk', `{"message":{"messageId":"${id}","text":"${text}"}}`],
  },
  {
    shape: 'typed',
    status: (id, status) => [
      null,
      `{"type":"message.status","data":{"messageId":"${id}","status":"${status}"}}`,
    ],
    text: (_, text) => [null, `{"type":"message.chunk","data":{"text":"${text}"}}`],
  },
])('a completed turn is replayed in the shape $shape', async ({ shape, status, text }) => {
  const world = replayIn({ stream: { shape } });
  const { headers, text: body } = await world.send('GET', world.events);
  const { id } = world.message;
  const [queued, running, succeeded] = statuses;
  expect(headers['content-type']).toBe('text/event-stream');
  expect(body).toBe(
    wire([
      status(id, queued),
      status(id, running),
      text(id, 'one, '),
      text(id, 'two'),
      status(id, succeeded),
    ]),
  );
});

test('text in each shape', async () => {
  await using world = await finished({ hostileText: '::warning::' });
  for (const textShape of ['text', 'delta', 'message', 'content'] as const) {
    world.emulator.dialect.textShape = textShape;
    const { text } = await world.send('GET', world.events);
    for (const piece of ['one, ', 'two', '::warning::']) {
      expect(text).toContain(`event: chunk\ndata: {"type":"chunk","${textShape}":"${piece}"}\n\n`);
    }
    expect(text).toContain('"status":"succeeded","message":"::warning::"');
  }
});

test('events arrive while the turn runs', async () => {
  await using world = await startWorld({ dialect: { turnMs: 0, messageEnds: 'never' } });
  const message = world.project.sendMessage({ content: 'a' });
  let seen = '';
  for await (const chunk of await openStream(world, eventsOf(world, message.id))) {
    seen += chunk;
    if (seen.includes('committed')) break;
  }
  expect(seen).toContain('"status":"running"');
  expect(message.endedAt).toBeNull();
});

test('a replay is what was followed', async () => {
  await using world = await startWorld({ dialect: { turnMs: 100 } });
  const message = world.project.sendMessage({ content: 'a' });
  const followed = await world.send('GET', eventsOf(world, message.id));
  expect(message.endedAt).not.toBeNull();
  expect((await world.send('GET', eventsOf(world, message.id))).text).toBe(followed.text);
});

test('a queued turn is followed from its start to its end', async () => {
  await using world = await startWorld({ dialect: { turnMs: 40 } });
  world.project.sendMessage({ content: 'a' });
  const second = world.project.sendMessage({ content: 'b' });
  const { text } = await world.send('GET', eventsOf(world, second.id));
  expect(text).toContain('"status":"queued"');
  expect(text).toContain('"status":"succeeded"');
});

test('a failed turn says so', async () => {
  await using world = await finished({ messageEnds: 'failure' });
  expect((await world.send('GET', world.events)).text).toContain('"status":"failed"');
});

test('a dropped stream goes on after Last-Event-ID, unless the dialect cannot', async () => {
  const world = replayIn({ stream: { dropAfterEvents: 4 } });
  const first = await world.send('GET', world.events);
  expect(first.text).not.toContain('succeeded');
  const headers = { 'last-event-id': '4' };
  const second = await world.send('GET', world.events, { headers });
  expect(second.text).toMatch(/^id: 5\nevent: status\n.*"succeeded"/);
  world.emulator.dialect.stream.resume = false;
  expect((await world.send('GET', world.events, { headers })).text).toBe(first.text);
});

test('the bytes of the stream dialect are those of a turn too', async () => {
  const stream = {
    bom: true,
    crlf: true,
    comments: true,
    retryMs: 20,
    oversizedFrameBytes: 9000,
    endWithDone: true,
  };
  const world = replayIn({ textShape: 'delta', stream });
  const { text } = await world.send('GET', world.events);
  expect(text).toMatch(
    /^\uFEFFretry: 20\r\n\r\n: a comment\r\nevent: chunk\r\ndata: \{"type":"chunk","delta":"x{9000}"\}/,
  );
  expect(text).toMatch(/data: \[DONE\]\r\n\r\n$/);
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
});

test('steps of a turn are told as events of their own', async () => {
  await using world = await finished({ stream: { stepEvents: true } });
  const { text } = await world.send('GET', world.events);
  expect(text).toContain(
    'event: step\ndata: {"type":"step","name":"running","status":"completed"}',
  );
});

test('heartbeats come while nothing happens', async () => {
  const dialect = { turnMs: 0, messageEnds: 'never', stream: { heartbeatMs: 1 } } as const;
  await using world = await startWorld({ dialect });
  const { id } = world.project.sendMessage({ content: 'a' });
  const stream = await openStream(world, eventsOf(world, id));
  let seen = '';
  for await (const chunk of stream) {
    seen += chunk;
    if (/(: hb\n\n){3}/.test(seen)) break;
  }
  expect(seen).toContain(': hb\n\n');
});

test.for([
  { name: 'elsewhere in the project', path: '/v1/projects/{projectId}/turns/{messageId}/stream' },
  { name: 'at a path without the project', path: '/v1/messages/{messageId}/events' },
])('a stream $name', async ({ path }) => {
  const world = replayIn({ messageEventsPath: path });
  const { emulator, message, project, send } = world;
  const at = path.replace('{projectId}', project.id).replace('{messageId}', message.id);
  expect((await send('GET', at)).text).toContain('"succeeded"');
  expect((await send('GET', world.events)).status).toBe(404);
  expect(emulator.journal.of('streamMessageEvents')).toHaveLength(1);
});

test.for([404, 405, 403, 'html200'] as const)('no stream is offered: %s', async (refusal) => {
  const world = replayIn({ messageOffers: 'neither', notOfferedStatus: refusal });
  const answer = await world.send('GET', world.events);
  expect(answer.status).toBe(refusal === 'html200' ? 200 : refusal);
  expect(answer.headers['content-type']).not.toContain('event-stream');
});

test('a stream is offered late', async () => {
  const world = replayIn({ messageOfferedAfterMs: 60_000 });
  expect((await world.send('GET', world.events)).status).toBe(404);
  world.emulator.dialect.messageOfferedAfterMs = 0;
  expect((await world.send('GET', world.events)).status).toBe(200);
});

test('a message is found in its own project only', async () => {
  const world = replayIn();
  const { id } = await world.emulator.world.createProject();
  const elsewhere = `/v1/projects/${id}/messages/${world.message.id}/events`;
  expect((await world.send('GET', elsewhere)).status).toBe(404);
  expect((await world.send('GET', eventsOf(world, randomUUID()))).status).toBe(404);
  expect((await world.send('GET', eventsOf(world, '7'))).status).toBe(400);
});

test('a stream of megabytes is told in small events and kept by nobody', async () => {
  const fillerBytes = 2_000_001;
  await using world = await finished({ fillerBytes, textShape: 'delta' });
  const filler = { kind: 'filler', bytes: fillerBytes };
  expect(world.message.events.at(-2)).toEqual(filler);
  let letters = 0;
  let longest = 0;
  let rest = '';
  for await (const chunk of await openStream(world, world.events)) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      letters += line.length - line.replaceAll('x', '').length;
      longest = Math.max(longest, line.length);
    }
  }
  expect(letters).toBe(fillerBytes);
  expect(longest).toBeLessThan(17_000);
});

test('filler is one event to a client that resumes', async () => {
  await using world = await finished({ fillerBytes: 40_000 });
  const whole = await world.send('GET', world.events);
  expect(whole.text.match(/^data: .*x{9}/gm)).toHaveLength(3);
  expect(whole.text.match(/^id: /gm)).toHaveLength(6);
  const headers = { 'last-event-id': '5' };
  const rest = await world.send('GET', world.events, { headers });
  expect(rest.text).toMatch(/^id: 6\nevent: status\n.*"succeeded"/);
  const again = await world.send('GET', world.events, { headers: { 'last-event-id': '4' } });
  expect(again.text.match(/^data: .*x{9}/gm)).toHaveLength(3);
});
