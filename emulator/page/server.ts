import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Action, ActionError, GoneError } from './actions.ts';
import { isOwnPages, isToken, namesThisServer, protectiveHeaders } from './guard.ts';
import type { LivePages } from './live.ts';
import { type RequestQuery, readQuery, writeQuery } from './sections/requests.ts';

/** What the server serves. */
export interface Served {
  readonly port: number;
  readonly token: string;
  readonly live: LivePages;
  readonly actions: ReadonlyMap<string, Action>;
  /** The whole page. */
  render(query: RequestQuery): string;
  /** The page of a run, and its log as text; null if there is no such run. */
  renderRun(id: string): string | null;
  rawLog(id: string): string | null;
  /** The page of a commit of `owner/name`; null if there is none. */
  renderCommit(repository: string, sha: string): Promise<string | null>;
  /** Takes what a button did, or why it did not, and the id of the element that shows it. */
  report(text: string, isError: boolean, place: string): void;
}

const types = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  text: 'text/plain; charset=utf-8',
} as const;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.5" fill="none" stroke="#1a7f37" stroke-width="2"/><circle cx="8" cy="8" r="3" fill="#1a7f37"/></svg>`;

const files: Readonly<Record<string, readonly [type: keyof typeof types, content: string]>> = {
  '/client.js': ['js', readFileSync(new URL('client.js', import.meta.url), 'utf8')],
  '/icon.svg': ['svg', icon],
  '/favicon.ico': ['svg', icon],
};

function send(
  response: ServerResponse,
  status: number,
  type: keyof typeof types,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { ...protectiveHeaders, 'content-type': types[type], ...headers })
    .end(body);
}

/** Answers a request for the page, or of it. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
): Promise<void> {
  if (!namesThisServer(request, served.port)) {
    send(response, 403, 'text', `Open http://127.0.0.1:${served.port}/ instead.\n`);
    return;
  }
  const url = new URL(request.url ?? '/', 'http://page');
  if (request.method === 'POST') await press(request, response, url, served);
  else if (request.method === 'GET') await show(response, url, served);
  else send(response, 405, 'text', 'Only GET and POST.\n', { allow: 'GET, POST' });
}

async function show(
  response: ServerResponse,
  { pathname, searchParams }: URL,
  served: Served,
): Promise<void> {
  const query = readQuery(searchParams);
  const file = files[pathname];
  if (pathname === '/') send(response, 200, 'html', served.render(query));
  else if (pathname === '/events') {
    response.writeHead(200, { ...protectiveHeaders, 'content-type': 'text/event-stream' });
    served.live.connect(response, query, searchParams.get('run'));
  } else if (file !== undefined) send(response, 200, ...file);
  else await showOne(response, pathname, served);
}

/** Shows the page of one run or commit. */
async function showOne(response: ServerResponse, path: string, served: Served): Promise<void> {
  const [, run = '', log] = /^\/runs\/(\d+)(\/log\.txt)?$/.exec(path) ?? [];
  const [, repository = '', sha = ''] =
    /^\/commits\/([\w.-]+\/[\w.-]+)\/([0-9a-f]{40})$/.exec(path) ?? [];
  const text = log === undefined ? null : served.rawLog(run);
  const page = run === '' ? await served.renderCommit(repository, sha) : served.renderRun(run);
  if (text !== null) send(response, 200, 'text', text);
  else if (page !== null) send(response, 200, 'html', page);
  else send(response, 404, 'text', 'The emulator has nothing here.\n');
}

/** Carries out what a button does, if this page's own was pressed. */
async function press(
  request: IncomingMessage,
  response: ServerResponse,
  { pathname }: URL,
  { token, actions, report }: Served,
): Promise<void> {
  const action = actions.get(pathname.replace(/^\/actions\//, ''));
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const refuse = (status: number, words: string) =>
    send(response, status, 'text', words, { connection: 'close' });
  if (!isOwnPages(request)) return refuse(403, 'Only the page itself can press its buttons.\n');
  if (action === undefined) return refuse(404, 'Not found.\n');
  if (isForm !== true) return refuse(415, 'Only forms.\n');
  const body = await readBody(request);
  if (body === null) return refuse(413, 'Too long.\n');
  const fields = Object.fromEntries(new URLSearchParams(body));
  if (!isToken(fields['token'] ?? '', token)) {
    return refuse(403, 'This page is of an earlier emulator: reload it.\n');
  }
  const place = fields['place'] ?? 'notice';
  await carryOut(action, fields, (text, isError, at = place) => report(text, isError, at));
  const location = `/${queryOf(request)}#${encodeURIComponent(place)}`;
  send(response, 303, 'text', '', { location });
}

async function carryOut(
  action: Action,
  fields: Readonly<Record<string, string>>,
  report: (text: string, isError: boolean, place?: string) => void,
): Promise<void> {
  try {
    report(await action(fields), false);
  } catch (error) {
    if (error instanceof z.ZodError) report('Nothing was done: the form is not complete.', true);
    else if (error instanceof GoneError) report(error.message, true, 'notice');
    else if (error instanceof ActionError) report(error.message, true);
    else throw error;
  }
}

const largestForm = 256 * 1024;

/** The body of a form, or null if it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > largestForm) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** What the page that a form was on asks for of the requests. */
function queryOf({ headers: { referer = '' } }: IncomingMessage): string {
  return URL.canParse(referer) ? writeQuery(readQuery(new URL(referer).searchParams)) : '';
}
