import { type Access, mayCall, type Tokens } from './access.ts';
import { answerProblems, requestProblems } from './conformance.ts';
import { documentationOf, type Match, matchOperation, type OperationId } from './description.ts';
import type { GitHubRequest, ReceivedRequest, Reply } from './exchange.ts';
import type { Handler } from './operation.ts';
import { allOperations } from './operations/all.ts';
import type { PullRequestChanges } from './pull-requests.ts';
import { failure, RequestRefusal } from './refusal.ts';
import type { World } from './state/world.ts';
import { type TroubleRule, troubleFor, troubleReplies } from './trouble.ts';

/** Called before a request has its effect, which waits for what it returns. */
export type Hook = (request: GitHubRequest) => unknown;

/** How requests are received; may be changed at any time. */
export type Settings = {
  readonly tokens: Tokens;
  /** Trouble from the next request on; undefined for none. */
  trouble: TroubleRule | undefined;
};

/** What is decided on a request: its operation, and the answer; no answer cuts the connection. */
export type Decision = { operationId: OperationId | undefined; reply: Reply | null };

/** Decides on each request: checks it, lets hooks and trouble have their way, and carries it out. */
export class Reception {
  /** What was wrong with requests and answers. Each made its request end with status 500, or 404 if there is no such operation. */
  readonly violations: string[] = [];
  readonly #hooks = new Map<OperationId, Hook[]>();
  /** What takes effect once the next request is decided on. */
  readonly #late: (() => Promise<unknown>)[] = [];
  readonly #world: World;
  readonly #settings: Settings;
  readonly #handlers: Record<OperationId, Handler>;

  constructor(world: World, settings: Settings, changes: PullRequestChanges) {
    this.#world = world;
    this.#settings = settings;
    this.#handlers = allOperations(world, changes);
  }

  /** Calls back before each request for an operation has its effect, after it was found to be allowed. */
  on(operationId: OperationId, hook: Hook): void {
    this.#hooks.set(operationId, [...(this.#hooks.get(operationId) ?? []), hook]);
  }

  /** Decides on a request. Never throws. */
  async receive(received: ReceivedRequest): Promise<Decision> {
    const late = this.#late.splice(0);
    const decision = await this.#receive(received);
    for (const carryOut of late) await carryOut();
    return decision;
  }

  async #receive(received: ReceivedRequest): Promise<Decision> {
    const { method, path } = received;
    const match = matchOperation(method, this.#world.namedPath(path));
    if (match === undefined) {
      const reply = this.#violation(`404: the emulator has no ${method} ${path}`, 404);
      return { operationId: undefined, reply };
    }
    const { operationId } = match;
    try {
      return { operationId, reply: await this.#decide({ ...received, operationId }, match) };
    } catch (error) {
      return { operationId, reply: this.#violation(`${operationId}: ${String(error)}`) };
    }
  }

  async #decide(request: GitHubRequest, match: Match): Promise<Reply | null> {
    const { operationId } = match;
    const problems = requestProblems(match, request);
    if (problems.length > 0) return this.#violation(`${operationId}: ${problems.join('; ')}`);
    const access = accessOf(request, operationId, this.#settings.tokens);
    if ('status' in access) return this.#checked(operationId, access);
    for (const hook of this.#hooks.get(operationId) ?? []) await hook(request);
    return await this.#answer(request, match, access);
  }

  async #answer(request: GitHubRequest, match: Match, access: Access): Promise<Reply | null> {
    const { operationId } = match;
    const trouble = troubleFor(this.#settings.trouble, request);
    const carryOut = async () =>
      this.#checked(operationId, await this.#carryOut(request, match, access));
    if (typeof trouble === 'object') {
      const { effect, ...reply } = trouble;
      if (effect === true) await carryOut();
      return reply;
    }
    switch (trouble) {
      case undefined:
        return await carryOut();
      case 'reset':
        return null;
      case 'lost-answer':
        await carryOut();
        return null;
      case 'late':
        this.#late.push(carryOut);
        return null;
      case 'twice':
        await carryOut();
        return await carryOut();
      case 'empty-answer':
        return { status: (await carryOut()).status };
      default:
        return this.#checked(operationId, troubleReplies[trouble]());
    }
  }

  async #carryOut(
    request: GitHubRequest,
    { operationId, parameters }: Match,
    { login }: Access,
  ): Promise<Reply> {
    const repository = 'repo' in parameters ? `${parameters['owner']}/${parameters['repo']}` : '';
    const path = this.#world.namedPath(request.path);
    try {
      const call = { ...request, path, parameters, repository, login };
      return await this.#handlers[operationId](call);
    } catch (error) {
      if (error instanceof RequestRefusal) return failure(error, documentationOf(operationId));
      throw error;
    }
  }

  #checked(operationId: OperationId, reply: Reply): Reply {
    const problems = answerProblems(operationId, reply);
    if (problems.length === 0) return reply;
    return this.#violation(`${operationId}: ${problems.join('; ')}`);
  }

  #violation(text: string, status = 500): Reply {
    this.violations.push(text);
    return failure({ status, message: text });
  }
}

/** The version of the API that this emulates. GitHub answers 400 to others, and takes this one where none is named. */
const apiVersion = '2022-11-28';

/** What a request's token gives it; or GitHub's answer to one that may not be sent so. */
function accessOf(
  { headers, method }: GitHubRequest,
  operationId: OperationId,
  tokens: Tokens,
): Access | Reply {
  if (headers['user-agent'] === undefined) {
    return { status: 403, body: 'Request forbidden by administrative rules.' };
  }
  if ((headers['x-github-api-version'] ?? apiVersion) !== apiVersion) {
    return failure({ status: 400, message: `X-GitHub-Api-Version must be ${apiVersion}` });
  }
  const [, given] = /^(?:token|bearer) (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (given === undefined) return failure({ status: 401, message: 'Requires authentication' });
  const access = tokens.of(given);
  if (access === undefined) return failure({ status: 401, message: 'Bad credentials' });
  if (mayCall(access, operationId, method)) return access;
  return failure(
    { status: 403, message: 'Resource not accessible by integration' },
    documentationOf(operationId),
  );
}
