import path from 'node:path';
import { serveGit } from '../git/smart-http.ts';
import { sameText } from './credentials.ts';
import { type Reply, text } from './reply.ts';
import type { Surface, WholeRequest } from './request.ts';
import type { World } from './world.ts';

/** The path below which repositories are served. */
export const repositoriesPath = '/git/';

/** The projects' git repositories over smart HTTP. Any user may sign in; the password is the API key. */
export class Repositories implements Surface {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  operation(): string {
    return 'git';
  }

  async respond(request: WholeRequest): Promise<Reply> {
    const { key, root, signal } = this.#world;
    if (!sameText(password(request.headers.authorization), key)) {
      const refusal = text(401, 'text/plain', 'The password is the API key.\n');
      return {
        ...refusal,
        headers: { ...refusal.headers, 'www-authenticate': 'Basic realm="git"' },
      };
    }
    const below = `/${request.path.slice(repositoriesPath.length)}`;
    await this.#make(below);
    const answer = await serveGit({ ...request, path: below }, path.join(root, 'git'), signal);
    // The report of a push names each reference that was changed so.
    const effect = below.endsWith('/git-receive-pack') && answer.body.includes('ok refs/');
    return { ...answer, effect };
  }

  /** Makes the repository that a path leads to, if there is such a project and nobody needed it before. */
  async #make(below: string): Promise<void> {
    const project = this.#world.projects.find(({ id }) => below.startsWith(`/${id}.git/`));
    await project?.repository.ready();
  }
}

function password(authorization = ''): string {
  const [scheme = '', credentials = ''] = authorization.split(' ');
  if (scheme.toLowerCase() !== 'basic') return '';
  const decoded = Buffer.from(credentials, 'base64').toString();
  return decoded.slice(decoded.indexOf(':') + 1);
}
