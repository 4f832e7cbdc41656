import { firstString, type JsonObject } from '../../kernel/json.ts';
import type { CacheProtocol } from './client.ts';
import type { Exchange } from './exchange.ts';
import { strangeAnswer } from './trouble.ts';

/** Where the service's calls are; a path within its address counts for nothing. */
const service = '/twirp/github.actions.results.api.v1.CacheService/';

/** Whether an object is an answer of the service: it says yes or no, or is an empty no. */
const isAnswer = (json: JsonObject): boolean =>
  typeof json['ok'] === 'boolean' || Object.keys(json).length === 0;

/**
 * The protocol of GitHub's own cache: JSON over Twirp, with the protocol's names of fields, in which whole numbers
 * are texts and a false `ok` may be left out. Contents go to and come from signed addresses.
 *
 * @param version names the form of our entries: those of another are not there for us
 */
export function newerProtocol(exchange: Exchange, version: string): CacheProtocol {
  const call = async (name: string, fields: object, signal: AbortSignal): Promise<JsonObject> => {
    const { json } = await exchange.call(
      {
        name,
        method: 'POST',
        path: `${service}${name}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...fields, version }),
      },
      signal,
    );
    if (json === undefined || !isAnswer(json)) throw strangeAnswer(name);
    return json;
  };
  /** The address in a field of an answer. */
  const addressIn = (name: string, answer: JsonObject, field: string): URL => {
    const text = firstString(answer, [field]);
    if (text === undefined) throw strangeAnswer(name);
    return exchange.signedAddress(text);
  };
  return {
    find: async (prefix, signal) => {
      const name = 'GetCacheEntryDownloadURL';
      // Twice: a service that takes the key for a whole one finds the entry by its beginning then.
      const found = await call(name, { key: prefix, restore_keys: [prefix] }, signal);
      if (found['ok'] !== true) return undefined;
      const key = firstString(found, ['matched_key']) ?? '';
      return { key, address: addressIn(name, found, 'signed_download_url') };
    },
    save: async (key, text, signal) => {
      const created = await call('CreateCacheEntry', { key }, signal);
      if (created['ok'] !== true) throw exchange.refusal('CreateCacheEntry', created);
      const address = addressIn('CreateCacheEntry', created, 'signed_upload_url');
      await exchange.upload(address, text, signal);
      const name = 'FinalizeCacheEntryUpload';
      const size = String(Buffer.byteLength(text));
      const done = await call(name, { key, size_bytes: size }, signal);
      if (done['ok'] !== true) throw exchange.refusal(name, done);
    },
  };
}
