import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Reply, text } from './reply.ts';
import type { RequestHead, Surface, WholeRequest } from './request.ts';
import type { World } from './world.ts';

/** The path below which each site is served too, for clients that cannot resolve its host. */
export const sitesPath = '/sites/';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
};

/** The deployed sites, found by the host that a request names or by the project's id in the path. */
export class Sites implements Surface {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  operation(): string {
    return 'site';
  }

  async respond(request: WholeRequest): Promise<Reply> {
    const found = this.#find(request);
    if (found === null) {
      return text(404, 'text/plain', 'There is no site at this address.\n');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const refusal = text(405, 'text/plain', 'A site accepts only GET and HEAD.\n');
      return { ...refusal, headers: { ...refusal.headers, allow: 'GET, HEAD' } };
    }
    if (found.folder === null) return text(503, 'text/plain', 'not deployed yet\n');
    return await servePage(found.folder, found.path);
  }

  #find({ host, path: whole }: RequestHead): { folder: string | null; path: string } | null {
    const byHost = this.#world.projectAt(host);
    if (byHost) return { folder: byHost.served, path: whole };
    if (!whole.startsWith(sitesPath)) return null;
    const [id = '', ...rest] = whole.slice(sitesPath.length).split('/');
    const byPath = this.#world.projects.find((project) => project.id === id);
    return byPath ? { folder: byPath.served, path: `/${rest.join('/')}` } : null;
  }
}

async function servePage(folder: string, wanted: string): Promise<Reply> {
  const file = locate(folder, wanted);
  const page = file === null ? null : await readPage(file, 200);
  const missing = page ?? (await readPage(path.join(folder, '404.html'), 404));
  return missing ?? text(404, 'text/plain', 'not found\n');
}

/** The file that a path means, or null if it is malformed or leads out of the folder. */
function locate(folder: string, wanted: string): string | null {
  const decoded = decode(wanted);
  if (decoded === null || /[\0\\]/.test(decoded)) return null;
  if (decoded.split('/').includes('..')) return null;
  return path.join(folder, decoded.endsWith('/') ? `${decoded}index.html` : decoded);
}

function decode(wanted: string): string | null {
  try {
    return decodeURIComponent(wanted);
  } catch {
    return null;
  }
}

async function readPage(file: string, status: number): Promise<Reply | null> {
  const body = await readFile(file).catch(() => null);
  if (body === null) return null;
  const type = contentTypes[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
  return {
    status,
    headers: { 'content-type': type, 'cache-control': 'no-store' },
    body,
    effect: false,
  };
}
