import { expect, test } from 'vitest';
import { z } from 'zod';
import { type DialectOptions, startEmulator } from '../../emulator/index.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import { rows } from '../support/exhaustive.ts';
import { reset, startStub } from './stub.ts';
import { failureOf, fakeKey, openClient, projectId, readStream } from './support.ts';

const message = JSON.stringify({ messageId: 'm', status: 'queued' });
const full = {
  content: ' Grüße 😀\r\n',
  model: 'm',
  effort: 'e'.repeat(64),
  attachmentIds: ['a'],
  skillNames: ['s'],
  idempotencyKey: 'k'.repeat(128),
};

type Call = (client: ServiceClient) => Promise<unknown>;

const send =
  (body: Parameters<ServiceClient['sendMessage']>[1]): Call =>
  (client) =>
    client.sendMessage(projectId, body);

const list: Call = (client) => client.listMessages(projectId);

const line = `/v1/projects/${projectId}/messages`;

test.for<{ name: string; call: Call; method: string; body: string; answer: string }>([
  {
    name: 'sendMessage',
    call: send({ content: 'a' }),
    method: 'POST',
    body: '{"content":"a"}',
    answer: message,
  },
  {
    name: 'sendMessage with every field',
    call: send(full),
    method: 'POST',
    body: JSON.stringify(full),
    answer: message,
  },
  { name: 'listMessages', call: list, method: 'GET', body: '', answer: `[${message}]` },
  { name: 'listMessages of none', call: list, method: 'GET', body: '', answer: '[]' },
])('$name sends exactly this', async ({ call, method, body, answer }) => {
  await using stub = await startStub((response) => response.end(answer));
  await using opened = openClient(stub.url);
  expect(await call(opened.client)).toEqual(JSON.parse(answer));
  expect(stub.received).toMatchObject([{ method, url: line, body }]);
  expect(stub.received[0]?.headers['x-api-key']).toBe(fakeKey);
});

test.for<{ name: string; call: Call; tries: number }>([
  { name: 'sendMessage with a key', call: send({ content: 'a', idempotencyKey: 'k' }), tries: 1 },
  { name: 'sendMessage without a key', call: send({ content: 'a' }), tries: 1 },
  { name: 'listMessages', call: list, tries: 5 },
])('$name is tried $tries times over resets', async ({ call, tries }) => {
  await using stub = await startStub((response) => reset(response));
  await using opened = openClient(stub.url);
  expect(await failureOf(call(opened.client))).toMatchObject({ fault: 'broken' });
  expect(stub.received).toHaveLength(tries);
  expect(new Set(stub.received.map(({ body }) => body)).size).toBe(1);
});

test('a message that surely had no effect is sent again, with the same body', async () => {
  await using stub = await startStub((response, _, n) =>
    response.writeHead(n < 3 ? 429 : 202).end(message),
  );
  await using opened = openClient(stub.url);
  await opened.client.sendMessage(projectId, full);
  expect(stub.received.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(full)));
});

test.for<{ name: string; call: Call; says: string }>([
  { name: 'empty content', call: send({ content: '' }), says: 'content ' },
  { name: 'a long model', call: send({ content: 'a', model: 'm'.repeat(65) }), says: 'model ' },
  {
    name: '21 attachments',
    call: send({ content: 'a', attachmentIds: Array(21).fill('f') }),
    says: 'attachmentIds ',
  },
  {
    name: 'four skills',
    call: send({ content: 'a', skillNames: Array(4).fill('s') }),
    says: 'skillNames ',
  },
])('a message with $name is refused before anything is sent', async ({ call, says }) => {
  await using stub = await startStub((response) => response.end(message));
  await using opened = openClient(stub.url);
  const error = await failureOf(call(opened.client));
  expect(error).toMatchObject({ fault: 'invalid', mayHaveArrived: false });
  expect(error.message).toContain(`Could not send the message: POST ${line}`);
  expect(error.message).toContain(says);
  expect(stub.received).toEqual([]);
});

test.for<{ name: string; call: Call; answer: string; says: string }>([
  { name: 'no id', call: send({ content: 'a' }), answer: '{"status":"queued"}', says: 'messageId' },
  { name: 'no status', call: send({ content: 'a' }), answer: '{"messageId":"m"}', says: 'status' },
  { name: 'one message for a list', call: list, answer: message, says: 'the body' },
])('an answer with $name is an error that names the field', async ({ call, answer, says }) => {
  await using stub = await startStub((response) => response.writeHead(202).end(answer));
  await using opened = openClient(stub.url);
  const error = await failureOf(call(opened.client));
  expect(error).toMatchObject({ fault: 'body' });
  expect(error.message).toContain(says);
});

test('a list is given up by a signal of its own', async () => {
  const waiting = Promise.withResolvers<void>();
  await using stub = await startStub(() => waiting.resolve());
  await using opened = openClient(stub.url);
  const own = new AbortController();
  const failed = expect(opened.client.listMessages(projectId, own.signal)).rejects.toThrow(
    'enough',
  );
  await waiting.promise;
  own.abort(new Error('enough'));
  await failed;
  expect(opened.run.signal.aborted).toBe(false);
});

const status = z.looseObject({ status: z.string() });

const streams: { name: string; dialect: DialectOptions; chunks: number; characters: number }[] = [
  { name: 'as it is by default', dialect: {}, chunks: 2, characters: 5 },
  { name: 'in small pieces', dialect: { stream: { splitBytes: 3 } }, chunks: 2, characters: 5 },
  { name: 'of 2 MB', dialect: { fillerBytes: 2_000_000 }, chunks: 125, characters: 2_000_005 },
  { name: 'of 50 MB', dialect: { fillerBytes: 50_000_000 }, chunks: 3054, characters: 50_000_005 },
];

test.for(rows(streams, (_, index) => index < 3))(
  'a turn is sent, followed and listed: a stream $name',
  async (expected) => {
    const { dialect, chunks, characters } = expected;
    await using emulator = await startEmulator({
      key: fakeKey,
      dialect: { turnMs: 6, turnText: ['Grü', 'ße'], ...dialect },
    });
    await using opened = openClient(emulator.url);
    const { client } = opened;
    const { projectId: id } = await client.createProject({});
    const sent = await client.sendMessage(id, { ...full, attachmentIds: ['a'] });
    const path = `/v1/projects/${id}/messages/${sent.messageId}/events`;
    const { events, oversized } = await readStream(client, path);
    const pieces = events
      .filter(({ name }) => name === 'chunk')
      .map(({ data }) => z.object({ text: z.string() }).parse(JSON.parse(data)).text);
    expect(pieces).toHaveLength(chunks);
    expect(pieces.reduce((sum, piece) => sum + piece.length, 0)).toBe(characters);
    expect(oversized).toBe(0);
    expect(status.parse(JSON.parse(events.at(-1)?.data ?? ''))).toMatchObject({
      status: 'succeeded',
    });
    expect(await client.listMessages(id)).toMatchObject([
      { messageId: sent.messageId, status: 'succeeded', prompt: full.content },
    ]);
    expect(emulator.journal.of('sendMessage')).toMatchObject([{ body: full }]);
  },
);
