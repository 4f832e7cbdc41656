import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../dialect.ts';
import { ServiceError } from './errors.ts';
import type { Reply } from './reply.ts';

interface Remembered {
  readonly body: unknown;
  readonly reply: Promise<Reply>;
  readonly at: number;
}

/** What the service remembers of idempotency keys, and what a repeated one does (section "Endpoints"). */
export class IdempotencyKeys {
  readonly #dialect: Dialect;
  readonly #remembered = new Map<string, Remembered>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /**
   * Carries the work out, or gives the first answer again without its effect. Work that fails is forgotten.
   * @param scope the operation and its path: one key may serve in several
   * @param body the whole body; another body under the same key is refused
   * @throws a `ServiceError` if the dialect refuses the repetition, and what the work throws
   */
  async once(
    scope: string,
    key: string | undefined,
    body: unknown,
    work: () => Promise<Reply>,
  ): Promise<Reply> {
    const { idempotency } = this.#dialect;
    if (key === undefined || idempotency === 'ignore') return await work();
    const name = `${scope}\n${key}`;
    const earlier = this.#recall(name);
    if (!earlier) return await this.#remember(name, body, work);
    if (idempotency === 'conflict') {
      throw new ServiceError(409, 'key_used', 'The idempotency key was used before.');
    }
    if (!isDeepStrictEqual(earlier.body, body)) {
      throw new ServiceError(409, 'key_reused', 'The idempotency key was used with another body.');
    }
    return { ...(await earlier.reply), effect: false };
  }

  #recall(name: string): Remembered | undefined {
    const earlier = this.#remembered.get(name);
    const { idempotency } = this.#dialect;
    if (!earlier || typeof idempotency === 'string') return earlier;
    return Date.now() - earlier.at < idempotency.forgetAfterMs ? earlier : undefined;
  }

  async #remember(name: string, body: unknown, work: () => Promise<Reply>): Promise<Reply> {
    const reply = work();
    this.#remembered.set(name, { body, reply, at: Date.now() });
    try {
      return await reply;
    } catch (error) {
      this.#remembered.delete(name);
      throw error;
    }
  }
}
