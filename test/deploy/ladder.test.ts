import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { abortOn } from '../support/abort-on.ts';
import { runDeploy, statusesTold } from '../support/deploy.ts';
import { rows } from '../support/exhaustive.ts';
import { warningsIn } from '../support/read-report.ts';
import { desired } from '../support/variables.ts';
import { startWorld } from '../support/world.ts';

const offerings: Readonly<Record<string, DialectOptions>> = {
  stream: { offers: 'stream' },
  poll: { offers: 'poll' },
  both: { offers: 'both' },
  late: { offers: 'both', offeredAfterMs: 60 },
  'stream, late': { offers: 'stream', offeredAfterMs: 60 },
  'poll, late': { offers: 'poll', offeredAfterMs: 60 },
};
const offered = Object.entries(offerings);

const words = [
  'succeeded',
  'SUCCESS',
  'Ready',
  'live',
  'COMPLETED',
  'Deployed',
  'published',
] as const;
const badWords = ['failed', 'ERROR', 'Canceled', 'TIMED_OUT', 'rolled-back', 'superseded'] as const;

describe.concurrent.each(offered)('a service that offers: %s', (name, offering) => {
  // Each word by some of the ways on which it comes: it is the same table that knows it.
  const turn = Object.keys(offerings).indexOf(name);
  const some = <Word>(all: readonly Word[]) => rows(all, (_, index) => (index + turn) % 3 === 0);

  it.each(some(words))('success as "%s"', async (success) => {
    await using world = await startWorld({
      dialect: { ...offering, deploymentWords: { success } },
    });
    const report = await runDeploy(world);
    expect(report).toMatchObject({
      outcome: 'succeeded',
      release: { deployment: { status: success } },
    });
    expect(report.error).toBeUndefined();
    expect(statusesTold(world).at(-1)).toBe(success);
    expect(world.project.deployments[0]?.endedAt).not.toBeNull();
  });

  it.each(some(badWords))('failure as "%s"', async (failure) => {
    await using world = await startWorld({
      dialect: { ...offering, deploymentEnds: 'failure', deploymentWords: { failure } },
    });
    const report = await runDeploy(world);
    expect(report).toMatchObject({
      outcome: 'failed',
      release: { deployment: { status: failure } },
    });
    expect(report.error).toContain(
      /^failed$/i.test(failure)
        ? 'The deployment failed.'
        : `The deployment failed with status "${failure}"`,
    );
  });

  it('an end in a word that no table knows: timed out, and told which input helps', async () => {
    await using world = await startWorld({
      dialect: { ...offering, deploymentWords: { success: 'zorp' } },
    });
    abortOn(world, (told) => told.type === 'warning' && told.diagnostic.text.includes('"zorp"'));
    const report = await runDeploy(world);
    expect(report).toMatchObject({
      outcome: 'timed-out',
      release: { deployment: { status: 'zorp' }, unknownStatus: 'zorp' },
    });
    expect(report.error).toContain('had the status "zorp"');
    const told = world.told.filter((one) => JSON.stringify(one).includes('zorp\\"'));
    expect(told).toMatchObject([{ type: 'warning' }]);
    expect(warningsIn(told)).toEqual([expect.stringContaining('the unknown status "zorp"')]);
  });

  it.each([
    ['a success', { customStatuses: { success: ['Zorp'], failure: [] } }, 'succeeded'],
    ['a failure', { customStatuses: { success: [], failure: ['ZORP'] } }, 'failed'],
  ] as const)('the same word in %s', async (_input, fields, outcome) => {
    await using world = await startWorld({
      dialect: { ...offering, deploymentWords: { success: 'zorp' } },
    });
    expect((await runDeploy(world, fields)).outcome).toBe(outcome);
  });

  it('a deployment that never ends: timed out, and its id is kept', async () => {
    await using world = await startWorld({
      dialect: { ...offering, deploymentEnds: 'never' },
    });
    abortOn(world, (told) => told.type === 'status' && told.status === 'publishing');
    const report = await runDeploy(world);
    expect(report.outcome).toBe('timed-out');
    expect(report.release?.deployment?.id).toBe(world.project.deployments[0]?.id);
    expect(report.error).toContain('may still go live');
  });
});

describe.concurrent('a service that offers neither', () => {
  it.each([[404], [405], [403], ['html200']] as const)(
    'by %s: unconfirmed, and told what was asked and what would help',
    async (notOfferedStatus) => {
      await using world = await startWorld({ dialect: { offers: 'neither', notOfferedStatus } });
      const report = await runDeploy(world);
      expect(report.outcome).toBe('unconfirmed');
      expect(report.release?.confirmedBy).toBeUndefined();
      expect(report.error).toContain('/events (');
      expect(report.error).toContain(
        notOfferedStatus === 403
          ? 'let the API key read deployments'
          : 'deployment-status or deployment-events in service',
      );
      expect(report.error).toContain('verify-url');
    },
  );

  it('success is confirmed by the production runtime turning from pending to published', async () => {
    await using world = await startWorld({ dialect: { offers: 'neither' } });
    const report = await runDeploy(world, { variables: [desired('NAME')] });
    expect(report).toMatchObject({ outcome: 'succeeded', release: { confirmedBy: 'production' } });
    expect(world.project.deployments[0]?.status).toBe('succeeded');
  });

  it.each(['jump', 'down', 'stay'] as const)('whatever the counters do: %s', async (revisions) => {
    await using world = await startWorld({ dialect: { offers: 'neither', revisions } });
    const report = await runDeploy(world, { variables: [desired('NAME')] });
    expect(report).toMatchObject({ outcome: 'succeeded', release: { confirmedBy: 'production' } });
  });

  it.each(['absent', 'always-false'] as const)(
    'flags that are %s confirm nothing',
    async (pendingFlags) => {
      await using world = await startWorld({ dialect: { offers: 'neither', pendingFlags } });
      const report = await runDeploy(world, { variables: [desired('NAME')] });
      expect(report.outcome).toBe('unconfirmed');
    },
  );

  it('a failure is never called success: the runtime stays pending until the deadline', async () => {
    await using world = await startWorld({
      dialect: { offers: 'neither', deploymentEnds: 'failure' },
      timeout: 20_000,
    });
    const report = await runDeploy(world, { variables: [desired('NAME')] });
    expect(report.outcome).toBe('timed-out');
  });

  const pages: readonly (readonly [string, number, string, string, 'succeeded' | 'unconfirmed'])[] =
    [
      ['was not found before', 404, '', '', 'succeeded'],
      ['had another text before', 200, 'old', 'new', 'succeeded'],
      ['was good before', 200, 'new', 'new', 'unconfirmed'],
      ['had a passing fault before', 503, '', '', 'unconfirmed'],
    ];
  it.each(pages)('a page that %s (%i): %s', async (_, status, before, contains, outcome) => {
    await using world = await startWorld({ dialect: { offers: 'neither' } });
    const isLive = () => world.project.deployments[0]?.status === 'succeeded';
    await using page = createServer((_request, response) => {
      response.statusCode = isLive() ? 200 : status;
      response.end(isLive() ? 'new' : before);
    });
    await once(page.listen(0, '127.0.0.1'), 'listening');
    const address = page.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const url = new URL(`http://127.0.0.1:${port}/`);
    const report = await runDeploy(world, { verify: { url, contains, namesCommit: false } });
    expect(report.outcome).toBe(outcome);
    if (outcome === 'succeeded') expect(report.release?.confirmedBy).toBe('site');
    page.closeAllConnections();
  });

  it('a page that was good before confirms nothing', async () => {
    await using world = await startWorld();
    await runDeploy(world);
    world.emulator.dialect.offers = 'neither';
    const url = new URL(world.project.siteUrl);
    const report = await runDeploy(world, { verify: { url, contains: '', namesCommit: false } });
    expect(report.outcome).toBe('unconfirmed');
    expect(report.error).toContain('put {sha} in verify-contains');
  });

  it('wait: none accepts and asks no further', async () => {
    await using world = await startWorld({ dialect: { offers: 'neither' } });
    const report = await runDeploy(world, { wait: 'none' });
    expect(report.outcome).toBe('accepted');
    expect(report.requests).toBe(2);
  });
});

describe.concurrent('wait', () => {
  it.each([
    ['stream', 'readDeploymentEvents', 'readDeployment'],
    ['poll', 'readDeployment', 'readDeploymentEvents'],
  ] as const)('%s asks only there', async (wait, asked, notAsked) => {
    await using world = await startWorld();
    const report = await runDeploy(world, { wait });
    expect(report).toMatchObject({ outcome: 'succeeded', release: { confirmedBy: wait } });
    const { journal } = world.emulator;
    const operations = new Set(journal.entries.map(({ operation }) => operation));
    expect([...operations].filter((name) => /Deployment/.test(name))).toEqual(
      expect.arrayContaining(['createDeployment', asked]),
    );
    expect(operations).not.toContain(notAsked);
  });
});
