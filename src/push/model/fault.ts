import type { ErrorOutput } from './error-output.ts';

/**
 * What kept git from talking to the other side:
 * - `credentials`, `forbidden`, `not-found`, `redirected`, `too-large`, `refused`: it answered so; to ask again
 *   does not help
 * - `proxy`: a proxy lets nothing through to it
 * - `proxy-down`: that proxy does not answer
 * - `busy`, `broken`, `cut-off`: it may pass. It could not be reached, or the connection broke after it had answered
 * - `too-much`: it sent more than a bound of ours lets git take
 * - `no-commit`: it does not have the commit that was asked for
 * - `no-room`: this machine's disk is full
 */
export type GitFault =
  | 'credentials'
  | 'forbidden'
  | 'not-found'
  | 'redirected'
  | 'too-large'
  | 'refused'
  | 'proxy'
  | 'busy'
  | 'broken'
  | 'cut-off'
  | 'too-much'
  | 'proxy-down'
  | 'no-commit'
  | 'no-room';

const byStatus: Readonly<Record<number, GitFault>> = {
  401: 'credentials',
  403: 'forbidden',
  404: 'not-found',
  407: 'proxy',
  408: 'busy',
  410: 'not-found',
  413: 'too-large',
  429: 'busy',
};

const byClass: Readonly<Record<number, GitFault>> = { 3: 'redirected', 4: 'refused', 5: 'busy' };

/** What the C library says when a disk is full, at the end of a line of git's own. */
const diskFull = /^(?:fatal|error): .*: No space left on device$/m;

/** What git says at a bound of its memory, or of what it may write. */
const overBound =
  /^(?:fatal|error): .*(?:attempting to allocate \d+ over limit|out of memory|File too large|died of signal 25|malloc failed)/im;

/** What curl says where nothing can be reached, with the host and the port that it tried. */
const noConnection = /Failed to connect to (\S+) port (\d+)/;

/** Whether a connection failed at a proxy: curl names the proxy then, and git the other side. */
function isProxyDown(words: string): boolean {
  const [, host, port] = noConnection.exec(words) ?? [];
  const [, asked] = /unable to access '([^']+)'/.exec(words) ?? [];
  const url = URL.parse(asked ?? '');
  if (host === undefined || url === null) return false;
  const usual = url.protocol === 'https:' ? '443' : '80';
  const own = url.hostname.replace(/^\[|\]$/g, '');
  return host !== own || port !== (url.port || usual);
}

/**
 * Why git failed. It has one exit status for all of these, so that the last HTTP status decides. Where that is
 * good, or there was none, git's words count for two things that no number tells: a full disk, and an error that
 * names the commit which was asked for.
 *
 * @param wanted the commit that was asked for, if one was
 */
export function faultOf(
  { statuses, proxyStatus = 0, words }: ErrorOutput,
  wanted?: string,
): GitFault {
  if (Math.floor(proxyStatus / 100) === 4) return 'proxy';
  const status = statuses.at(-1) ?? 0;
  const answered = byStatus[status] ?? byClass[Math.floor(status / 100)];
  if (answered !== undefined) return answered;
  if (diskFull.test(words)) return 'no-room';
  if (overBound.test(words)) return 'too-much';
  if (isProxyDown(words)) return 'proxy-down';
  const broken = statuses.length > 0 ? 'cut-off' : 'broken';
  if (wanted === undefined) return broken;
  const errors = words.split('\n').filter((line) => /^(?:fatal|error): /.test(line));
  return errors.some((line) => line.includes(wanted)) ? 'no-commit' : broken;
}

const passing: ReadonlySet<GitFault> = new Set(['busy', 'broken', 'cut-off', 'proxy-down']);

/** Whether the same may succeed a moment later. */
export const isPassing = (fault: GitFault): boolean => passing.has(fault);
