import { once } from 'node:events';
import type { Server } from 'node:http';

/** An address at which nothing listens: a port that no server is given by chance. */
export const nowhere = 'http://127.0.0.1:9';

/**
 * Lets a server listen at a port that stays free once it is closed: it is none of those that the system hands out to
 * whoever asks for any.
 *
 * @returns its address
 */
export async function listenApart(server: Server): Promise<string> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    server.listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) return `http://127.0.0.1:${port}`;
  }
}
