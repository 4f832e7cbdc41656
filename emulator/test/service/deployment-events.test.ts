import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { createDialect } from '../../dialect.ts';
import type { StreamDialect } from '../../index.ts';
import { deploy, startWorld, type World } from './support.ts';

/** A world with one finished deployment. */
async function finished(stream: Partial<StreamDialect> = {}, hostileText: string | null = null) {
  const world = await startWorld({ dialect: { buildMs: 0, stream, hostileText } });
  const { id } = await deploy(world);
  return { ...world, id, events: `${world.path}/deployments/${id}/events` };
}

const shared = await finished();
afterAll(() => shared[Symbol.asyncDispose]());

/** A world with a finished deployment whose events are replayed in a dialect. Most are the same in each. */
function replayIn(stream: Partial<StreamDialect>) {
  Object.assign(shared.emulator.dialect, createDialect({ stream }));
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

test.for<{ shape: StreamDialect['shape']; last: (id: string) => string }>([
  {
    shape: 'json',
    last: (id) => `event: status\ndata: {"deploymentId":"${id}","status":"succeeded"}\n\n`,
  },
  {
    shape: 'data-only',
    last: (id) => `id: 4\ndata: {"deploymentId":"${id}","status":"succeeded"}`,
  },
  { shape: 'name-only', last: () => 'event: succeeded\ndata: The deployment is succeeded.\n\n' },
  {
    shape: 'nested',
    last: (id) => `data: {"deployment":{"deploymentId":"${id}","status":"succeeded"}}\n\n`,
  },
  {
    shape: 'typed',
    last: (id) =>
      `data: {"type":"deployment.status","data":{"deploymentId":"${id}","status":"succeeded"}}\n\n`,
  },
])('a status in the shape $shape', async ({ shape, last }) => {
  const world = replayIn({ shape });
  const { headers, text } = await world.send('GET', world.events);
  expect(headers['content-type']).toBe('text/event-stream');
  expect(text).toContain(last(world.id));
  expect(text.match(/^id: /gm)).toHaveLength(4);
});

test('events arrive while the deployment runs', async () => {
  await using world = await startWorld();
  await world.send('POST', `${world.path}/deployments`, { body: {} });
  const [deployment] = world.project.deployments;
  const stream = await openStream(world, `${world.path}/deployments/${deployment?.id}/events`);
  const [first] = await once(stream, 'data');
  expect(first).toContain('"status":"queued"');
  expect(deployment?.endedAt).toBeNull();
  let rest = '';
  for await (const chunk of stream) rest += chunk;
  expect(rest).toContain('"status":"succeeded"');
});

test('bytes around the events: mark, line ends, comments, retry, an oversized frame, DONE', async () => {
  const world = replayIn({
    bom: true,
    crlf: true,
    comments: true,
    retryMs: 20,
    oversizedFrameBytes: 9000,
    endWithDone: true,
  });
  const { text } = await world.send('GET', world.events);
  expect(text).toMatch(
    /^\uFEFFretry: 20\r\n\r\n: a comment\r\nevent: log\r\ndata: \{"message":"x{9000}"\}/,
  );
  expect(text).toMatch(/data: \[DONE\]\r\n\r\n$/);
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
});

test('a stream in small pieces carries the same text', async () => {
  await using world = await finished({}, 'größer 😀');
  const whole = await world.send('GET', world.events);
  world.emulator.dialect.stream.splitBytes = 3;
  const stream = await openStream(world, world.events);
  const pieces: string[] = [];
  for await (const chunk of stream) pieces.push(chunk);
  expect(pieces.join('')).toBe(whole.text);
  expect(pieces.length).toBeGreaterThan(5);
});

test.for(['message', 'text', 'line', 'log', 'delta'] as const)(
  'log lines as %s',
  async (logShape) => {
    await using world = await finished(
      { logShape, logLines: ['npm ci', 'npm run build'] },
      '::warning::',
    );
    const { text } = await world.send('GET', world.events);
    for (const line of ['npm ci', 'npm run build', '::warning::']) {
      expect(text).toContain(`event: log\ndata: {"type":"log","${logShape}":"${line}"}\n\n`);
    }
  },
);

test('a step that is completed is told before the deployment ends', async () => {
  await using world = await finished({ stepEvents: true });
  const { text } = await world.send('GET', world.events);
  const step = text.indexOf('{"type":"step","name":"building","status":"completed"}');
  expect(step).toBeGreaterThan(0);
  expect(step).toBeLessThan(text.indexOf('"succeeded"'));
});

test('a dropped stream goes on after Last-Event-ID, unless the dialect cannot', async () => {
  const world = replayIn({ dropAfterEvents: 3 });
  const first = await world.send('GET', world.events);
  expect(first.text).not.toContain('succeeded');
  const headers = { 'last-event-id': '3' };
  const second = await world.send('GET', world.events, { headers });
  expect(second.text.match(/^id: /gm)).toEqual(['id: ']);
  expect(second.text).toContain('succeeded');
  world.emulator.dialect.stream.resume = false;
  const third = await world.send('GET', world.events, { headers });
  expect(third.text).toBe(first.text);
});

test('a stream may be dropped by a reset', async () => {
  const world = replayIn({ dropAfterEvents: 1, dropBy: 'reset' });
  await expect(world.send('GET', world.events)).rejects.toThrow();
});

test('heartbeats come while nothing happens', async () => {
  const dialect = { buildMs: 0, deploymentEnds: 'never', stream: { heartbeatMs: 1 } } as const;
  await using world = await startWorld({ dialect });
  await world.send('POST', `${world.path}/deployments`, { body: {} });
  const { id } = world.project.deployments[0] ?? {};
  const stream = await openStream(world, `${world.path}/deployments/${id}/events`);
  let seen = '';
  for await (const chunk of stream) {
    seen += chunk;
    if (/(: hb\n\n){3}/.test(seen)) break;
  }
  expect(seen).toContain(': hb\n\n');
});

test.for<{ name: string; stream: Partial<StreamDialect>; sees: boolean }>([
  { name: 'stalls', stream: { stall: true }, sees: false },
  { name: 'stays open after the end', stream: { closeAtEnd: false }, sees: true },
])('a stream that $name ends with the client or the emulator', async ({ stream, sees }) => {
  await using world = await finished();
  Object.assign(world.emulator.dialect.stream, stream);
  const { journal } = world.emulator;
  journal.clear();
  const left = await openStream(world, world.events);
  if (sees) await once(left, 'data');
  left.destroy();
  await journal.waitFor(({ endedAt }) => endedAt !== null);
  const kept = await openStream(world, world.events);
  const gone = once(kept, 'close');
  await Promise.all([world.emulator.close(), gone.catch(() => null)]);
  expect(kept.complete).toBe(false);
});
