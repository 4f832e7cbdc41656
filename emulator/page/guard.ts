import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { style } from './style.ts';

/** Names of this machine that lead to the loopback interface. A page of another name is another's. */
const ownHosts = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a request names this machine and this port as its host. A foreign name may lead here by DNS (rebinding): a
 * page of that name would then be of the same origin as ours.
 */
export const namesThisServer = ({ headers }: IncomingMessage, port: number): boolean =>
  ownHosts.some((host) => headers.host === `${host}:${port}`);

/** Whether a request was sent by a page of its own host, as the browser says. Without a word on it, it was not. */
export function isOwnPages({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined ? site !== undefined : origin === `http://${host}`;
}

/** Compares a given token with the page's in constant time. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(token));
}

/** Nothing but what this server serves is loaded, run, sent to, or put around it. */
export const protectiveHeaders: OutgoingHttpHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // It is in the page, which is painted one round trip earlier so.
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Not `no-referrer`, by which a form's request would not name its origin.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};
