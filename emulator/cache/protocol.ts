import type { CacheOperation, CacheReply, CacheRequest } from './exchange.ts';

/** What is asked of the service itself; contents are fetched from the store. */
export type ServiceOperation = Exclude<CacheOperation, 'download'>;

/** One of the protocols that runners' caches speak. */
export interface Protocol {
  /** How a runner tells a step where a service of this protocol is. */
  variables(origin: string): Record<string, string>;
  /** What a request asks for; undefined if it is nothing of this protocol. */
  operationOf(method: string, url: URL): ServiceOperation | undefined;
  /** The answer to a request without the right token. */
  refuseToken(): CacheReply;
  carryOut(operation: ServiceOperation, request: CacheRequest): CacheReply;
}
