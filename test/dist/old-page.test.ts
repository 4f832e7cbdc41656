import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { type HistoryWorld, startHistory } from './history-world.ts';

/** Serves a page of our own. */
async function serve(answer: (response: ServerResponse) => unknown) {
  const server = createServer((_, response) => void answer(response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, [Symbol.dispose]: close };
}

/** Deploys the second commit and checks a page by a site file's check; with other inputs, by those. */
async function deploySecond(
  world: HistoryWorld,
  url: string,
  check: object | undefined,
  inputs: Record<string, string> = {},
) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-old-page-'));
  await writeFile(
    join(folder.path, 'site.yml'),
    JSON.stringify({ checks: check === undefined ? [] : [{ path: '/', ...check }] }),
  );
  const all = { config: 'site.yml', 'verify-url': url, 'verify-timeout': '4s', ...inputs };
  return await world.run(world.commits.second, all, { workspace: folder.path });
}

const short = (commit: string) => commit.slice(0, 7);

const redirect = (response: ServerResponse, commit: string) => {
  response.writeHead(302, { location: `/at/${commit}` }).end();
};

describe.concurrent('a page that shows another commit than the one deployed', () => {
  type Row = [string, object | undefined, (response: ServerResponse, commit: string) => unknown];
  const pages: Row[] = [
    ['in its text', { contains: 'live: {sha}' }, (to, commit) => to.end(`live: ${commit}`)],
    ['in its JSON', { json: { a: '{sha}' } }, (to, a) => to.end(JSON.stringify({ a }))],
    ['in a header', { header: { 'x-a': '{sha}' } }, (to, a) => to.setHeader('x-a', a).end()],
    ['in its redirect', { location: '/at/{sha}' }, redirect],
    ['or none', { contains: '{sha}' }, (to) => to.end('Hello')],
    ['or a fault without it', { contains: '{sha}' }, (to) => to.writeHead(503).end('Sorry')],
  ];
  // The first place of all, the last, and no page at all: each is compared in src/checks/.
  it.each(rows(pages, 3))(
    '%s: live-commit does not name the one deployed',
    async (_, check, answer) => {
      await using world = await startHistory();
      const { first, second } = world.commits;
      using page = await serve((response) => answer(response, first));
      const { outputs, summary, log } = await deploySecond(world, page.url, check);
      expect(outputs).toMatchObject({ outcome: 'failed', 'deployment-status': 'succeeded' });
      expect(outputs['live-commit']).toBe('');
      const title = new RegExp(
        `Production is deployed according to the service, but \\d of 2 checks failed: commit ${short(second)} was not found`,
      );
      expect(summary).toMatch(title);
      expect(log.join('\n')).toMatch(title);
    },
  );

  it('is not called live by a way back that failed either', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    await world.run(first, { 'verify-url': world.page, 'verify-contains': 'live: {sha}' });
    // Once the second is deployed, an old copy is served, and nothing can be deployed any more.
    let isRefused = false;
    using page = await serve((response) => {
      if (!isRefused && world.deployed().includes(second)) {
        isRefused = true;
        const refusal = { kind: 'status', status: 403, effect: false } as const;
        const times = Number.POSITIVE_INFINITY;
        world.emulator.faults.add({ operation: 'createDeployment', times, ...refusal });
      }
      response.end('live: an old copy');
    });
    const inputs = { 'verify-contains': 'live: {sha}', 'on-failed-checks': 'roll-back' };
    const { outputs, summary } = await deploySecond(world, page.url, undefined, inputs);
    expect(outputs['error']).toContain(`Rolling back to commit ${first.slice(0, 7)} failed`);
    expect(outputs).toMatchObject({ outcome: 'failed', 'live-commit': '' });
    expect(`${summary}${outputs['error']}`).not.toMatch(`Live is commit ${second}`);
  });
});

describe.concurrent('a page that shows the commit, and fails for another reason,', () => {
  it('leaves live-commit as the commit that was seen', async () => {
    await using world = await startHistory();
    const { second } = world.commits;
    using page = await serve((response) => response.writeHead(503).end(`live: ${second}`));
    const inputs = { 'verify-contains': 'live: {sha}' };
    const { outputs, summary } = await deploySecond(world, page.url, undefined, inputs);
    expect(outputs).toMatchObject({ outcome: 'failed', 'live-commit': second });
    expect(summary).toContain('Production is deployed, but 1 check failed');
  });

  it('names nothing: the service is believed', async () => {
    await using world = await startHistory();
    const { second } = world.commits;
    using page = await serve((response) => response.writeHead(503).end('Sorry'));
    const { outputs } = await deploySecond(world, page.url, undefined);
    expect(outputs).toMatchObject({ outcome: 'failed', 'live-commit': second });
  });
});

it('a page that showed the commit before the deployment, and answers no more after it, is not seen live', async () => {
  await using world = await startHistory();
  const { second } = world.commits;
  using page = await serve((response) =>
    world.deployed().length === 0 ? response.end(`live: ${second}`) : undefined,
  );
  const { outputs } = await deploySecond(world, page.url, { contains: 'live: {sha}' });
  expect(outputs).toMatchObject({ outcome: 'failed', 'live-commit': '' });
  expect(outputs['error']).toContain('no complete response within');
  expect(outputs['error']).not.toContain('returned 200');
});
