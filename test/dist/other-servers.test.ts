import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startCacheServer } from '../../emulator/cache/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { checkMessage } from '../support/messages.ts';
import { number, repository, startPullRequest } from './pull-request-world.ts';

const warnings = ({ annotations }: ActionResult) =>
  annotations.filter(({ level }) => level !== 'notice').map(({ message }) => message);

/** What a server without an operation answers: no JSON, and no page of GitHub's. */
const unknownHere = { status: 404, body: '404 page not found' };

describe.concurrent('a server that is not GitHub', () => {
  it('without deployments: it is said once, with the input that turns them off', async () => {
    await using world = await startPullRequest();
    const { github } = world;
    github.trouble = ({ path }) => (path.includes('/deployments') ? unknownHere : undefined);
    const result = await world.run('opened');
    expect(result.outputs['outcome']).toBe('succeeded');
    expect(warnings(result)).toHaveLength(1);
    expect(warnings(result)[0]).toMatch(/Set github-deployment: false\. \(SD8007\)$/);
    expect(world.comments()[0]).toContain('7 is live');
    expect(world.comments()[0]).not.toMatch(/\]\((?!https?:\/\/)/);
    const off = await world.run('synchronize', { inputs: { 'github-deployment': 'false' } });
    expect(warnings(off)).toEqual([]);
  });

  it('without comments: it is said once, with the input that turns them off', async () => {
    await using world = await startPullRequest();
    const { github } = world;
    github.trouble = ({ path }) => (path.includes('/comments') ? unknownHere : undefined);
    const result = await world.run('opened');
    expect(result.outputs['outcome']).toBe('succeeded');
    expect(warnings(result)).toHaveLength(1);
    expect(warnings(result)[0]).toMatch(/Set comment: false\. \(SD8007\)$/);
  });

  const onOlder = { 'on-older': 'skip' };
  const ifNeeded = { deploy: 'if-needed' };
  const off = { deployments: 'github-deployment', comments: 'comment' } as const;

  it.each<['deployments' | 'comments', string, Record<string, string>]>([
    ['deployments', 'asked what is older', onOlder],
    ['comments', 'asked what is older', onOlder],
  ])('without %s, and %s: one warning, the right one', async (part, _, inputs) => {
    await using world = await startPullRequest();
    const { github } = world;
    github.trouble = ({ path }) => (path.includes(`/${part}`) ? unknownHere : undefined);
    const result = await world.run('opened', { inputs });
    expect(result.outputs['outcome']).toBe('succeeded');
    expect(warnings(result)).toHaveLength(1);
    expect(warnings(result)[0]).toContain(
      `This server does not support it. Set ${off[part]}: false.`,
    );
    expect(result.log.join('\n')).not.toContain("the job's permissions");
    checkMessage(warnings(result)[0] ?? '');
  });

  it('without deployments does not know what is needed: it fails, and says what to leave out', async () => {
    await using world = await startPullRequest();
    world.github.trouble = ({ path }) => (path.includes('/deployments') ? unknownHere : undefined);
    const { outputs, conclusion, log } = await world.run('opened', { inputs: ifNeeded });
    expect({ conclusion, outcome: outputs['outcome'] }).toEqual({
      conclusion: 'failure',
      outcome: 'failed',
    });
    expect(outputs['error']).toContain('This server does not support it');
    expect(log.join('\n')).not.toContain("the job's permissions");
    expect(world.project.deployments).toEqual([]);
  });

  it('that refuses deployments, and is asked what is older: one warning, with the line that is needed', async () => {
    await using world = await startPullRequest();
    world.github.trouble = { deployments: 'forbidden' };
    const result = await world.run('opened', { inputs: onOlder });
    expect(result.outputs['outcome']).toBe('succeeded');
    expect(warnings(result)).toHaveLength(1);
    expect(warnings(result)[0]).toContain('Add "deployments: write" to the job\'s permissions');
  });

  it('with 120 comments, all on each page: ours is written once, and found again', async () => {
    await using world = await startPullRequest();
    const { github } = world;
    const others = Array.from({ length: 120 }, (_, n) => ({ author: 'octocat', body: `${n}` }));
    github.addComments(repository, number, others);
    github.trouble = ({ operationId }) =>
      operationId === 'issues/list-comments'
        ? { status: 200, body: github.comments(repository, number) }
        : undefined;
    for (const action of ['opened', 'synchronize']) {
      expect(warnings(await world.run(action))).toEqual([]);
    }
    expect(world.comments()).toHaveLength(1);
  });
});

/** Stands before the emulated GitHub as an Enterprise Server does, whose API is below a path of its host. */
async function startEnterprise(url: string) {
  const paths: string[] = [];
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    paths.push(path);
    const options = { method: incoming.method, headers: incoming.headers };
    const inner = send(`${url}${path.replace(/^\/api\/v3/, '')}`, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(inner);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    paths,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it('an Enterprise Server is asked below its API address, and its cache in the older protocol', async () => {
  await using world = await startPullRequest();
  await using enterprise = await startEnterprise(world.github.url);
  await using cache = await startCacheServer({ protocol: 'older' });
  const at = { apiUrl: `${enterprise.address}/api/v3`, serverUrl: enterprise.address };
  const options = { github: at, runtime: cache.environment, inputs: { env: 'A=b' } };
  const result = await world.run('opened', options);
  expect(warnings(result)).toEqual([]);
  expect(result.outputs['outcome']).toBe('succeeded');
  expect(enterprise.paths.length).toBeGreaterThan(2);
  expect(enterprise.paths.filter((path) => !path.startsWith('/api/v3/repos/'))).toEqual([]);
  expect(cache.entries).toHaveLength(1);
  expect(world.comments()[0]).toContain(`${enterprise.address}/${repository}`);
});

it.each(['not a url', 'localhost', '', '//'])(
  'GITHUB_SERVER_URL "%s", which is no URL, is survived',
  async (serverUrl) => {
    await using world = await startPullRequest();
    const result = await world.run('opened', { github: { serverUrl }, inputs: { env: 'A=b' } });
    expect(result.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    expect(warnings(result).filter((words) => !words.includes('cache'))).toEqual([]);
    expect(world.comments()[0]).toContain('7 is live');
    const statuses = world.github.journal.filter(
      ({ operationId }) => operationId === 'repos/create-deployment-status',
    );
    expect(statuses).toHaveLength(2);
    const shown = serverUrl === '' ? 'https://github.com/' : undefined;
    for (const { body } of statuses) {
      const { log_url: url } = z.object({ log_url: z.string().optional() }).parse(body);
      expect(url?.slice(0, shown?.length)).toBe(shown);
    }
  },
);
