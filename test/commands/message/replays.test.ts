import { expect, test } from 'vitest';
import { createClient } from '../../../src/service/client.ts';
import { type HttpStub, startStub } from '../../service/stub.ts';
import { linesShown, sendNow } from '../../support/message.ts';
import { startWorld } from '../../support/world.ts';

const messageId = 'a1111111-1111-4111-8111-111111111111';
const head = `data: {"messageId":"${messageId}","status":"running"}\n\n`;
const end = `data: {"messageId":"${messageId}","status":"succeeded"}\n\n`;
const id = 'id: 1\n';
const said = (...pieces: string[]) =>
  pieces.map((text) => `event: chunk\ndata: ${JSON.stringify({ text })}\n\n`).join('');

/** A service whose stream gives one of these bodies after the other, and breaks off after each. */
const startService = (bodies: readonly string[]): Promise<HttpStub> => {
  const left = [...bodies];
  return startStub((response, { method, url }) => {
    if (method === 'POST') return response.end(JSON.stringify({ messageId, status: 'queued' }));
    if (!url.endsWith('/events')) return response.end('[]');
    const headers = { 'content-type': 'text/event-stream' };
    return response.writeHead(200, headers).end(`retry: 5\n\n${left.shift() ?? ''}`);
  });
};

test.for<{ name: string; bodies: string[]; text: string }>([
  {
    name: 'from the start each time',
    bodies: [head + said('one, ', 'two, '), head + said('one, ', 'two, ', 'three')],
    text: 'one, two, three',
  },
  {
    name: 'and is shorter the second time',
    bodies: [head + said('a', 'b', 'c'), head + said('a'), head + said('a', 'b', 'c', 'd')],
    text: 'abcd',
  },
  {
    name: 'whose pieces are all alike',
    bodies: [head + said('ha '), head + said('ha ', 'ha '), head + said('ha ', 'ha ', 'ha')],
    text: 'ha ha ha',
  },
  {
    name: 'from the start, and only statuses have ids',
    bodies: [id + head + said('one, ', 'two, '), id + head + said('one, ', 'two, ', 'three')],
    text: 'one, two, three',
  },
  {
    name: 'after a status, and only statuses have ids',
    bodies: [id + head + said('one, ', 'two, '), said('one, ', 'two, ', 'three'), said('one, ')],
    text: 'one, two, three',
  },
])('a stream that begins anew $name says nothing twice', async ({ bodies, text }) => {
  await using world = await startWorld();
  await using stub = await startService([...bodies, end]);
  const { clean, clock, random, signal } = world.host;
  const client = createClient({
    baseUrl: stub.url,
    apiKey: world.emulator.key,
    userAgent: 'test',
    deadline: clock.now() + 60_000,
    clean,
    clock,
    random,
    signal,
  });
  const report = await sendNow({ ...world, client }, { wait: 'stream' });
  await client.close();
  expect(report).toMatchObject({ outcome: 'succeeded', witness: 'stream', text });
  expect(linesShown(world)).toEqual([text]);
});
