import type { CacheEntries, CacheEntry } from './entries.ts';
import type { CacheReply, CacheRequest } from './exchange.ts';

/** Where the store behind the cache is, shaped like the addresses of Azure's blob storage on a local machine. */
export const blobsPath = '/account/container/';

const signature = (purpose: 'download' | 'upload') => `fake-${purpose}-signature`;

/** The address for one purpose of an entry's content. */
export function signedUrl(origin: string, { id }: CacheEntry, purpose: 'download' | 'upload') {
  return `${origin}${blobsPath}${id}?sig=${signature(purpose)}`;
}

const headersOf = (content: Buffer) => ({
  'content-type': 'application/octet-stream',
  'x-ms-blob-type': 'BlockBlob',
  etag: `"${content.length}"`,
});

function refusal(status: number, code: string): CacheReply {
  const body = `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code></Error>`;
  return { status, headers: { 'content-type': 'application/xml', 'x-ms-error-code': code }, body };
}

/** The bytes that a `Range` header asks for; the whole content if there is none. */
function partOf(content: Buffer, range: string | undefined): CacheReply {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (first === undefined) return { status: 200, headers: headersOf(content), body: content };
  const part = content.subarray(Number(first), Number(last) + 1);
  const end = Number(first) + part.length - 1;
  const headers = {
    ...headersOf(part),
    'content-range': `bytes ${first}-${end}/${content.length}`,
  };
  return { status: 206, headers, body: part };
}

/** The store behind the cache: takes an entry's content in one piece, and gives it out again. */
export function createBlobs(entries: CacheEntries) {
  const entryAt = ({ url }: CacheRequest, purpose: 'download' | 'upload') => {
    if (url.searchParams.get('sig') !== signature(purpose)) return undefined;
    return entries.all.find(({ id }) => `${blobsPath}${id}` === url.pathname);
  };
  return {
    upload(request: CacheRequest): CacheReply {
      const entry = entryAt(request, 'upload');
      if (entry === undefined) return refusal(403, 'AuthenticationFailed');
      const isWhole = request.headers['x-ms-blob-type'] === 'BlockBlob';
      if (!isWhole) return refusal(400, 'MissingRequiredHeader');
      entry.archive = request.body;
      return { status: 201, headers: { etag: '"1"' } };
    },
    download(request: CacheRequest): CacheReply {
      const entry = entryAt(request, 'download');
      if (entry === undefined) return refusal(403, 'AuthenticationFailed');
      if (entry.archive === undefined) return refusal(404, 'BlobNotFound');
      return partOf(entry.archive, request.headers.range);
    },
  };
}
