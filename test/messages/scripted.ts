import type { ServerResponse } from 'node:http';
import { createClient } from '../../src/service/client.ts';
import { type HttpStub, startStub } from '../service/stub.ts';
import { startWorld, type World } from '../support/world.ts';

export const messageId = 'a1111111-1111-4111-8111-111111111111';

/** An event without a name. */
export const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/** The event that tells the turn's own end. */
export const end = event({ messageId, status: 'succeeded' });

/** What a scripted service answers. */
export interface Script {
  /** The bodies of the event stream, one for each connection, which then breaks off. */
  streams?: readonly string[];
  /** Resolves when the rest of a stream may come: what follows its first event. */
  rest?: Promise<unknown>;
  /** Answers the list of messages; `n` counts from 1. The default has none. */
  list?: (response: ServerResponse, n: number) => void;
  /** Answers a message that is sent; `n` counts from 1. */
  send?: (response: ServerResponse, n: number) => void;
}

/** A world whose service says what a test scripts. */
export interface ScriptedWorld extends World {
  stub: HttpStub;
  /** How often a message was sent. */
  sent(): number;
}

/** Starts a service that answers as it is told, for shapes that no dialect has. */
export async function startScripted({
  streams = [],
  rest,
  list,
  send,
}: Script): Promise<ScriptedWorld> {
  const world = await startWorld();
  const left = [...streams];
  let lists = 0;
  let sends = 0;
  const accept = (response: ServerResponse) =>
    response.end(JSON.stringify({ messageId, status: 'queued' }));
  const stub = await startStub((response, { method, url }) => {
    if (method === 'POST') return (send ?? accept)(response, ++sends);
    if (!url.endsWith('/events')) return list?.(response, ++lists) ?? response.end('[]');
    const headers = { 'content-type': 'text/event-stream' };
    const body = left.shift() ?? '';
    const first = rest === undefined ? body.length : body.indexOf('\n\n') + 2;
    response.writeHead(200, headers).write(`retry: 5\n\n${body.slice(0, first)}`);
    return Promise.resolve(rest).then(() => response.end(body.slice(first)));
  });
  const { clean, clock, random, signal } = world.host;
  const client = createClient({
    baseUrl: stub.url,
    apiKey: world.emulator.key,
    userAgent: 'test',
    deadline: clock.now() + 20 * 60_000,
    clean,
    clock,
    random,
    signal,
  });
  return {
    ...world,
    client,
    stub,
    sent: () => sends,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await stub[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
