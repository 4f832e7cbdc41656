import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Numbers the connections of a server in the order of their first requests. */
export class Connections {
  readonly #numbers = new WeakMap<Socket, number>();
  #count = 0;

  /** The number of the connection that a request came over: 1 for the first. */
  numberOf({ socket }: IncomingMessage): number {
    const known = this.#numbers.get(socket);
    if (known !== undefined) return known;
    this.#count += 1;
    this.#numbers.set(socket, this.#count);
    return this.#count;
  }
}
