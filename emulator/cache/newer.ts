import { z } from 'zod';
import type { Access } from './access.ts';
import type { SignUrl } from './blobs.ts';
import type { CacheEntries } from './entries.ts';
import type { CacheReply, CacheRequest } from './exchange.ts';
import type { Protocol } from './protocol.ts';

const servicePath = '/twirp/github.actions.results.api.v1.CacheService/';

const calls = {
  CreateCacheEntry: 'create',
  FinalizeCacheEntryUpload: 'finalize',
  GetCacheEntryDownloadURL: 'look-up',
} as const;

const isCall = (name: string): name is keyof typeof calls => Object.hasOwn(calls, name);

const named = z.looseObject({ key: z.string().min(1).max(512), version: z.string().min(1) });
const finalizing = named.extend({ size_bytes: z.string().regex(/^\d+$/) });
const searching = named.extend({ restore_keys: z.array(z.string()).max(9).default([]) });

/** An error as the service's protocol, Twirp, writes it. */
function twirpError(status: number, code: string, msg: string): CacheReply {
  return { status, headers: { 'content-type': 'application/json' }, body: { code, msg } };
}

function ok(body: object): CacheReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

const malformed = () => twirpError(400, 'malformed', 'the json request could not be decoded');

/** The protocol of GitHub's own cache: three calls by Twirp, with the names of fields as it writes them. */
export function newerProtocol(entries: CacheEntries, access: Access, sign: SignUrl): Protocol {
  const writeScope = () => access.scopes[0] ?? 'refs/heads/main';
  const service = {
    create(body: unknown): CacheReply {
      const { data } = named.safeParse(body);
      if (data === undefined) return malformed();
      if (access.permission !== 'write') {
        return ok({ ok: false, message: 'cache write denied: this token may not write' });
      }
      const entry = entries.reserve({ ...data, scope: writeScope() });
      if (entry === undefined) return twirpError(409, 'already_exists', 'this entry exists');
      return ok({ ok: true, signed_upload_url: sign(entry, 'upload') });
    },
    finalize(body: unknown): CacheReply {
      const { data } = finalizing.safeParse(body);
      if (data === undefined) return malformed();
      const entry = entries.named({ ...data, scope: writeScope() });
      if (entry?.content === undefined) return twirpError(404, 'not_found', 'no such upload');
      if (entry.content.length !== Number(data.size_bytes)) {
        return ok({ ok: false, message: 'the upload has another size' });
      }
      entry.complete = true;
      return ok({ ok: true, entry_id: String(entry.id) });
    },
    'look-up'(body: unknown): CacheReply {
      const { data } = searching.safeParse(body);
      if (data === undefined) return malformed();
      if (access.permission === 'none') {
        return twirpError(403, 'permission_denied', 'cache read denied: no readable scope');
      }
      const { key, restore_keys: others, version } = data;
      const entry = entries.find({ scopes: access.scopes, keys: [key, ...others], version });
      if (entry === undefined) return ok({ ok: false });
      const signed_download_url = sign(entry, 'download');
      return ok({ ok: true, signed_download_url, matched_key: entry.key });
    },
  };
  return {
    variables: (origin) => ({
      ACTIONS_CACHE_SERVICE_V2: 'True',
      ACTIONS_RESULTS_URL: `${origin}/`,
    }),
    operationOf: (method, { pathname }) => {
      const name = pathname.startsWith(servicePath) ? pathname.slice(servicePath.length) : '';
      return method === 'POST' && isCall(name) ? calls[name] : undefined;
    },
    refuseToken: () => twirpError(401, 'unauthenticated', 'the token is not valid'),
    carryOut: (operation, { body }: CacheRequest) => {
      // A content goes to the store, not to the service.
      if (operation === 'upload') return malformed();
      return service[operation](JSON.parse(body.toString()));
    },
  };
}
