import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that lets nothing through. */
export type ClosedProxy = AsyncDisposable & {
  /** What leads a step to it with all that is not for this machine. No name is looked up. */
  readonly environment: Readonly<Record<string, string>>;
};

/** Starts a proxy on a free port of the loopback interface. Disposing of it stops it. */
export async function startClosedProxy(): Promise<ClosedProxy> {
  const server = createServer((_, response) => response.writeHead(403).end());
  server.on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: { http_proxy: url, https_proxy: url, all_proxy: url, no_proxy: '127.0.0.1' },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
