import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A registry of npm packages on this machine, which has one package. */
export interface Registry extends AsyncDisposable {
  /** Ends with a slash. */
  url: string;
  /** The paths that were requested. */
  requested: string[];
}

/** Writes a package with a command. */
export function writePackage(folder: string, name: string, version: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest = { name, version, bin: { [name]: 'bin.cjs' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'bin.cjs'), `#!/usr/bin/env node\n${script}`, { mode: 0o755 });
}

/** Starts a registry that has a package with a command. */
export async function startRegistry(
  name: string,
  version: string,
  script: string,
): Promise<Registry> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'registry-'));
  writePackage(join(folder.path, 'package'), name, version, script);
  const file = join(folder.path, 'package.tgz');
  execFileSync('tar', ['-czf', file, '-C', folder.path, 'package']);
  const archive = readFileSync(file);
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const { url: path = '' } = request;
    requested.push(path);
    if (path.endsWith('.tgz')) return response.end(archive);
    if (path !== `/${name}`) return response.writeHead(404).end('{}');
    const tarball = `http://${request.headers.host}/${name}.tgz`;
    const one = { name, version, bin: { [name]: 'bin.cjs' }, dist: { tarball } };
    const all = { name, 'dist-tags': { latest: version }, versions: { [version]: one } };
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(all));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requested,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
