/** One request of a run. Times are in milliseconds since the epoch. */
export interface TimedRequest {
  host: string;
  operation: string;
  /** The connection that it came over, counted for each host. */
  connection: number;
  at: number;
  endedAt: number | null;
}

/** How many characters the bars have. */
const width = 60;

/** How many requests went to each host, over how many connections. */
function countByHost(requests: readonly TimedRequest[]): string {
  return [...Map.groupBy(requests, ({ host }) => host)]
    .map(([host, group]) => {
      const connections = new Set(group.map(({ connection }) => connection)).size;
      return `${host}: ${group.length} requests over ${connections} connections`;
    })
    .join('; ');
}

/**
 * Draws the requests of a run, a line for each: when it began and ended since the process was started, and a bar.
 *
 * @param start when the process was started, and `end` when it was over, in milliseconds since the epoch
 */
export function drawTimeline(
  requests: readonly TimedRequest[],
  { start, end }: { start: number; end: number },
): string {
  const column = (time: number) => Math.round(((time - start) / (end - start)) * width);
  const lines = requests
    .toSorted((a, b) => a.at - b.at)
    .map(({ host, operation, connection, at, endedAt }) => {
      const over = Math.min(endedAt ?? end, end);
      const from = Math.min(column(at), width - 1);
      const bar = '█'.repeat(Math.max(1, column(over) - from));
      const moments = [at, over].map((time) => String(Math.round(time - start)).padStart(5));
      const name = `${host} ${operation}`.slice(0, 44).padEnd(44);
      return `${name} #${connection} ${moments.join(' –')} ms  ${' '.repeat(from)}${bar}`.trimEnd();
    });
  return [...lines, countByHost(requests)].join('\n');
}
