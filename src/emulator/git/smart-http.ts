import { spawn } from 'node:child_process';
import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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

/** What git's own HTTP server answers; the body comes while git works. */
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

/**
 * Answers a request of git's smart HTTP protocol by running `git http-backend`, which git finds in its own
 * folder of programs, as a CGI program.
 * @throws if git cannot be started or prints no CGI answer
 */
export async function serveGit(request: GitRequest, home: GitHome): Promise<GitAnswer> {
  const { settings = {}, variables = {}, signal } = home;
  const cgi = cgiVariables(request, home.root);
  const child = spawn('git', ['http-backend'], {
    env: gitEnvironment({ ...variables, ...cgi }, settings),
    signal,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  // The program may answer and end before it has read the whole body, and the client may leave in the middle of it.
  pipeline(request.body, child.stdin).catch(() => child.stdin.destroy());
  // What nobody has read of a process's own stream when the process ends would be lost.
  const output = new PassThrough();
  pipeline(child.stdout, output).catch(() => child.stdout.destroy());
  return await Promise.race([readCgi(output), failed]);
}

function cgiVariables(request: GitRequest, root: string): Record<string, string> {
  const { headers } = request;
  return {
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    REQUEST_METHOD: request.method,
    PATH_INFO: request.path,
    QUERY_STRING: request.search.replace(/^\?/, ''),
    CONTENT_TYPE: headers['content-type'] ?? '',
    CONTENT_LENGTH: headers['content-length'] ?? '',
    HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
    REMOTE_USER: 'git',
    REMOTE_ADDR: '127.0.0.1',
  };
}

/** Reads the head of a CGI program's answer; the rest is left in the stream. */
async function readCgi(output: Readable): Promise<GitAnswer> {
  let read = Buffer.alloc(0);
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf('\r\n\r\n');
    if (end === -1) continue;
    output.unshift(read.subarray(end + 4));
    return { ...parseHead(read.toString('latin1', 0, end)), body: output };
  }
  throw new Error('git http-backend printed no CGI answer');
}

function parseHead(head: string): Omit<GitAnswer, 'body'> {
  const headers: Record<string, string> = {};
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { status = '200', ...rest } = headers;
  return { status: Number.parseInt(status, 10), headers: rest };
}
