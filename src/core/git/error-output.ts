/** What git printed to standard error while it told of its HTTP requests. */
export interface ErrorOutput {
  /** The statuses of the answers, in their order. */
  readonly statuses: readonly number[];
  /** What git itself said, as it is: others' words may be among it. */
  readonly words: string;
}

/** A line of git's own trace: the time, the place in its source, and the text. */
const traced = /^\d\d:\d\d:\d\d\.\d+ [\w./\\-]+\.c:\d+ +(.*)$/;
const statusLine = /^<= Recv header: HTTP\/[\d.]+ (\d{3})/;

/** How many of git's last lines are told: what ended it stands there. */
const toldLines = 6;

/** Takes the trace (`GIT_TRACE_CURL`) and git's own words apart. */
export function readErrorOutput(text: string): ErrorOutput {
  const statuses: number[] = [];
  const said: string[] = [];
  for (const line of text.split(/[\r\n]+/)) {
    const [, trace] = traced.exec(line) ?? [];
    const [, status] = trace === undefined ? [] : (statusLine.exec(trace) ?? []);
    if (status !== undefined) statuses.push(Number(status));
    if (trace === undefined && line.trim() !== '' && !line.startsWith('hint: ')) said.push(line);
  }
  return { statuses, words: said.slice(-toldLines).join('\n') };
}
