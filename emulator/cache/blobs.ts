import type { CacheEntries, CacheEntry } from './entries.ts';
import type { CacheReply, CacheRequest } from './exchange.ts';

/** Where the store behind the cache is, shaped like the addresses of Azure's blob storage on a local machine. */
export const blobsPath = '/account/container/';

type Purpose = 'download' | 'upload';

/** Where the content of an entry is put or fetched, with a signature in the query. */
export type SignUrl = (entry: CacheEntry, purpose: Purpose) => string;

const signature = (purpose: Purpose) => `fake-${purpose}-signature`;

/** Signs addresses of a store at an origin. */
export function createSigner(origin: string): SignUrl {
  return ({ id }, purpose) => `${origin}${blobsPath}${id}?sig=${signature(purpose)}`;
}

/** An answer of the store when it refuses something. */
export function storeRefusal(status: number, code: string, words = ''): CacheReply {
  const error = `<Error><Code>${code}</Code><Message>${words}</Message></Error>`;
  return {
    status,
    headers: { 'content-type': 'application/xml', 'x-ms-error-code': code },
    body: `<?xml version="1.0" encoding="utf-8"?>${error}`,
  };
}

/** The store behind the cache: takes an entry's content in one piece, and gives it out again. */
export function createBlobs(entries: CacheEntries) {
  /** The entry that a request may reach. A signed address is all that it takes: a token beside it is refused. */
  const entryAt = ({ url, headers }: CacheRequest, purpose: Purpose) => {
    if (headers.authorization !== undefined) return storeRefusal(400, 'InvalidAuthenticationInfo');
    const isSigned = url.searchParams.get('sig') === signature(purpose);
    const entry = entries.all.find(({ id }) => `${blobsPath}${id}` === url.pathname);
    return isSigned && entry !== undefined ? entry : storeRefusal(403, 'AuthenticationFailed');
  };
  return {
    upload(request: CacheRequest): CacheReply {
      const entry = entryAt(request, 'upload');
      if ('status' in entry) return entry;
      const isWhole = request.headers['x-ms-blob-type'] === 'BlockBlob';
      if (!isWhole) return storeRefusal(400, 'MissingRequiredHeader');
      entry.content = request.body;
      return { status: 201, headers: { etag: '"1"' } };
    },
    download(request: CacheRequest): CacheReply {
      const entry = entryAt(request, 'download');
      if ('status' in entry) return entry;
      if (entry.content === undefined) return storeRefusal(404, 'BlobNotFound');
      return { status: 200, headers: { 'x-ms-blob-type': 'BlockBlob' }, body: entry.content };
    },
  };
}
