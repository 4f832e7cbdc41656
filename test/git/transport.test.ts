// Attack (git): A repository without its whole history makes git start itself again for each missing commit, without
// end (over ssh)
// Defense: git fetches no missing object by itself (a git with the security fixes of May 2024)

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { nowhere } from '../support/ports.ts';
import { address, git, projectRequests, startGitWorld } from './support.ts';

const run = promisify(execFile);
const force = 'always';

/** Listens on a free port, and is closed at the end. */
async function listen(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}

/** Passes requests on to the server that a base URL names; a whole URL in a request, as proxies get it, wins. */
function passOn(base: string, asked: string[]): RequestListener {
  return (incoming, response) => {
    const url = new URL(incoming.url ?? '/', base);
    asked.push(`${incoming.method} ${url.pathname}`);
    const { method = 'GET', headers } = incoming;
    const outgoing = request(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  };
}

test('a proxy is honoured', async () => {
  await using world = await startGitWorld();
  const { first: commit } = world;
  const asked: string[] = [];
  await using proxy = await listen(createServer(passOn('http://nowhere', asked)));
  const environment = { ...process.env, http_proxy: `http://127.0.0.1:${proxy.port}` };
  const options = { environment: { ...environment, no_proxy: '' }, force } as const;
  expect(await world.pushCommit(commit, options)).toMatchObject({ kind: 'pushed' });
  expect(asked).toContain(`GET ${new URL(world.project.gitAddress).pathname}/info/refs`);
  expect(asked).toContain('GET /octo-org/octo-site/info/refs');
});

test('a proxy that does not answer is not taken for the project', async () => {
  await using world = await startGitWorld();
  const { first: commit } = world;
  const environment = { ...process.env, http_proxy: nowhere, no_proxy: '' };
  const project = { address: address('http://127.0.0.1/site.git') };
  await expect(world.pushCommit(commit, { environment, project })).rejects.toThrow(
    /^The proxy \(http_proxy\) does not respond\./,
  );
});

test.each([
  ['403 Forbidden', /^The proxy \(https_proxy\) refused the connection/],
  ['407 Proxy Authentication Required', /^The proxy \(https_proxy\) requires .* in its URL/],
])('a proxy that answers %s is not taken for the project', async (status, told) => {
  await using world = await startGitWorld();
  const { first: commit } = world;
  const server = createServer();
  server.on('connect', (_incoming, socket) => socket.end(`HTTP/1.1 ${status}\r\n\r\n`));
  await using proxy = await listen(server);
  const https_proxy = `http://127.0.0.1:${proxy.port}`;
  const environment = { ...process.env, https_proxy, no_proxy: '' };
  const project = { address: address('https://git.example.com/site.git') };
  await expect(world.pushCommit(commit, { environment, project })).rejects.toThrow(told);
  expect(world.steps).toEqual([{ step: 'read-branch' }]);
});

describe('over TLS', () => {
  test('a certificate is trusted if the environment says so', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const [key, cert] = [join(world.folder, 'key.pem'), join(world.folder, 'cert.pem')];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    await run('openssl', ['req', ...kind, '-keyout', key, '-out', cert, '-days', '2', ...subject]);
    const pair = { key: await readFile(key), cert: await readFile(cert) };
    await using front = await listen(createTlsServer(pair, passOn(world.emulator.url, [])));
    const url = `https://127.0.0.1:${front.port}${new URL(world.project.gitAddress).pathname}`;
    const options = { project: { address: address(url) }, force } as const;
    await expect(world.pushCommit(commit, options)).rejects.toThrow(
      /Could not connect to .*certificate/,
    );
    expect(projectRequests(world)).toEqual([]);
    const environment = { ...process.env, SSL_CERT_FILE: cert };
    expect(await world.pushCommit(commit, { ...options, environment })).toMatchObject({
      kind: 'pushed',
    });
    expect(await world.project.head()).toBe(commit);
  });
});

// The stand-in for ssh is a shell script.
describe.skipIf(process.platform === 'win32')('over ssh (a shell script stands for it)', () => {
  /** Runs what ssh is asked to on this machine. */
  const here = 'while [ $# -gt 1 ]; do shift; done; exec sh -c "$1"';

  /** A stand-in for ssh that notes its arguments and environment, and runs a script. */
  async function sshIn(folder: string, script = here) {
    const programs = join(folder, 'programs');
    const notes = join(folder, 'ssh-notes');
    await mkdir(programs);
    const note = `printf '%s\\n' "$*" >> '${notes}'; env > '${notes}.env'`;
    await writeFile(join(programs, 'ssh'), `#!/bin/sh\n${note}\n${script}\n`, { mode: 0o755 });
    const environment = {
      PATH: `${programs}${delimiter}${process.env['PATH']}`,
      HOME: '/home/ada',
      SSH_AUTH_SOCK: '/tmp/agent',
      SSH_ASKPASS: '/nowhere/askpass',
      DISPLAY: ':0',
      GIT_SSH: '/nowhere/ssh',
      'INPUT_GIT-TOKEN': 'fake-git-token',
    };
    return { environment, notes };
  }

  test('a commit is pushed with the keys of the machine, and nobody is asked', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const bare = join(world.folder, 'bare.git');
    await git(world.folder, ['init', '--quiet', '--bare', bare]);
    const { environment, notes } = await sshIn(world.folder);
    const project = { address: address(`ssh://git@git.example.com:2222${bare}`) };
    const result = await world.pushCommit(commit, { environment, project });
    expect(result).toEqual({ kind: 'pushed', from: null, forced: false });
    expect(await git(bare, ['rev-parse', 'refs/heads/main'])).toBe(commit);
    const starts = (await readFile(notes, 'utf8')).trimEnd().split('\n');
    // Of a new branch, the second one reads whether there are others.
    expect(starts).toHaveLength(3);
    for (const start of starts) {
      expect(start).toMatch(
        /^-o BatchMode=yes -o StrictHostKeyChecking=yes .* git@git\.example\.com /,
      );
      expect(start).toContain('-p 2222');
    }
    const given = await readFile(`${notes}.env`, 'utf8');
    expect(given).toMatch(/^SSH_AUTH_SOCK=\/tmp\/agent$/m);
    expect(given).toMatch(/^HOME=\/home\/ada$/m);
    expect(given).not.toMatch(/^(SSH_ASKPASS|DISPLAY|GIT_SSH|INPUT_GIT-TOKEN)=/m);
    expect(given).not.toMatch(/fake-|Authorization/);
  });

  test('a repository that names commits by SHA-256 is told, and nothing is pushed', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const bare = join(world.folder, 'bare.git');
    await git(world.folder, ['init', '--quiet', '--bare', '--object-format=sha256', bare]);
    const tree = await git(bare, ['hash-object', '-w', '-t', 'tree', '/dev/null']);
    const head = await git(bare, ['commit-tree', '-m', 'Other', tree]);
    await git(bare, ['update-ref', 'refs/heads/main', head]);
    const { environment } = await sshIn(world.folder);
    const project = { address: address(`ssh://git@git.example.com${bare}`) };
    const result = world.pushCommit(commit, { environment, project, force });
    await expect(result).rejects.toMatchObject({ trouble: { kind: 'other-hash' } });
    expect(world.steps).toEqual([{ step: 'read-branch' }]);
  });

  test('an empty repository of SHA-256 is told, too', async () => {
    await using world = await startGitWorld();
    const bare = join(world.folder, 'bare.git');
    await git(world.folder, ['init', '--quiet', '--bare', '--object-format=sha256', bare]);
    const { environment } = await sshIn(world.folder);
    const project = { address: address(`ssh://git@git.example.com${bare}`) };
    const result = world.pushCommit(world.first, { environment, project });
    await expect(result).rejects.toMatchObject({ trouble: { kind: 'other-hash' } });
  });

  test('a shallow repository is told, and is not read again and again for what it lacks', async () => {
    await using world = await startGitWorld();
    const bare = join(world.folder, 'bare.git');
    await world.pushToProject();
    await world.pushToProject();
    const whole = `file://${await world.project.gitFolder()}`;
    await git(world.folder, ['clone', '--quiet', '--bare', '--depth=1', whole, bare]);
    // Otherwise a mistake would start processes without end.
    const few = `[ "$(wc -l < '${join(world.folder, 'ssh-notes')}')" -lt 9 ] || exit 1; ${here}`;
    const { environment, notes } = await sshIn(world.folder, few);
    const project = { address: address(`ssh://git@git.example.com${bare}`) };
    const result = world.pushCommit(world.first, { environment, project, force });
    await expect(result).rejects.toMatchObject({
      trouble: { kind: 'cut-history', branch: 'main' },
    });
    expect((await readFile(notes, 'utf8')).trimEnd().split('\n')).toHaveLength(2);
  });

  test('what ssh says is told', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const script = 'echo "Host key verification failed." >&2; exit 255';
    const { environment } = await sshIn(world.folder, script);
    const project = { address: address('ssh://git@git.example.com/site.git') };
    await expect(world.pushCommit(commit, { environment, project })).rejects.toThrow(
      /Could not connect to .* Cause: the server's host key is not in known_hosts/,
    );
  });
});
