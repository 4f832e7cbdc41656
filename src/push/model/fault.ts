/**
 * Why git failed to communicate with a remote:
 * - `credentials`, `forbidden`, `not-found`, `redirected`, `too-large`, `refused`: the remote responded so, and a retry
 *   does not help
 * - `proxy`: a proxy refused the connection
 * - `proxy-login`: a proxy requires a user name and a password
 * - `proxy-down`: the proxy does not respond
 * - `busy`, `broken`, `cut-off`: temporary. There was no connection, or it broke after the first response
 * - `too-much`: the remote sent more than our limits for git
 * - `no-commit`: the remote does not have the requested commit
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
  | 'proxy-login'
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
  407: 'proxy-login',
  408: 'busy',
  410: 'not-found',
  413: 'too-large',
  429: 'busy',
};

const byClass: Readonly<Record<number, GitFault>> = { 3: 'redirected', 4: 'refused', 5: 'busy' };

/** The C library's message for a full disk, at the end of a line of git's. */
const diskFull = /^(?:fatal|error): .*: No space left on device$/m;

/** Git's messages at a limit of its memory or of its files. */
const overBound =
  /^(?:fatal|error): .*(?:attempting to allocate \d+ over limit|out of memory|File too large|died of signal 25|malloc failed)/im;

/** Whether the connection to a proxy failed: then curl names the proxy, and git the remote. */
function isProxyDown(detail: string): boolean {
  const [, host, port] = /Failed to connect to (\S+) port (\d+)/.exec(detail) ?? [];
  const [, requested] = /unable to access '([^']+)'/.exec(detail) ?? [];
  const url = URL.parse(requested ?? '');
  if (host === undefined || url === null) return false;
  const usual = url.protocol === 'https:' ? '443' : '80';
  const own = url.hostname.replace(/^\[|\]$/g, '');
  return host !== own || port !== (url.port || usual);
}

/**
 * Why git failed. Its exit status is the same for all faults, so that the last HTTP status decides. If that is a success,
 * or there is none, git's messages decide.
 *
 * @param requested the requested commit, if any
 */
export function faultOf(
  { statuses, proxyStatus = 0, detail }: Pick<ErrorOutput, 'statuses' | 'proxyStatus' | 'detail'>,
  requested?: string,
): GitFault {
  if (proxyStatus === 407) return 'proxy-login';
  if (Math.floor(proxyStatus / 100) === 4) return 'proxy';
  const status = statuses.at(-1) ?? 0;
  const refusal = byStatus[status] ?? byClass[Math.floor(status / 100)];
  if (refusal !== undefined) return refusal;
  if (diskFull.test(detail)) return 'no-room';
  if (overBound.test(detail)) return 'too-much';
  if (isProxyDown(detail)) return 'proxy-down';
  const broken = statuses.length > 0 ? 'cut-off' : 'broken';
  if (requested === undefined) return broken;
  const errors = detail.split('\n').filter((line) => /^(?:fatal|error): /.test(line));
  return errors.some((line) => line.includes(requested)) ? 'no-commit' : broken;
}

/** Whether a retry may succeed. */
export const isPassing = (fault: GitFault): boolean =>
  ['busy', 'broken', 'cut-off', 'proxy-down'].includes(fault);

/** What git printed to standard error, its trace of HTTP requests included. */
export interface ErrorOutput {
  /** The HTTP statuses of the remote's responses, in order. */
  readonly statuses: readonly number[];
  /** A proxy's response to CONNECT, if that was the last response. */
  readonly proxyStatus?: number | undefined;
  /** Where the last response redirects to, as it is written there. */
  readonly location?: string | undefined;
  /** Git's own messages, not sanitized; they may contain text from the remote. */
  readonly detail: string;
  /** The lines that the remote printed, not sanitized. */
  readonly remarks: readonly string[];
}

/** The beginning of a line of git's trace: the time, and the position in git's source. */
const traceStart = String.raw`\d\d:\d\d:\d\d\.\d+ [\w./\\-]+\.c:\d+ `;
const traced = new RegExp(`^${traceStart} *(.*)$`);

const words = 'remote|fatal|error|warning|hint|BUG|send-pack|fetch-pack';

/** The beginning of a message of git's, or of text that it passes on from the remote. */
const messageStart = `(?:${words}|git): `;

/** A message, or the next line of one. */
const isMessage = new RegExp(`^(?:\\s|${messageStart})`);

/**
 * A line in which another process of git printed its own: the rest of the first, which may be half of a secret, is a
 * line without a known beginning. A word is no such sign after a space, a quote or a color.
 */
const interrupted = new RegExp(String.raw`${traceStart}|(?<!^|[\s:'"(\[]|\[[\d;]*m)(?:${words}): `);

const wholeStart = new RegExp(String.raw`[\r\n](?=${messageStart}|${traceStart})`);

/** A text whose start was cut off, from its first line with a known beginning: anything else may be part of a secret. */
export function fromWholeLine(text: string): string {
  const end = text.search(wholeStart);
  return end === -1 ? '' : text.slice(end + 1);
}
const requestLine = /^=> Send header: (\S+) \S+ HTTP\//;
const statusLine = /^<= Recv header: HTTP\/[\d.]+ (\d{3})/;
const locationLine = /^<= Recv header: location: (.*)$/i;

/**
 * Git's last message when the remote rejects our credentials. It is misleading: they were sent, but git tries to prompt for
 * others.
 */
const failedPrompt =
  /^fatal: could not read (?:Username|Password) for '[^']*': terminal prompts disabled$/;

/**
 * Separates the trace (`GIT_TRACE_CURL`) from git's own messages, of which only whole ones are kept: two processes of git
 * print to the same pipe.
 *
 * @param isOfSsh true if ssh prints, too, whose lines have no known beginning; a server gets no token by ssh
 */
export function readErrorOutput(text: string, isOfSsh = false): ErrorOutput {
  const statuses: number[] = [];
  let isToProxy = false;
  let proxyStatus: number | undefined;
  let location: string | undefined;
  const messages: string[] = [];
  for (const line of text.split(/[\r\n]+/)) {
    const [, trace] = traced.exec(line) ?? [];
    if (trace === undefined) {
      const isNoise = line.trim() === '' || line.startsWith('hint: ') || failedPrompt.test(line);
      if (!isNoise) messages.push(line);
      continue;
    }
    const [, method] = requestLine.exec(trace) ?? [];
    if (method !== undefined) isToProxy = method === 'CONNECT';
    location = locationLine.exec(trace)?.[1] ?? location;
    const [, status] = statusLine.exec(trace) ?? [];
    if (status === undefined) continue;
    location = undefined;
    proxyStatus = isToProxy ? Number(status) : undefined;
    if (!isToProxy) statuses.push(Number(status));
  }
  const whole = isOfSsh
    ? messages
    : messages.filter((line) => isMessage.test(line) && !interrupted.test(line));
  const remarks = whole.flatMap((line) => /^remote: (.*)$/.exec(line)?.[1] ?? []);
  // The cause is among the last lines.
  return { statuses, proxyStatus, location, detail: whole.slice(-6).join('\n'), remarks };
}
