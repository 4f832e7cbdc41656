import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { basicCredentials } from '../git/basic-credentials.ts';
import { serveGit } from '../git/smart-http.ts';
import { emptyRepository, writeFiles } from '../git/template.ts';
import type { GitHubRequest } from './exchange.ts';
import { gitTroubleFor, type TroubleRule } from './trouble.ts';

/** How repositories are served; may be changed at any time. */
export type GitSettings = {
  readonly token: string;
  trouble: TroubleRule | undefined;
  /** Who may read the repositories by git: anybody, who has the token, or not even they (no `contents: read`). */
  contents: 'public' | 'token' | 'none';
  /** Called before each request of git is answered, which waits for what it returns. */
  onGit: ((request: GitHubRequest) => unknown) | undefined;
  /** After how many bytes each of the next packs that are sent breaks off. */
  brokenPacks: number[];
};

/** An answer to git; null cuts the connection instead. */
export type GitReply = { status: number; headers: Record<string, string>; body: Readable } | null;

const gitPath = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/(?:info\/refs|git-upload-pack|git-receive-pack))$/;

/** What GitHub lets a client of git ask for, beside whole branches. */
const offers = { 'uploadpack.allowFilter': 'true', 'uploadpack.allowAnySHA1InWant': 'true' };

const refuse = (status: number, words: string, headers: Record<string, string> = {}): GitReply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body: Readable.from([words]),
});

/** The repositories that GitHub has, and their git over smart HTTP. */
export class Repositories {
  readonly #settings: GitSettings;
  readonly #closing = new AbortController();
  readonly #made = new Map<string, Promise<string>>();
  #root: Promise<string> | null = null;

  constructor(settings: GitSettings) {
    this.#settings = settings;
  }

  /** The folder of a repository's bare repository, made and empty when it is first asked for. */
  folder(name: string): Promise<string> {
    const earlier = this.#made.get(name);
    if (earlier) return earlier;
    const making = this.#make(name);
    this.#made.set(name, making);
    return making;
  }

  /** Whether a request is git's. */
  serves(incoming: IncomingMessage): boolean {
    return gitPath.test(urlOf(incoming).pathname);
  }

  /** Decides on a request, whose body is read as git works on it. */
  async receive(incoming: IncomingMessage): Promise<{ request: GitHubRequest; reply: GitReply }> {
    const { pathname, search, searchParams } = urlOf(incoming);
    const { method = '', headers } = incoming;
    const query = Object.fromEntries(searchParams);
    const head = { method, path: pathname, query, headers };
    const request = { ...head, body: undefined, operationId: undefined };
    await this.#settings.onGit?.(request);
    const trouble = gitTroubleFor(this.#settings.trouble, request);
    if (trouble === null) return { request, reply: null };
    if (trouble) return { request, reply: refuse(trouble.status, 'trouble\n', trouble.headers) };
    const [, name = '', service = ''] = gitPath.exec(pathname) ?? [];
    const refusal = this.#refusal(name, headers.authorization, `${service}${search}`);
    if (refusal !== undefined) return { request, reply: refusal };
    const home = { root: await this.#folder(), settings: offers, signal: this.#closing.signal };
    const asked = { method, path: `/${name}.git${service}`, search, headers, body: incoming };
    return { request, reply: await serveGit(asked, home) };
  }

  /** Sends an answer; packs break off as the settings have it. */
  async send(incoming: IncomingMessage, response: ServerResponse, reply: GitReply): Promise<void> {
    if (reply === null) {
      response.destroy();
      return;
    }
    const { status, headers, body } = reply;
    const isPack = urlOf(incoming).pathname.endsWith('/git-upload-pack');
    const bytes = isPack ? this.#settings.brokenPacks.shift() : undefined;
    response.writeHead(status, headers);
    if (bytes === undefined) await pipeline(body, response);
    else await sendFirst(body, bytes, response);
  }

  /** Ends git where it still works, and removes all files. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#root === null) return;
    await Promise.allSettled(this.#made.values());
    rmSync(await this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  #refusal(name: string, authorization: string | undefined, asked: string): GitReply | undefined {
    const { token, contents } = this.#settings;
    const { password } = basicCredentials(authorization);
    const challenge = { 'www-authenticate': 'Basic realm="GitHub"' };
    const isAnonymous = password === '';
    if (!isAnonymous && password !== token) return refuse(401, 'Bad credentials\n', challenge);
    if (isAnonymous && contents !== 'public') return refuse(401, 'No password\n', challenge);
    if (contents === 'none') return refuse(403, 'Write access to repository not granted.\n');
    if (asked.includes('git-receive-pack')) return refuse(403, 'Permission to push denied.\n');
    return this.#made.has(name) ? undefined : refuse(404, 'Repository not found.\n');
  }

  async #make(name: string): Promise<string> {
    const folder = path.join(await this.#folder(), `${name}.git`);
    const files = await emptyRepository();
    this.#closing.signal.throwIfAborted();
    for (const needed of ['objects', 'refs'])
      mkdirSync(path.join(folder, needed), { recursive: true });
    writeFiles(folder, files);
    return folder;
  }

  #folder(): Promise<string> {
    this.#root ??= mkdtemp(path.join(tmpdir(), 'github-'));
    return this.#root;
  }
}

const urlOf = ({ url = '/' }: IncomingMessage) => new URL(url, 'http://github');

/** Sends the first bytes of a body and then ends the connection: not before they are on their way. */
async function sendFirst(body: AsyncIterable<Buffer>, bytes: number, response: ServerResponse) {
  let left = bytes;
  for await (const chunk of body) {
    const part = chunk.subarray(0, left);
    left -= part.length;
    await new Promise((resolve) => response.write(part, resolve));
    if (left === 0) {
      response.destroy();
      return;
    }
  }
  response.end();
}
