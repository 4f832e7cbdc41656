import type { ReceivedRequest, Reply } from './exchange.ts';

/** How many logs are kept, the latest ones. */
const kept = 100;

/** The logs of the runs that were played, by the ids of the runs. */
export class RunLogs {
  readonly #lines = new Map<string, string[]>();

  /** Adds a line, which must be printable. */
  add(repository: string, run: number, line: string): void {
    const key = `${repository}/actions/runs/${run}`;
    const lines = this.#lines.get(key) ?? [];
    lines.push(line);
    this.#lines.set(key, lines);
    for (const oldest of this.#lines.keys()) {
      if (this.#lines.size <= kept) return;
      this.#lines.delete(oldest);
    }
  }

  /** The log at a path, without a slash at its front. Undefined if there is none. */
  at(path: string): string | undefined {
    return this.#lines
      .get(path)
      ?.map((line) => `${line}\n`)
      .join('');
  }
}

const route = /^\/([^/]+\/[^/]+\/actions\/runs\/\d+)(?:\/attempts\/\d+)?$/;

/** What a browser sees where GitHub has the page of a run: its log as text. Undefined for any other request. */
export function answerRunLog(
  { method, path, headers: { host = '' } }: ReceivedRequest,
  logs: RunLogs,
): Reply | undefined {
  const [, run] = route.exec(path) ?? [];
  if (method !== 'GET' || run === undefined) return undefined;
  // A page of another name may lead here by DNS (rebinding), and would read it.
  const log = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host) ? logs.at(run) : undefined;
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  };
  return log === undefined
    ? { status: 404, headers, body: 'The emulator has no log of this run.\n' }
    : { status: 200, headers, body: log };
}
