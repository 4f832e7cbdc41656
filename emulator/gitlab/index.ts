import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type GitLabRequest,
  type JournalEntry,
  notFound,
  type Operation,
  Refusal,
  type Reply,
  readRequest,
  send,
} from './exchange.ts';
import { type Note, Notes, type Place, type WrittenNote } from './notes.ts';
import { type TroubleRule, troubleFor, troubleReplies } from './trouble.ts';

export type { GitLabRequest, JournalEntry, Reply } from './exchange.ts';
export type { Note, Place, WrittenNote } from './notes.ts';
export type { TroubleRule } from './trouble.ts';

/** The state of a merge request. */
export type MergeRequestState = 'opened' | 'closed' | 'merged' | 'locked';

/** Whom a token stands for, and what it may do. */
type Access = {
  username: string;
  /** `job`: a job's own token, which only reads. */
  kind: 'api' | 'read_api' | 'job';
};

/** A local server that stands for GitLab, as far as notes on merge requests need it. */
export type GitLabStandIn = AsyncDisposable & {
  /** The server's address, without a slash at its end: `CI_SERVER_URL`. */
  readonly url: string;
  /** `CI_API_V4_URL`. */
  readonly apiUrl: string;
  /** A token that may write notes, of the user `site-bot`. */
  readonly token: string;
  /** A job's own token, which may not. */
  readonly jobToken: string;
  /** What goes wrong from the next request on. */
  trouble: TroubleRule | undefined;
  /** Every request so far, in the order of the answers. */
  readonly journal: readonly JournalEntry[];
  /** What was wrong with requests, in sentences. Each made its request end with status 500. */
  readonly violations: readonly string[];
  /** What the quick actions in notes did. */
  readonly quickActions: readonly string[];
  /** Opens a merge request, or gives it another state: there are none at first. */
  openMergeRequest(place: Place, state?: MergeRequestState): void;
  /** The notes on one, oldest first. The list is live. */
  notes(place: Place): Note[];
  /** Adds notes in their order: what others wrote, or an earlier run. */
  addNotes(place: Place, written: Iterable<WrittenNote>): Note[];
  /** Makes a token. */
  issueToken(access: Access): string;
  /** Calls back before each request for an operation has its effect, which waits for what it returns. */
  on(operation: Operation, hook: (request: GitLabRequest) => unknown): void;
};

const mergeRequestPath = /^\/api\/v4\/projects\/(?<project>\d+)\/merge_requests\/(?<iid>\d+)$/;
const notesPath =
  /^\/api\/v4\/projects\/(?<project>\d+)\/merge_requests\/(?<iid>\d+)\/notes(?:\/(?<id>\d+))?$/;

const listMethods: Readonly<Record<string, Operation>> = {
  GET: 'notes/list',
  POST: 'notes/create',
};
const noteMethods: Readonly<Record<string, Operation>> = {
  GET: 'notes/get',
  PUT: 'notes/update',
  DELETE: 'notes/delete',
};

/** What a request asks for. */
function match(method: string, path: string) {
  if (path === '/api/v4/user' && method === 'GET') {
    return { operation: 'user/get' as const, place: undefined, id: 0 };
  }
  const whole = method === 'GET' ? mergeRequestPath.exec(path)?.groups : undefined;
  const { project, iid, id } = whole ?? notesPath.exec(path)?.groups ?? {};
  const ofNotes = (id === undefined ? listMethods : noteMethods)[method];
  const operation = whole === undefined ? ofNotes : 'merge-requests/get';
  if (project === undefined || operation === undefined) return undefined;
  return { operation, place: { project: Number(project), iid: Number(iid) }, id: Number(id) };
}

type Match = NonNullable<ReturnType<typeof match>>;

/** The token of a request, in either of the headers for it. */
const tokenOf = ({ headers }: GitLabRequest): string =>
  [headers['private-token']].flat()[0] ?? headers.authorization?.replace(/^bearer /i, '') ?? '';

/** GitLab's answer to a request that its token does not allow; undefined if it does. */
function refusalFor(operation: Operation, access: Access | undefined): Reply | undefined {
  const reads = ['notes/list', 'notes/get', 'merge-requests/get'].includes(operation);
  if (access === undefined || (access.kind === 'job' && !reads)) return troubleReplies.unauthorized;
  const mayWrite = access.kind === 'api' || reads || operation === 'user/get';
  return mayWrite ? undefined : troubleReplies.forbidden;
}

/** Decides on requests, and carries them out. */
class World {
  readonly notes = new Notes();
  readonly mergeRequests = new Map<string, MergeRequestState>();
  readonly tokens = new Map<string, Access>();
  readonly hooks: [Operation, (request: GitLabRequest) => unknown][] = [];
  readonly violations: string[] = [];
  readonly url: string;
  trouble: TroubleRule | undefined;

  constructor(url: string) {
    this.url = url;
  }

  /** Null cuts the connection. Never throws. */
  async receive(request: GitLabRequest, found: Match | undefined): Promise<Reply | null> {
    try {
      if (found !== undefined) return await this.#decide(request, found);
      return this.#violation(`404: the emulator has no ${request.method} ${request.path}`);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      return this.#violation(`${request.operation}: ${String(error)}`);
    }
  }

  async #decide(request: GitLabRequest, found: Match): Promise<Reply | null> {
    const access = this.tokens.get(tokenOf(request));
    const refusal = refusalFor(found.operation, access);
    if (refusal !== undefined || access === undefined) return refusal ?? null;
    for (const [operation, hook] of this.hooks) {
      if (operation === found.operation) await hook(request);
    }
    const trouble = troubleFor(this.trouble, request);
    if (typeof trouble === 'object') return trouble;
    if (trouble === 'reset') return null;
    if (trouble !== undefined && trouble !== 'lost-answer') return troubleReplies[trouble];
    const reply = this.#carryOut(request, found, access.username);
    return trouble === 'lost-answer' ? null : reply;
  }

  #carryOut({ query, body, path }: GitLabRequest, found: Match, username: string): Reply {
    const { operation, place, id } = found;
    if (place === undefined) return { status: 200, body: { id: 1, username } };
    const state = this.mergeRequests.get(`${place.project}!${place.iid}`);
    if (state === undefined) throw notFound('Not');
    switch (operation) {
      case 'merge-requests/get':
        return { status: 200, body: { iid: place.iid, project_id: place.project, state } };
      case 'notes/list':
        return this.notes.list(place, query, `${this.url}${path}`);
      case 'notes/create':
        return this.notes.create(place, username, body);
      case 'notes/update':
        return this.notes.update(place, id, username, body);
      case 'notes/delete':
        return this.notes.delete(place, id, username);
      default:
        return { status: 200, body: this.notes.get(place, id) };
    }
  }

  #violation(text: string): Reply {
    this.violations.push(text);
    return { status: 500, body: { message: text } };
  }
}

/** Starts the stand-in on a free port of the loopback interface. Disposing of it stops it. */
export async function startGitLab(): Promise<GitLabStandIn> {
  const server = createServer({ keepAliveTimeout: 0 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world = new World(url);
  const journal: JournalEntry[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await readRequest(incoming);
    const found = match(received.method, received.path);
    const request: GitLabRequest = { ...received, operation: found?.operation };
    const reply = await world.receive(request, found);
    journal.push({ ...request, status: reply?.status ?? null });
    if (reply === null) response.destroy();
    else send(response, reply);
  };
  server.on('request', (incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  const issueToken = (access: Access): string => {
    const token = `fake-gitlab-${access.kind}-${world.tokens.size + 1}`;
    world.tokens.set(token, access);
    return token;
  };
  return {
    url,
    apiUrl: `${url}/api/v4`,
    token: issueToken({ username: 'site-bot', kind: 'api' }),
    jobToken: issueToken({ username: 'octocat', kind: 'job' }),
    get trouble() {
      return world.trouble;
    },
    set trouble(rule) {
      world.trouble = rule;
    },
    journal,
    violations: world.violations,
    quickActions: world.notes.quickActions,
    openMergeRequest: ({ project, iid }, state = 'opened') => {
      world.mergeRequests.set(`${project}!${iid}`, state);
    },
    notes: (place) => world.notes.of(place),
    addNotes: (place, written) => Array.from(written, (one) => world.notes.add(place, one)),
    issueToken,
    on: (operation, hook) => {
      world.hooks.push([operation, hook]);
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
