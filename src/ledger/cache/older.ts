import { firstString } from '../../kernel/json.ts';
import type { CacheProtocol } from './client.ts';
import type { Exchange } from './exchange.ts';
import { strangeAnswer } from './trouble.ts';

/** Below the service's address, which may name the run in its path. */
const base = '_apis/artifactcache/';

const accept = { accept: 'application/json;api-version=6.0-preview.1' };
const json = { ...accept, 'content-type': 'application/json' };

/**
 * The protocol that GitHub's cache spoke until 2025, as GitHub Enterprise Server, act, Gitea and Forgejo speak it.
 * Contents are sent to the service itself, and come from an address that needs no token.
 *
 * @param version names the form of our entries: those of another are not there for us
 */
export function olderProtocol(exchange: Exchange, version: string): CacheProtocol {
  return {
    find: async (prefix, signal) => {
      const name = 'the look-up';
      // Twice: a service that takes the first for a whole key finds the entry by its beginning then.
      const query = new URLSearchParams({ keys: `${prefix},${prefix}`, version });
      const path = `${base}cache?${query}`;
      const answer = await exchange.call({ name, method: 'GET', path, headers: accept }, signal);
      if (answer.status === 204) return undefined;
      const location = firstString(answer.json, ['archiveLocation']);
      if (location === undefined) throw strangeAnswer(name);
      const key = firstString(answer.json, ['cacheKey']) ?? '';
      return { key, address: exchange.signedAddress(location) };
    },
    save: async (key, text, signal) => {
      const size = Buffer.byteLength(text);
      const post = (name: string, path: string, fields: object) => {
        const body = JSON.stringify(fields);
        return exchange.call({ name, method: 'POST', path, headers: json, body }, signal);
      };
      const reserving = { key, version, cacheSize: size };
      const reserved = await post('the reservation', `${base}caches`, reserving);
      const id = reserved.json?.['cacheId'];
      if (!Number.isSafeInteger(id)) throw strangeAnswer('the reservation');
      const path = `${base}caches/${id}`;
      const headers = {
        ...accept,
        'content-type': 'application/octet-stream',
        'content-range': `bytes 0-${size - 1}/*`,
      };
      const upload = { name: 'the upload', method: 'PATCH', path, headers, body: text } as const;
      await exchange.call(upload, signal);
      await post('the commit', path, { size });
    },
  };
}
