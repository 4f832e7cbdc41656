// Attack (files): `verify-url`, a check, a service path or a redirect reaches a host of your network, also by IPv6, or
// by a name that leads there
// Defense: All that the action sends to another host than loopback goes to a proxy that refuses it, and no name is
// resolved. No file can set another proxy
// Attack (files): `base-url` or `git-url` leads elsewhere, with its name in other letters (`BASE-URL`)
// Defense: Both must be at the emulator, and names of inputs are compared as the runner writes them

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { expression } from '../../emulator/test/runner/write-action.ts';
import { play } from './play.ts';

const run = promisify(execFile);

const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
const outer = (family: string) =>
  addresses.find((one) => !one.internal && one.family === family && !one.scopeid)?.address;
const [ip4, ip6] = [outer('IPv4'), outer('IPv6')];

/** A host of the network: this machine, by an address that is not loopback. It counts who comes. */
async function openNeighbor() {
  const server = createServer((socket) => {
    came += 1;
    socket.destroy();
  });
  let came = 0;
  server.listen(0, '::');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    came: () => came,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** A site with a commit, whose files a stranger wrote. */
async function openSite(files: Readonly<Record<string, string>>) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'neighbor-'));
  await mkdir(join(folder.path, '.github/workflows'), { recursive: true });
  const git = (...args: string[]) => {
    const author = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.invalid'];
    return run('git', ['-C', folder.path, ...author, ...args]);
  };
  await git('init', '--quiet', '--initial-branch=main');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'A change');
  return folder;
}

/** The inputs with which a file would reach a host, and its site file's checks. */
type Way = { with?: Record<string, string>; env?: Record<string, string>; checks?: string[] };

const soon = { 'verify-timeout': '2s' };

const ways: Record<string, (host: string) => Way> = {
  'verify-url by https': (host) => ({ with: { 'verify-url': `https://${host}/`, ...soon } }),
  'verify-url by http': (host) => ({ with: { 'verify-url': `http://${host}/`, ...soon } }),
  'a check': (host) => ({ checks: [`https://${host}/`], with: soon }),
  'base-url': (host) => ({ with: { 'base-url': `https://${host}/` } }),
  'base-url in capitals': (host) => ({ with: { 'BASE-URL': `https://${host}/` } }),
  'base-url with a letter whose capital is S': (host) => ({
    with: { 'ba\u017fe-url': `https://${host}/` },
  }),
  'git-url': (host) => ({ with: { 'git-url': `https://${host}/a.git` } }),
  'git-url of a project': (host) => ({ with: { 'git-url': `p=ssh://git@${host}/a.git` } }),
  'git-url with a letter whose capital is I': (host) => ({
    with: { 'g\u0131t-url': `ssh://git@${host}/a.git` },
  }),
  'a path of the service': (host) => ({
    with: { service: `deployment-status=//${host}/{deploymentId}` },
  }),
  'a proxy': (host) => ({
    with: {
      'verify-url': 'https://www.example.invalid/',
      'env-from': 'https_proxy,HTTPS_PROXY,http_proxy,ALL_PROXY',
      ...soon,
    },
    env: {
      https_proxy: `http://${host}`,
      http_proxy: `http://${host}`,
      ALL_PROXY: `http://${host}`,
    },
  }),
};

const quote = (value: unknown) => JSON.stringify(value);

test.skipIf(ip4 === undefined).concurrent.each(Object.keys(ways))(
  'a workflow file and a site file reach no host of the network: %s (needs a network)',
  async (name) => {
    await using neighbor = await openNeighbor();
    const hosts = [`${ip4}:${neighbor.port}`, `[::ffff:${ip4}]:${neighbor.port}`];
    if (ip6 !== undefined) hosts.push(`[${ip6}]:${neighbor.port}`);
    for (const host of name.startsWith('verify') ? hosts : hosts.slice(0, 1)) {
      const { with: inputs = {}, env = {}, checks = [] } = ways[name]?.(host) ?? {};
      const given = {
        'api-key': expression('secrets.SITE_API_KEY'),
        'base-url': expression('vars.SITE_BASE_URL'),
        'project-id': expression('vars.SITE_PROJECT_ID'),
        'git-url': expression('vars.SITE_GIT_URL'),
        'git-token': expression('secrets.SITE_GIT_TOKEN'),
        ...(checks.length > 0 ? { config: 'site.yml' } : {}),
      };
      const changed = Object.keys(inputs).map((one) => one.toUpperCase().toLowerCase());
      const kept = Object.entries(given).filter(([one]) => !changed.includes(one));
      const workflow = {
        on: 'push',
        jobs: {
          a: {
            'runs-on': 'x',
            permissions: 'write-all',
            steps: [
              { uses: 'actions/checkout@v6' },
              {
                uses: 'OWNER/site-deploy-action@v1',
                with: { ...Object.fromEntries(kept), ...inputs },
                env,
              },
            ],
          },
        },
      };
      const site = `checks: [${checks.map((url) => `{ url: ${quote(url)} }`).join(', ')}]\n`;
      await using folder = await openSite({
        'index.html': 'Mine',
        'site.yml': site,
        '.github/workflows/a.yml': quote(workflow),
      });
      const file = join(folder.path, '.github/workflows/a.yml');
      const played = await play(['--workflow', file, '--workspace', folder.path]);
      expect(neighbor.came(), played.text).toBe(0);
    }
  },
);

test.skipIf(ip4 === undefined)(
  'npm run try reaches no host that a site file names (needs a network)',
  async () => {
    await using neighbor = await openNeighbor();
    const url = `https://${ip4}:${neighbor.port}/`;
    await using folder = await openSite({ 'site.yml': `checks: [{ url: ${quote(url)} }]\n` });
    const words = ['deploy', '--event', 'push', '--workspace', folder.path, 'config=site.yml'];
    const played = await play([...words, 'verify-timeout=2s', 'git-url']);
    expect(played.text).toContain(url);
    expect(neighbor.came(), played.text).toBe(0);
  },
);
