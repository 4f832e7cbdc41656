import { blobsPath, type createBlobs } from './blobs.ts';
import type { CacheFault, CacheOperation, CacheReply, CacheRequest } from './exchange.ts';
import { type createService, twirpError } from './service.ts';

/** What goes wrong, by operation. */
export type CacheFaults = Partial<Record<CacheOperation, CacheFault>>;

/** Who receives the requests. */
export interface Reception {
  token: string;
  service: ReturnType<typeof createService>;
  blobs: ReturnType<typeof createBlobs>;
  faults: CacheFaults;
}

const servicePath = '/twirp/github.actions.results.api.v1.CacheService/';

const calls: Readonly<Record<string, CacheOperation>> = {
  CreateCacheEntry: 'create',
  FinalizeCacheEntryUpload: 'finalize',
  GetCacheEntryDownloadURL: 'look-up',
};

/** What a request asks for; undefined if it is nothing that this cache does. */
export function operationOf(method: string, { pathname }: URL): CacheOperation | undefined {
  if (pathname.startsWith(blobsPath)) return method === 'PUT' ? 'upload' : 'download';
  if (method !== 'POST' || !pathname.startsWith(servicePath)) return undefined;
  return calls[pathname.slice(servicePath.length)];
}

function carryOut(
  { token, service, blobs }: Reception,
  operation: CacheOperation,
  request: CacheRequest,
): CacheReply {
  if (operation === 'upload' || operation === 'download') return blobs[operation](request);
  if (request.headers.authorization !== `Bearer ${token}`) {
    return twirpError(401, 'unauthenticated', 'the token is not valid');
  }
  return service[operation](JSON.parse(request.body.toString()));
}

/**
 * Decides on a request.
 *
 * @returns the answer, and whether it breaks off; or what happens to the connection instead
 */
export function receive(
  reception: Reception,
  request: CacheRequest,
): { reply: CacheReply; isCut: boolean } | 'hang' | 'reset' {
  const operation = operationOf(request.method, request.url);
  if (operation === undefined) return { reply: { status: 404 }, isCut: false };
  const fault = reception.faults[operation];
  if (fault === 'hang' || fault === 'reset') return fault;
  if (typeof fault === 'object') return { reply: fault, isCut: false };
  return { reply: carryOut(reception, operation, request), isCut: fault === 'cut-body' };
}
