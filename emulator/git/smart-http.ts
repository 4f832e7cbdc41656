import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { gitEnvironment } from './git.ts';

/** A request for a repository. `path` starts below the folder of repositories: `/{name}.git/info/refs`. */
export interface GitRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, which is read while git works on it: a push may be larger than the memory. */
  readonly body: Readable;
}

/** What is answered; the body comes while git works. */
export interface GitAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Readable;
}

/** Where repositories lie, and how git serves them. */
export interface GitHome {
  /** The folder that holds the repositories. */
  readonly root: string;
  /** Settings of git beside those of every git process here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Variables for the repositories' hooks. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Ends git when it is aborted. */
  readonly signal: AbortSignal;
}

/** A program of git that serves a repository, and how far. */
interface Service {
  readonly name: string;
  readonly repository: string;
  /** Whether it is to tell the references only. */
  readonly advertises: boolean;
}

const served =
  /^(\/(?:\w[\w.-]*\/)*\w[\w.-]*\.git)\/(info\/refs|git-upload-pack|git-receive-pack)$/;
const uncached = {
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  pragma: 'no-cache',
  'cache-control': 'no-cache, max-age=0, must-revalidate',
};

const names = ['upload-pack', 'receive-pack'];

/**
 * Answers a request of git's smart HTTP protocol as `git http-backend` does, by running the service that it asks
 * for: that program would start two more for each request.
 * @throws if git cannot be started
 */
export async function serveGit(request: GitRequest, home: GitHome): Promise<GitAnswer> {
  const service = readService(request);
  const status = service === null ? 404 : statusFor(service, request, home);
  if (service === null || status !== 200) {
    return { status, headers: uncached, body: Readable.from([]) };
  }
  const body = await answer(service, request, home);
  const kind = service.advertises ? 'advertisement' : 'result';
  const type = `application/x-git-${service.name}-${kind}`;
  return { status, headers: { ...uncached, 'content-type': type }, body };
}

function readService({ path: asked, search }: GitRequest): Service | null {
  const [, repository, last = ''] = served.exec(asked) ?? [];
  if (repository === undefined) return null;
  const advertises = last === 'info/refs';
  const program = advertises ? new URLSearchParams(search).get('service') : last;
  return { name: program?.replace(/^git-/, '') ?? '', repository, advertises };
}

function statusFor(
  { name, repository, advertises }: Service,
  { method, headers }: GitRequest,
  { root }: GitHome,
): number {
  if (method !== (advertises ? 'GET' : 'POST')) return 405;
  if (!names.includes(name)) return 403;
  const type = `application/x-git-${name}-request`;
  if (!advertises && headers['content-type'] !== type) return 415;
  return existsSync(path.join(root, repository)) ? 200 : 404;
}

/** With which git ends what it tells. */
const flush = Buffer.from('0000');

/** What git told of itself, by what that depends on. */
const told = new Map<string, Buffer>();

/**
 * What a service answers. By the protocol's second version it first tells what it can do, which depends on settings
 * alone: git is asked for that once.
 */
async function answer(service: Service, request: GitRequest, home: GitHome): Promise<Readable> {
  const { name, repository, advertises } = service;
  const protocol = String(request.headers['git-protocol'] ?? '');
  const tellsAbilities = advertises && name === 'upload-pack' && protocol.includes('version=2');
  if (!tellsAbilities) return await run(service, request, home);
  const { root, settings, variables } = home;
  const own = await readFile(path.join(root, repository, 'config'), 'utf8');
  const key = JSON.stringify([protocol, settings, variables, own]);
  const abilities = told.get(key) ?? (await buffer(await run(service, request, home)));
  // Git may have failed, or have been ended in the middle of it.
  if (abilities.subarray(-flush.length).equals(flush)) told.set(key, abilities);
  return Readable.from([abilities]);
}

/** Runs a service, and gives what it prints when it begins to, or ends without a word. */
async function run(
  { name, repository, advertises }: Service,
  { headers, body }: GitRequest,
  { root, settings = {}, variables = {}, signal }: GitHome,
): Promise<Readable> {
  const protocol = String(headers['git-protocol'] ?? '');
  const extent = advertises ? ['--advertise-refs'] : [];
  const child = spawn('git', [name, '--stateless-rpc', ...extent, path.join(root, repository)], {
    env: gitEnvironment({ ...variables, GIT_PROTOCOL: protocol }, settings),
    signal,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  // It also tells of the signal, by which its output ends, too.
  child.on('error', () => undefined);
  const isZipped = /^(?:x-)?gzip$/.test(headers['content-encoding'] ?? '');
  const plain = isZipped ? createGunzip() : new PassThrough();
  // It may answer and end before it has read the whole body, and the client may leave in the middle of it.
  pipeline(body, plain, child.stdin).catch(() => child.stdin.destroy());
  // What nobody has read of a process's own stream when the process ends would be lost.
  const output = new PassThrough();
  if (advertises && !protocol.includes('version=2')) output.write(introduction(name));
  pipeline(child.stdout, output).catch(() => child.stdout.destroy());
  await once(child, 'spawn');
  // A client that waits for leave to send its body must not be answered before.
  await once(output, 'readable');
  return output;
}

/** What goes before the references by the protocol's first versions: a line that names the service, and a flush. */
function introduction(service: string): string {
  const line = `# service=git-${service}\n`;
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`;
}
