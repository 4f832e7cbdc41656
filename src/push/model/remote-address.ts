import { isLoopback } from '../../contract/base-url.ts';

/** Where a repository is, without credentials, and the credentials that were written into its address. */
export interface RemoteAddress {
  readonly protocol: 'https' | 'http' | 'ssh';
  /** Without credentials; of `ssh`, with the user. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

const advice = 'use https://host/path, ssh://user@host/path, or http on this machine itself';

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** What is wrong with an address that can be read, or null. */
function problemOf(url: URL): string | null {
  const isKnown = ['https:', 'ssh:', 'http:'].includes(url.protocol);
  // Without slashes it may be no protocol but a user, or a token.
  if (!isKnown && !url.href.includes('://')) return `names no protocol: ${advice}`;
  if (!isKnown) return `has the protocol \`${url.protocol}\`: ${advice}`;
  if (url.protocol === 'http:' && !isLoopback(url)) return `is not encrypted: ${advice}`;
  // A host that starts with a dash would be an option of ssh.
  if (!/^[^-]/.test(url.hostname)) return `names no host: ${advice}`;
  // The parser's own `search` and `hash` are empty for a lone mark.
  if (/[?#]/.test(url.href)) return 'has a query or a fragment, which no repository has';
  if (url.pathname.length < 2) return 'names no repository: its path is empty';
  if (url.protocol === 'ssh:' && url.password !== '')
    return 'holds a password, which ssh does not take: give ssh a key';
  return null;
}

/**
 * Reads the address of a repository, and takes credentials out of it.
 *
 * @returns the address, or in words what is wrong with it; the words do not quote it, for it may hold a password
 */
export function readRemoteAddress(text: string): RemoteAddress | { problem: string } {
  // A URL's parser would drop these in silence.
  const hasSpace = /[\s\p{Cc}]/u.test(text);
  const url = hasSpace ? null : URL.parse(text);
  if (url === null) return { problem: `is not a URL: ${advice}` };
  const problem = problemOf(url);
  if (problem !== null) return { problem };
  const [username, password] = [decoded(url.username), decoded(url.password)];
  if (username === null || password === null)
    return { problem: 'holds a malformed user or password' };
  const protocol = url.protocol.slice(0, -1) as RemoteAddress['protocol'];
  if (protocol !== 'ssh') {
    url.username = '';
    url.password = '';
  }
  return { protocol, url: url.href, username, password };
}
