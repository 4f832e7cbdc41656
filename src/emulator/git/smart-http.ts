import { spawn } from 'node:child_process';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gitEnvironment } from './git.ts';

/** A request for a repository. `path` starts below the folder of repositories: `/{name}.git/info/refs`. */
export interface GitRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What git's own HTTP server answered. */
export interface GitAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/**
 * Answers a request of git's smart HTTP protocol by running `git http-backend`, which git finds in its own
 * folder of programs, as a CGI program.
 * @param root the folder that holds the repositories
 * @param signal ends the program when it is aborted
 * @throws if git cannot be started or prints no CGI answer
 */
export async function serveGit(
  request: GitRequest,
  root: string,
  signal: AbortSignal,
): Promise<GitAnswer> {
  const child = spawn('git', ['http-backend'], {
    env: gitEnvironment(cgiVariables(request, root)),
    signal,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  // The program may answer and end before it has read the whole body.
  child.stdin.once('error', () => child.stdin.destroy());
  child.stdin.end(request.body);
  return parseCgi(await Promise.race([buffer(child.stdout), failed]));
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
    CONTENT_LENGTH: String(request.body.length),
    HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
    REMOTE_USER: 'git',
    REMOTE_ADDR: '127.0.0.1',
  };
}

function parseCgi(output: Buffer): GitAnswer {
  const end = output.indexOf('\r\n\r\n');
  if (end === -1) throw new Error('git http-backend printed no CGI answer');
  const headers: Record<string, string> = {};
  for (const line of output.toString('latin1', 0, end).split('\r\n')) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { status = '200', ...rest } = headers;
  return { status: Number.parseInt(status, 10), headers: rest, body: output.subarray(end + 4) };
}
