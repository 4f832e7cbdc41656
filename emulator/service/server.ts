import { addAbortListener, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connections } from '../connections.ts';
import type { Faults } from '../faults.ts';
import type { Journal, JournalEntry } from '../journal.ts';
import { injectFault } from './inject-fault.ts';
import type { Reply } from './reply.ts';
import { type Choice, decodeBody, type RequestHead, readHead } from './request.ts';
import { send } from './send.ts';
import type { World } from './world.ts';

/** What the server hands each request to. */
export interface Reception {
  readonly basePath: string;
  readonly journal: Journal;
  readonly faults: Faults;
  /** What answers the requests that come now. */
  now(): Answerer;
}

/** A world, and the part of the emulator that answers a request about it. */
export interface Answerer {
  readonly world: Pick<World, 'signal' | 'track'>;
  /** The part of the emulator that answers this request. */
  choose(head: RequestHead): Choice;
}

/**
 * Opens the emulator's server. It answers nothing until {@link receive} is called.
 * @throws if the address cannot be used
 */
export async function open(host: string, port: number): Promise<{ server: Server; port: number }> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Answers the server's requests: notes each in the journal and lets faults strike. */
export function receive(server: Server, reception: Reception): void {
  const connections = new Connections();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answerer = reception.now();
    // What is under way when its world ends gets no answer.
    const listener = addAbortListener(answerer.world.signal, () => response.destroy());
    response.once('close', () => listener[Symbol.dispose]());
    answerer.world.track(answer(request, response, { ...reception, connections }, answerer));
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { basePath, journal, faults, connections }: Reception & { connections: Connections },
  { world: { signal }, choose }: Answerer,
): Promise<void> {
  const head = readHead(request, basePath);
  const choice = choose(head);
  const { method, path, headers } = head;
  const query = Object.fromEntries(new URLSearchParams(head.search));
  const operation = choice.surface.operation(head);
  const connection = connections.numberOf(request);
  const entry = journal.add({ method, path, query, headers, connection, operation });
  response.once('close', () => journal.update(entry, ending(response, entry)));
  const respond = await receiver(choice, head, request);
  if (respond === null) return; // The client left in the middle of its request.
  if (respond.body) journal.update(entry, { body: decodeBody(respond.body) });
  const carryOut = async (): Promise<Reply> => {
    const reply = await respond.reply();
    const effect = entry.effect || reply.effect;
    journal.update(entry, { effect, carriedOut: entry.carriedOut + 1 });
    return reply;
  };
  const deliver = async (reply: Reply): Promise<void> => {
    journal.update(entry, { status: reply.status });
    await send(response, reply, signal);
  };
  const fault = faults.strike(entry);
  if (fault) await injectFault(fault, { request, response, carryOut, deliver, signal });
  else await deliver(await carryOut());
}

/** How a request is answered, and its body if it is read before that; null if the client leaves meanwhile. */
async function receiver(
  choice: Choice,
  head: RequestHead,
  request: IncomingMessage,
): Promise<{ body?: Buffer; reply: () => Promise<Reply> } | null> {
  if (choice.takes === 'open') {
    return { reply: () => choice.surface.respond({ ...head, body: request }) };
  }
  // The `buffer` of Node goes by way of a Blob, which takes a fifth of the time of a whole request.
  const chunks: Buffer[] | null = await request.toArray().catch(() => null);
  const body = chunks && Buffer.concat(chunks);
  return body && { body, reply: () => choice.surface.respond({ ...head, body }) };
}

function ending(response: ServerResponse, { status }: JournalEntry) {
  return { status: response.headersSent ? response.statusCode : status, endedAt: Date.now() };
}
