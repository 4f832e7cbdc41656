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

/** What git printed to standard error while it told of its HTTP requests. */
export interface ErrorOutput {
  /** The statuses of the other side's answers, in their order. */
  readonly statuses: readonly number[];
  /** What a proxy answered that was asked for a way to the other side; undefined if that came later, or none was. */
  readonly proxyStatus?: number | undefined;
  /** What git itself said, as it is: others' words may be among it. */
  readonly words: string;
}

/** A line of git's own trace: the time, the place in its source, and the text. */
const traced = /^\d\d:\d\d:\d\d\.\d+ [\w./\\-]+\.c:\d+ +(.*)$/;
const requestLine = /^=> Send header: (\S+) \S+ HTTP\//;
const statusLine = /^<= Recv header: HTTP\/[\d.]+ (\d{3})/;

/**
 * Git's last words where the other side asks for a name that we cannot add: we let git ask nobody, and the name is in
 * the header that was refused. They would say that none was sent.
 */
const unasked =
  /^fatal: could not read (?:Username|Password) for '[^']*': terminal prompts disabled$/;

/** True of a line that tells more than the trace does. */
const isTold = (line: string): boolean =>
  line.trim() !== '' && !line.startsWith('hint: ') && !unasked.test(line);

/** How many of git's last lines are told: what ended it stands there. */
const toldLines = 6;

/** The statuses in a trace, those of a proxy's apart. */
function readStatuses(traces: readonly string[]): Omit<ErrorOutput, 'words'> {
  const statuses: number[] = [];
  let isToProxy = false;
  let proxyStatus: number | undefined;
  for (const trace of traces) {
    const [, method] = requestLine.exec(trace) ?? [];
    if (method !== undefined) isToProxy = method === 'CONNECT';
    const [, status] = statusLine.exec(trace) ?? [];
    if (status === undefined) continue;
    proxyStatus = isToProxy ? Number(status) : undefined;
    if (!isToProxy) statuses.push(Number(status));
  }
  return { statuses, proxyStatus };
}

/** Takes the trace (`GIT_TRACE_CURL`) and git's own words apart. */
export function readErrorOutput(text: string): ErrorOutput {
  const traces: string[] = [];
  const said: string[] = [];
  for (const line of text.split(/[\r\n]+/)) {
    const [, trace] = traced.exec(line) ?? [];
    if (trace !== undefined) traces.push(trace);
    else if (isTold(line)) said.push(line);
  }
  return { ...readStatuses(traces), words: said.slice(-toldLines).join('\n') };
}
