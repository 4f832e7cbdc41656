import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { basicCredentials } from '../git/basic-credentials.ts';
import { protection, writeHooks } from '../git/protection.ts';
import { type GitHome, serveGit } from '../git/smart-http.ts';
import { sameText } from './credentials.ts';
import { type Reply, type StreamBody, text } from './reply.ts';
import type { OpenRequest, Surface } from './request.ts';
import type { World } from './world.ts';

/** The path below which repositories are served. */
export const repositoriesPath = '/git/';

/** The projects' git repositories over smart HTTP, for who has the token. */
export class Repositories implements Surface<OpenRequest> {
  readonly #world: World;
  #hooks: Promise<string> | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  operation(): string {
    return 'git';
  }

  async respond(request: OpenRequest): Promise<Reply> {
    if (!this.#admits(request)) {
      const refusal = text(401, 'text/plain', 'The password is the token.\n');
      const challenge = { 'www-authenticate': 'Basic realm="git"' };
      return { ...refusal, headers: { ...refusal.headers, ...challenge } };
    }
    const below = `/${request.path.slice(repositoriesPath.length)}`;
    const project = this.#world.projects.find(({ id }) => below.startsWith(`/${id}.git/`));
    const repository = await project?.repository.ready();
    repository?.write();
    const home = await this.#home();
    const serve = () => serveGit({ ...request, path: below }, home);
    if (!below.endsWith('/git-receive-pack')) {
      const { body, ...answer } = await serve();
      return { ...answer, body: streamed(body), effect: false };
    }
    const push = async (): Promise<Reply> => {
      const { body, ...answer } = await serve();
      const report = await buffer(body);
      // The report of a push names each reference that was changed so.
      return { ...answer, body: report, effect: report.includes('ok refs/') };
    };
    const isNoted = repository && this.#world.dialect.pushSeenAfterMs > 0;
    return isNoted ? await repository.notePush(push) : await push();
  }

  #admits({ headers }: OpenRequest): boolean {
    const { dialect, gitToken } = this.#world;
    if (dialect.gitAuth === 'none') return true;
    const { username, password } = basicCredentials(headers.authorization);
    const isKnown = dialect.gitUsername === null || dialect.gitUsername === username;
    return sameText(password, gitToken) && isKnown;
  }

  async #home(): Promise<GitHome> {
    const { root, signal, dialect } = this.#world;
    const { protectedBranches, largestPush, partialFetch, hostileText } = dialect;
    const settings = {
      'uploadpack.allowFilter': String(partialFetch),
      'receive.maxInputSize': String(largestPush ?? 0),
      ...(protectedBranches.length > 0 && { 'core.hooksPath': await this.#protect() }),
    };
    const variables = protection(protectedBranches, hostileText ?? '');
    return { root: path.join(root, 'git'), settings, variables, signal };
  }

  /** The folder of the hooks, which are written when they are first needed. */
  async #protect(): Promise<string> {
    const folder = path.join(this.#world.root, 'hooks');
    this.#hooks ??= writeHooks(folder).then(() => folder);
    return await this.#hooks;
  }
}

/** A body that is passed on as git writes it. */
function streamed(body: Readable): StreamBody {
  return async (to, signal) => {
    await pipeline(body, to, { signal, end: false });
    return 'end';
  };
}
