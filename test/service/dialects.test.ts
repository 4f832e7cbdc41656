import { describe, expect, it } from 'vitest';
import { runProjects } from '../../src/projects/apply.ts';
import { runDomains } from '../domains/run.ts';
import { runDeploy } from '../support/deploy.ts';
import { sendNow } from '../support/message.ts';
import { runEnvSync } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { startWorld } from '../support/world.ts';

const hostname = 'www.example.com';

describe.concurrent('a deployment', () => {
  it.each(
    (['flat', 'nested', 'data', 'list', 'foreign-first'] as const).flatMap((statusShape) =>
      (['success', 'failure'] as const).map((deploymentEnds) => ({ statusShape, deploymentEnds })),
    ),
  )('is followed by a poll that is $statusShape to its $deploymentEnds', async (dialect) => {
    await using world = await startWorld({ dialect: { ...dialect, offers: 'poll' } });
    const { outcome } = await runDeploy(world, { wait: 'poll' });
    expect(outcome).toBe(dialect.deploymentEnds === 'success' ? 'succeeded' : 'failed');
  });

  it('is refused while another runs, and says so', async () => {
    const dialect = { overlappingDeployments: '409', deploymentEnds: 'never' } as const;
    await using world = await startWorld({ dialect });
    await runDeploy(world, { wait: 'none' });
    const { outcome, error } = await runDeploy(
      { ...world, keyFor: () => 'another' },
      { wait: 'none' },
    );
    expect(outcome).toBe('failed');
    expect(error).toContain('A deployment of the project is running (request id');
    expect(world.project.deployments).toHaveLength(1);
  });

  it.each([
    ['both', 'succeeded'],
    ['production', 'succeeded'],
    ['neither', 'timed-out'],
  ] as const)('whose publication makes %s current has %s', async (publicationApplies, outcome) => {
    const dialect = { publicationApplies, offers: 'neither' } as const;
    await using world = await startWorld({ dialect, timeout: 60_000 });
    const report = await runDeploy(world, { variables: [desired('A')] });
    expect(report.outcome).toBe(outcome);
    if (outcome === 'succeeded') expect(report.release?.confirmedBy).toBe('production');
  });

  it('and a project are asked for with a body, where none is refused', async () => {
    await using world = await startWorld({ dialect: { emptyBody: 'refuse' } });
    expect((await runDeploy(world)).outcome).toBe('succeeded');
    const report = await runProjects(world, { kind: 'create', body: {} });
    expect(report.outcome).toBe('succeeded');
  });
});

describe.concurrent('a refusal', () => {
  const emoji = desired('A', { value: '😀'.repeat(5000) });

  it.each([
    ['codePoints', 400, 'synced'],
    ['utf16', 400, 'failed'],
    ['utf16', 422, 'failed'],
    ['bytes', 422, 'failed'],
  ] as const)(
    'of a text whose length is counted in %s (%i)',
    async (lengthUnit, invalidStatus, ends) => {
      await using world = await startWorld({ dialect: { lengthUnit, invalidStatus } });
      const { environment, outcome } = await runEnvSync(world, { variables: [emoji] });
      expect(outcome).toBe(ends);
      if (ends === 'failed') {
        expect(JSON.stringify(environment)).toContain(`returned ${invalidStatus}`);
      }
      expect(world.project.variables).toHaveLength(ends === 'failed' ? 0 : 1);
    },
  );

  it.each([
    ['x-request-id', '(request id request-'],
    ['request-id', '(request id request-'],
    [null, undefined],
  ])('that carries its id in %s names it', async (requestIdHeader, id) => {
    await using world = await startWorld({
      dialect: { requestIdHeader, refuse: ['createDeployment'] },
    });
    const { error = '' } = await runDeploy(world);
    expect(error).toContain('403');
    if (id === undefined) expect(error).not.toContain('request id');
    else expect(error).toContain(id);
  });

  it.each(['404', '422'] as const)('of a project that is not there: %s', async (unknownProject) => {
    await using world = await startWorld({ dialect: { unknownProject } });
    const project = '00000000-0000-4000-8000-00000000000a';
    const report = await runDomains(world, { 'connected-domains': { [hostname]: { project } } });
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain(`returned ${unknownProject}`);
    expect(world.emulator.world.domains.all).toMatchObject([{ hostname, projectId: null }]);
  });
});

it('a turn runs in a sandbox in whatever state', async () => {
  const sandboxWords = { none: 'zorp', starting: '', running: 'Zorp' };
  await using world = await startWorld({ dialect: { sandboxWords } });
  expect((await sendNow(world)).outcome).toBe('succeeded');
  const all = { kind: 'list', filter: 'all', pattern: undefined, shard: undefined } as const;
  const list = await runProjects(world, all);
  expect(list).toMatchObject({ outcome: 'succeeded', projects: [{ projectId: world.project.id }] });
});
