import { z } from 'zod';
import type { CacheEntries, CacheEntry } from './entries.ts';
import type { CacheReply } from './exchange.ts';

/** What a run's token allows; may be changed at any time. */
export interface Access {
  /** The scopes that are read, in this order. The first is the one that is written to. */
  scopes: readonly string[];
  /** Read-only is what a run gets that an untrusted event started; none, if it may not even read. */
  permission: 'write' | 'read' | 'none';
}

/** Where the content of an entry is put or fetched, with a signature in the query. */
export type SignUrl = (entry: CacheEntry, purpose: 'download' | 'upload') => string;

const named = z.looseObject({ key: z.string().min(1).max(512), version: z.string().min(1) });
const finalizing = named.extend({ size_bytes: z.string().regex(/^\d+$/) });
const searching = named.extend({ restore_keys: z.array(z.string()).max(9).default([]) });

/** An error as the service's protocol, Twirp, writes it. */
export function twirpError(status: number, code: string, msg: string): CacheReply {
  return { status, headers: { 'content-type': 'application/json' }, body: { code, msg } };
}

function ok(body: object): CacheReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

const malformed = () => twirpError(400, 'malformed', 'the json request could not be decoded');

/** The three calls of `github.actions.results.api.v1.CacheService`, with the names of fields as in its protocol. */
export function createService(entries: CacheEntries, access: Access, sign: SignUrl) {
  const writeScope = () => access.scopes[0] ?? 'refs/heads/main';
  return {
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
      if (entry?.archive === undefined) return twirpError(404, 'not_found', 'no such upload');
      if (entry.archive.length !== Number(data.size_bytes)) {
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
}
