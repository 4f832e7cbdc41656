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
