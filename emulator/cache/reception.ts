import { blobsPath, type createBlobs } from './blobs.ts';
import type { CacheFault, CacheOperation, CacheReply, CacheRequest } from './exchange.ts';
import type { Protocol } from './protocol.ts';

/** What goes wrong, by operation: always the same, or one for each of the next requests and none after them. */
export type CacheFaults = Partial<Record<CacheOperation, CacheFault | CacheFault[]>>;

/** Who receives the requests. */
export interface Reception {
  token: string;
  protocol: Protocol;
  blobs: ReturnType<typeof createBlobs>;
  faults: CacheFaults;
}

/** What happens to a request: an answer, which may go wrong on its way, or something to the connection instead. */
export type Decision =
  | { reply: CacheReply; fault?: 'cut-body' | 'endless' | 'stall' }
  | 'hang'
  | 'reset';

/** What a request asks for; undefined if it is nothing that this cache does. */
export function operationOf(
  { protocol }: Reception,
  method: string,
  url: URL,
): CacheOperation | undefined {
  if (!url.pathname.startsWith(blobsPath)) return protocol.operationOf(method, url);
  return method === 'PUT' ? 'upload' : 'download';
}

function carryOut(
  { token, protocol, blobs }: Reception,
  operation: CacheOperation,
  request: CacheRequest,
): CacheReply {
  const { url, headers } = request;
  if (operation === 'download') return blobs.download(request);
  if (operation === 'upload' && url.pathname.startsWith(blobsPath)) return blobs.upload(request);
  if (headers.authorization !== `Bearer ${token}`) return protocol.refuseToken();
  return protocol.carryOut(operation, request);
}

/** Decides on a request. */
export function receive(
  reception: Reception,
  operation: CacheOperation | undefined,
  request: CacheRequest,
): Decision {
  if (operation === undefined) return { reply: { status: 404 } };
  const given = reception.faults[operation];
  const fault = Array.isArray(given) ? given.shift() : given;
  if (fault === 'hang' || fault === 'reset') return fault;
  if (typeof fault === 'object') return { reply: fault };
  const reply = carryOut(reception, operation, request);
  return fault === undefined ? { reply } : { reply, fault };
}
