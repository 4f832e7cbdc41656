import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { rows } from '../support/exhaustive.ts';
import { servePage } from './history-world.ts';
import {
  hostname,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from './pull-request-world.ts';
import { root } from './run-step.ts';

type Run = Awaited<ReturnType<PullRequestWorld['run']>>;

const push = (sha: string) =>
  ({
    name: 'push',
    payload: { ref: 'refs/heads/main', after: sha, head_commit: { id: sha } },
  }) as const;

const noPreview = { 'preview-domain': '' };

/** Expects an address in the output and on GitHub alike. */
function expectUrl({ github }: PullRequestWorld, { outputs }: Run, url: string): void {
  expect(outputs['url']).toBe(url);
  const told = github
    .deployments(repository)
    .map(({ statuses }) => statuses.at(-1)?.environment_url ?? '');
  expect(told.at(-1)).toBe(url);
}

/** Deploys the project's head by a push, after these domains have been verified. */
async function deployPush(
  world: PullRequestWorld,
  domains: readonly string[],
  inputs: Record<string, string> = {},
) {
  for (const name of domains) world.emulator.world.connectDomain(name, world.project.id);
  const event = push(await world.project.head());
  return await world.run('opened', { event, inputs: { ...noPreview, ...inputs } });
}

describe.concurrent('the output url, and environment_url, of a push', () => {
  it.each<[string, string[], Record<string, string>, string]>([
    ['to a project without a domain', [], {}, ''],
    ['to a project with one', ['www.example.com'], {}, 'https://www.example.com'],
    ['to a project with two', ['www.example.com', 'example.com'], {}, ''],
    [
      'with a preview-domain of its own',
      [],
      { 'preview-domain': 'next.example.com' },
      'https://next.example.com',
    ],
    ['that is not followed', ['www.example.com'], { wait: 'none' }, ''],
    ['that plans', ['www.example.com'], { mode: 'plan' }, ''],
  ])('%s', async (_, domains, inputs, url) => {
    await using world = await startPullRequest({ verifyMs: 0 });
    const run = await deployPush(world, domains, inputs);
    expect(run.outputs['error']).toBe('');
    if (inputs['mode'] === 'plan') expect(run.outputs['url']).toBe(url);
    else expectUrl(world, run, url);
  });

  it('is the domain of verify-url, of several', async () => {
    await using world = await startPullRequest({ verifyMs: 0 });
    // Names below localhost are this machine, so that the page can be asked there.
    const { port } = new URL(world.emulator.url);
    const inputs = { 'verify-url': `http://www.localhost:${port}/`, 'verify-timeout': '10s' };
    const run = await deployPush(world, ['shop.localhost', 'www.localhost'], inputs);
    expect(run.outputs['error']).toBe('');
    expectUrl(world, run, 'https://www.localhost');
  });

  const unusable: [string, Parameters<typeof startPullRequest>[0]][] = [
    ['is not verified', { domainEnds: 'never' }],
    ['failed its verification', { verifyMs: 0, domainEnds: 'failure' }],
    ['may not be listed', { verifyMs: 0, refuse: ['listConnectedDomains'] }],
  ];
  it.each(rows(unusable, 2))(
    'is empty where the domain %s, and the run is good',
    async (_, dialect) => {
      await using world = await startPullRequest(dialect);
      const run = await deployPush(world, ['www.example.com']);
      expect(run.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
      expect(run.annotations).toEqual([]);
      expectUrl(world, run, '');
    },
  );

  it.each<[string, Record<string, string>, Parameters<typeof startPullRequest>[0]]>([
    ['that fails', {}, { verifyMs: 0, deploymentEnds: 'failure' }],
    ['whose checks fail', { 'verify-contains': 'Nothing like it' }, { verifyMs: 0 }],
  ])('is empty of one %s', async (_, inputs, dialect) => {
    await using world = await startPullRequest(dialect);
    using page = await servePage(world.project);
    const run = await deployPush(world, ['www.example.com'], {
      'verify-url': page.url,
      'verify-timeout': '5s',
      ...inputs,
    });
    expect(run.outputs['outcome']).toBe('failed');
    expectUrl(world, run, '');
  });

  it('is looked at once it is deployed', async () => {
    await using world = await startPullRequest({ verifyMs: 0 });
    const posted = world.emulator.journal.waitFor(
      ({ operation }) => operation === 'createDeployment',
    );
    const moving = posted.then(() =>
      world.emulator.world.connectDomain('www.example.com', world.project.id),
    );
    const [run] = await Promise.all([deployPush(world, []), moving]);
    expectUrl(world, run, 'https://www.example.com');
  });
});

describe.concurrent('the output url, and environment_url, of a pull request', () => {
  it('is that of its preview', async () => {
    await using world = await startPullRequest();
    const run = await world.run('opened');
    expectUrl(world, run, `https://${hostname}`);
    expect(run.outputs['preview-url']).toBe(run.outputs['url']);
  });

  it('is empty where its domain is not verified', async () => {
    await using world = await startPullRequest({ domainEnds: 'never' });
    const run = await world.run('opened', { inputs: { 'verify-timeout': '2s' } });
    expectUrl(world, run, '');
  });
});

it('end-to-end-on-status.yml asks for the address that it tests', () => {
  const job = z.object({ if: z.string() });
  const file = join(root, 'examples', 'workflows', 'end-to-end-on-status.yml');
  const { jobs } = z
    .object({ jobs: z.object({ test: job }) })
    .parse(parse(readFileSync(file, 'utf8')));
  expect(jobs.test.if).toMatch(/github\.event\.deployment_status\.environment_url != ''/);
});
