import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as a stub server received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server of a test, on a free port of this machine. */
export interface Stub extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** The connections that are open now. */
  readonly connections: ReadonlySet<Socket>;
  /** Resolves when every connection is closed; does not close any. */
  idle(): Promise<void>;
}

/** A stub that speaks HTTP. */
export interface HttpStub extends Stub {
  /** The requests so far, in order of arrival. */
  readonly received: readonly Received[];
}

async function listen(server: Server): Promise<Stub> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    // A test's client may reset its connection; that is no failure of the stub.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      connections.delete(socket);
      server.emit('left');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was taken');
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    connections,
    idle: async () => {
      while (connections.size > 0) await once(server, 'left');
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

/** Answers a request; `n` counts from 1. */
export type Answerer = (response: ServerResponse, request: Received, n: number) => void;

/** Starts an HTTP server that answers each request once its body has arrived. */
export async function startStub(answer: Answerer): Promise<HttpStub> {
  const received: Received[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const { method = '', url = '', headers } = request;
    const body = (await buffer(request)).toString();
    const seen = { method, url, headers, body };
    received.push(seen);
    answer(response, seen, received.length);
  });
  return { ...(await listen(server)), received };
}

/** Starts a TCP server that leaves each connection to the test. */
export async function startTcpStub(connected: (socket: Socket) => void): Promise<Stub> {
  return await listen(createTcpServer(connected));
}

/** Writes a body without an end, as fast as the client takes it. */
export function pour(response: ServerResponse): void {
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(100_000)));
  };
  response.on('drain', write);
  write();
}

/** Breaks the connection of a request with a TCP reset. */
export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}
