import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Connections } from '../connections.ts';
import type { Tokens } from './access.ts';
import { answerWith, type GitHubRequest, type JournalEntry, readRequest } from './exchange.ts';
import type { Reception } from './reception.ts';
import type { Repositories } from './repositories.ts';
import { answerSchedule } from './schedule-route.ts';
import { sendToPage } from './send-to-page.ts';
import type { ServedRepositories } from './served.ts';

/** What a server does with its requests. */
type Service = {
  served: ServedRepositories;
  tokens: Tokens;
  reception: Reception;
  repositories: Repositories;
  /** Where browsers are sent. */
  behaviour: { readonly pageUrl: string | null };
  /** Takes a request that was decided on. */
  note(entry: JournalEntry): void;
  /** Takes a request whose answer has ended. */
  ended(entry: JournalEntry): void;
  connections: Connections;
  /** How long the answer to a request takes after its effect, in milliseconds. */
  latencyOf(request: GitHubRequest): number | Promise<number>;
};

/** A server on the loopback interface. It answers nothing until `serve` is called. @param port 0 takes a free one */
export async function openServer(wantedPort: number) {
  // Idle connections are kept for longer than Node's standard of 5 s, and no answer says for how long.
  const server = createServer({ keepAliveTimeout: 0 });
  const connections = new Connections();
  await once(server.listen(wantedPort, '127.0.0.1'), 'listening');
  return {
    /** Without a slash at its end. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(service: Omit<Service, 'connections'>): void {
      server.on('request', (incoming, response) => {
        answer(incoming, response, { ...service, connections }).catch(() => response.destroy());
      });
    },
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  { served, tokens, reception, repositories, behaviour, note: keep, ...rest }: Service,
): Promise<void> {
  const { ended, connections, latencyOf } = rest;
  const arrival = { at: Date.now(), connection: connections.numberOf(incoming), endedAt: null };
  const note = (entry: JournalEntry): void => {
    keep(entry);
    response.once('close', () => {
      entry.endedAt = Date.now();
      ended(entry);
    });
  };
  if (repositories.serves(incoming)) {
    const { request, reply } = await repositories.receive(incoming);
    note({ ...request, ...arrival, status: reply?.status ?? null });
    const time = await latencyOf(request);
    if (time > 0) await delay(time, undefined, { ref: false });
    await repositories.send(incoming, response, reply);
    return;
  }
  const received = await readRequest(incoming);
  const own =
    sendToPage(received, behaviour.pageUrl) ?? (await answerSchedule(received, tokens, served));
  const { operationId, reply } =
    own === undefined ? await reception.receive(received) : { operationId: undefined, reply: own };
  const request = { ...received, operationId };
  const send = reply && answerWith(reply);
  note({ ...request, ...arrival, status: reply?.status ?? null });
  const time = await latencyOf(request);
  if (time > 0) await delay(time, undefined, { ref: false });
  if (send === null) response.destroy();
  else send(response);
}
