import type { GitHubStandIn } from '../../github/index.ts';
import type { DialectOptions, EmulatedProject, Emulator } from '../../index.ts';
import { openPage, type Page, type PageOptions } from '../../page/index.ts';
import type { RunHistory } from '../../workflow/run-history.ts';
import { start } from '../github/support.ts';
import { type Answer, sendTo, startWorld } from '../service/support.ts';

/** An emulator with one project, GitHub with pull request 7, and the page that shows them. */
export interface Watched extends AsyncDisposable {
  readonly emulator: Emulator;
  readonly project: EmulatedProject;
  readonly github: GitHubStandIn;
  readonly page: Page;
  /** The page's address without a slash at its end. */
  readonly url: string;
  /** The page as it is now. */
  read(path?: string): Promise<string>;
  /** Sends a request to the service with its key. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends a form as the page itself does; what is given wins. */
  press(
    action: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
}

/** The token that a page has in its forms. */
export const tokenIn = (html: string): string =>
  /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';

/** Opens the page of a small world. */
export async function watch(
  dialect: DialectOptions = {},
  options: PageOptions & { journalLimit?: number; history?: RunHistory } = {},
): Promise<Watched> {
  const { journalLimit, history, ...pageOptions } = options;
  const limit = journalLimit === undefined ? {} : { journalLimit };
  await using opening = new AsyncDisposableStack();
  const world = opening.use(await startWorld({ dialect, ...limit }));
  const github = opening.use(await start(limit));
  const { emulator, project } = world;
  const page = opening.use(
    await openPage({ emulator, github, ...(history && { history }) }, pageOptions),
  );
  const open = opening.move();
  const url = page.url.replace(/\/$/, '');
  const read = async (query = '') => (await sendTo(url, 'GET', `/${query}`, {})).text;
  let token: string | undefined;
  return {
    emulator,
    project,
    github,
    page,
    url,
    read,
    send: (method, path, body) => world.send(method, path, { body }),
    press: async (action, fields, headers = {}) => {
      token ??= tokenIn(await read());
      const body = new URLSearchParams({ token, ...fields }).toString();
      const own = { origin: url, 'content-type': 'application/x-www-form-urlencoded' };
      return await sendTo(url, 'POST', `/actions/${action}`, {
        body,
        headers: { ...own, ...headers },
      });
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** What the stream of a page tells, message by message. Leaving the loop closes it. */
export async function* updates(url: string, query = ''): AsyncGenerator<Update> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/events${query}`, { signal: leaving.signal });
  try {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        if (frame.startsWith('data: ')) yield JSON.parse(frame.slice('data: '.length));
      }
    }
  } finally {
    leaving.abort();
  }
}

/** One message of the stream. */
export interface Update {
  parts: { id: string; slot: string; after: string | null; html: string }[];
  removed: string[];
  requests?: { rows: { id: string; html: string }[]; removed: string[]; count: number };
}
