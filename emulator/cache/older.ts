import { z } from 'zod';
import type { Access } from './access.ts';
import type { SignUrl } from './blobs.ts';
import type { CacheEntries } from './entries.ts';
import type { CacheReply, CacheRequest } from './exchange.ts';
import type { Protocol } from './protocol.ts';

/** The service lies below a path that names the run, as those of act and of GitHub Enterprise Server do. */
const runPath = '/fake-run-path-secret/';
const base = `${runPath}_apis/artifactcache/`;

const reserving = z.looseObject({
  key: z.string().min(1).max(512),
  version: z.string().min(1),
  cacheSize: z.int().positive(),
});
const committing = z.looseObject({ size: z.int().positive() });

function error(status: number, message: string): CacheReply {
  return { status, headers: { 'content-type': 'application/json' }, body: { message } };
}

function ok(body: object): CacheReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

/** The protocol that GitHub's cache spoke until 2025, as GitHub Enterprise Server, act and Gitea speak it. */
export function olderProtocol(entries: CacheEntries, access: Access, sign: SignUrl): Protocol {
  const entryAt = ({ pathname }: URL) =>
    entries.all.find(({ id, complete }) => !complete && pathname === `${base}caches/${id}`);
  const service = {
    'look-up'({ url: { searchParams } }: CacheRequest): CacheReply {
      if (access.permission === 'none') return error(403, 'cache read denied: no readable scope');
      const keys = (searchParams.get('keys') ?? '').split(',');
      const version = searchParams.get('version') ?? '';
      const entry = entries.find({ scopes: access.scopes, keys, version });
      if (entry === undefined) return { status: 204 };
      const { scope, key: cacheKey } = entry;
      return ok({ scope, cacheKey, archiveLocation: sign(entry, 'download') });
    },
    create({ body }: CacheRequest): CacheReply {
      const { data } = reserving.safeParse(JSON.parse(body.toString()));
      if (data === undefined) return error(400, 'the request is malformed');
      if (access.permission !== 'write') {
        return error(403, 'cache write denied: this token may not write');
      }
      const entry = entries.reserve({ ...data, scope: access.scopes[0] ?? 'refs/heads/main' });
      if (entry === undefined) return error(409, 'Cache already exists.');
      return { ...ok({ cacheId: entry.id }), status: 201 };
    },
    upload({ url, headers, body }: CacheRequest): CacheReply {
      const entry = entryAt(url);
      if (entry === undefined) return error(404, 'no such reservation');
      const isWhole = headers['content-range'] === `bytes 0-${body.length - 1}/*`;
      if (!isWhole) return error(400, 'the range is not that of the whole content');
      entry.content = body;
      return { status: 204 };
    },
    finalize({ url, body }: CacheRequest): CacheReply {
      const { data } = committing.safeParse(JSON.parse(body.toString()));
      const entry = entryAt(url);
      if (entry?.content === undefined) return error(404, 'no such upload');
      if (entry.content.length !== data?.size) return error(400, 'the upload has another size');
      entry.complete = true;
      return { status: 204 };
    },
  };
  const onEntry = { PATCH: 'upload', POST: 'finalize' } as const;
  return {
    variables: (origin) => ({ ACTIONS_CACHE_URL: `${origin}${runPath}` }),
    operationOf: (method, { pathname }) => {
      if (method === 'GET' && pathname === `${base}cache`) return 'look-up';
      if (method === 'POST' && pathname === `${base}caches`) return 'create';
      if (!pathname.startsWith(`${base}caches/`)) return undefined;
      return method === 'PATCH' || method === 'POST' ? onEntry[method] : undefined;
    },
    refuseToken: () => error(401, 'the token is not valid'),
    carryOut: (operation, request) => service[operation](request),
  };
}
