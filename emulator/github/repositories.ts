import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { basicCredentials } from '../git/basic-credentials.ts';
import { git } from '../git/git.ts';
import { type GitHome, type GitRequest, serveGit } from '../git/smart-http.ts';
import { emptyRepository, writeFiles } from '../git/template.ts';
import { type Access, mayUse, type Tokens } from './access.ts';
import type { GitHubRequest } from './exchange.ts';
import { changesBetween, readRefs } from './history.ts';
import { gitTroubleFor, type TroubleRule } from './trouble.ts';

/** How repositories are served; may be changed at any time. */
export type GitSettings = {
  readonly tokens: Tokens;
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

/** What GitHub lets a client of git ask for, beside whole branches; what it keeps of pull requests is its own. */
const offers = {
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
  'receive.hideRefs': 'refs/pull',
};

const refuse = (
  status: number,
  words: string,
  headers: Record<string, string> = {},
): NonNullable<GitReply> => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body: Readable.from([words]),
});

/** A push that changed something: the references as they were, and as they are. */
export type Push = {
  repository: string;
  folder: string;
  login: string;
  before: ReadonlyMap<string, string>;
  after: ReadonlyMap<string, string>;
};

/** The repositories that GitHub has, and their git over smart HTTP. */
export class Repositories {
  readonly #settings: GitSettings;
  readonly #closing = new AbortController();
  readonly #made = new Map<string, Promise<string>>();
  /** The repositories that take pushes, and what has to be over before the next one. */
  readonly #writable = new Map<string, Promise<unknown>>();
  #root: Promise<string> | null = null;
  /** Called with each push, whose answer waits for what it returns. */
  onPush: ((push: Push) => Promise<void>) | undefined;

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

  /** Copies what refspecs name from a repository of our own. It takes pushes then. */
  async copy(name: string, from: string, refspecs: readonly string[]): Promise<string> {
    const folder = await this.folder(name);
    const flags = ['--quiet', '--no-write-fetch-head', '--update-shallow'];
    await git([`--git-dir=${folder}`, 'fetch', ...flags, from, ...refspecs]);
    this.#writable.set(name, Promise.resolve());
    return folder;
  }

  /** The folder of a repository that takes pushes; undefined for any other. */
  servedFolder(name: string): Promise<string> | undefined {
    return this.#writable.has(name) ? this.folder(name) : undefined;
  }

  /** Those whose folder was asked for. */
  names(): string[] {
    return [...this.#made.keys()];
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
    const access = this.#accessOf(name, headers.authorization, `${service}${search}`);
    if (access !== undefined && 'status' in access) return { request, reply: access };
    const home = { root: await this.#folder(), settings: offers, signal: this.#closing.signal };
    const asked = { method, path: `/${name}.git${service}`, search, headers, body: incoming };
    if (service !== '/git-receive-pack' || access === undefined) {
      return { request, reply: await serveGit(asked, home) };
    }
    return { request, reply: await this.#receivePush(name, access, asked, home) };
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

  /** Whom a request's password stands for, undefined for anyone; or the answer that refuses it. */
  #accessOf(
    name: string,
    authorization: string | undefined,
    asked: string,
  ): Access | undefined | NonNullable<GitReply> {
    const { tokens, contents } = this.#settings;
    const { password } = basicCredentials(authorization);
    const challenge = { 'www-authenticate': 'Basic realm="GitHub"' };
    const isAnonymous = password === '';
    const access = tokens.of(password);
    const isPush = asked.includes('git-receive-pack');
    if (!isAnonymous && access === undefined) return refuse(401, 'Bad credentials\n', challenge);
    if (isAnonymous && (contents !== 'public' || this.#writable.has(name))) {
      return refuse(401, 'No password\n', challenge);
    }
    const isReader = access === undefined || mayUse(access, 'git', 'read');
    if (contents === 'none' || !isReader) {
      return refuse(403, 'Write access to repository not granted.\n');
    }
    const isWriter = access !== undefined && mayUse(access, 'git', 'write');
    if (isPush && !(isWriter && this.#writable.has(name))) {
      return refuse(403, 'Permission to push denied.\n');
    }
    return this.#made.has(name) ? access : refuse(404, 'Repository not found.\n');
  }

  /** Takes one push after the other, so that each is told of what it changed itself. */
  async #receivePush(
    repository: string,
    { login }: Access,
    asked: GitRequest,
    home: GitHome,
  ): Promise<GitReply> {
    const receive = async (): Promise<GitReply> => {
      const folder = await this.folder(repository);
      const before = await readRefs(folder);
      const { body, ...reply } = await serveGit(asked, home);
      const report = await buffer(body);
      const after = await readRefs(folder);
      const isChanged = changesBetween(before, after).length > 0;
      if (isChanged) await this.onPush?.({ repository, folder, login, before, after });
      return { ...reply, body: Readable.from([report]) };
    };
    const turn = (this.#writable.get(repository) ?? Promise.resolve()).then(receive);
    this.#writable.set(
      repository,
      turn.catch(() => undefined),
    );
    return await turn;
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
