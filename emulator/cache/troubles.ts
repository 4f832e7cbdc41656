import { storeRefusal } from './blobs.ts';
import type { CacheReply } from './exchange.ts';

/** A signed address that is used after its time. */
export const expired: CacheReply = storeRefusal(
  403,
  'AuthenticationFailed',
  'Signature not valid in the specified time frame',
);

/** More uploads than a repository may make in a minute. */
export const tooMany: CacheReply = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '60' },
  body: { code: 'resource_exhausted', msg: 'too many requests', message: 'too many requests' },
};

/** A key that is taken. */
export const exists: CacheReply = {
  status: 409,
  headers: { 'content-type': 'application/json' },
  body: { code: 'already_exists', msg: 'this entry exists', message: 'Cache already exists.' },
};

/** A page where JSON is due. */
export const page: CacheReply = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Unicorn!</title>',
};

/** A redirect that keeps the method. */
export function redirectTo(location: string): CacheReply {
  return { status: 307, headers: { location } };
}
