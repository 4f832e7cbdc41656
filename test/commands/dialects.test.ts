import { describe, expect, it } from 'vitest';
import { runProjects } from '../../src/commands/projects.ts';
import type { DialectOptions } from '../../src/emulator/index.ts';
import { runDeploy } from '../support/deploy.ts';
import { contentsOf } from '../support/domains.ts';
import { sendNow } from '../support/message.ts';
import { runEnvSync } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { startWorld } from '../support/world.ts';
import { planDomainsOf, runDomains } from './domains/run.ts';

const hostname = 'www.example.com';
const connected = { 'connected-domains': { [hostname]: { project: 'self' } } };
const registered = (settings: object) => ({ 'registered-domains': { 'example.com': settings } });
const a = (name: string) => ({ type: 'A', name, content: '203.0.113.10' });

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
    expect(error).toContain('A deployment of the project is running.');
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
    if (outcome === 'succeeded') expect(report.witness).toBe('production');
  });

  it('and a project are asked for with a body, where none is refused', async () => {
    await using world = await startWorld({ dialect: { emptyBody: 'refuse' } });
    expect((await runDeploy(world)).outcome).toBe('succeeded');
    const request = { filter: 'all', pattern: undefined, shard: undefined, create: {} } as const;
    const report = await runProjects(world, request);
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
        expect(JSON.stringify(environment)).toContain(`answered ${invalidStatus}`);
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
    expect(report.error).toContain(`answered ${unknownProject}`);
    expect(world.emulator.world.domains.all).toMatchObject([{ hostname, projectId: null }]);
  });
});

describe.concurrent('a domain', () => {
  const follow = 60_000;

  it.each<readonly [string, DialectOptions]>([
    [
      'in other words',
      {
        domainWords: {
          state: { waiting: 'new', working: 'in_progress', good: 'Live' },
          ownership: { good: 'OK' },
          certificate: { good: 'valid' },
          routing: { good: 'assigned' },
        },
      },
    ],
    ['with what it still lacks', { earlyVerificationErrors: true }],
    ['slowly', { revalidation: 'slow', revalidateMs: 5, verifyMs: 40 }],
  ])('is verified: %s', async (_, dialect) => {
    await using world = await startWorld({ dialect });
    const report = await runDomains(world, connected, { follow });
    expect(report).toMatchObject({ outcome: 'synced', connected: [{ verification: 'good' }] });
  });

  it.each(['ownership', 'certificate', 'routing'] as const)(
    'that fails at its %s is told so',
    async (domainStopsAt) => {
      await using world = await startWorld({ dialect: { domainStopsAt, domainEnds: 'failure' } });
      const report = await runDomains(world, connected, { follow });
      expect(report).toMatchObject({ connected: [{ verification: 'bad' }] });
      expect(JSON.stringify(report.connected)).toMatch(new RegExp(`${domainStopsAt}.*failed`));
    },
  );

  it('whose routing is checked again after it is assigned is followed to its end', async () => {
    const dialect = { assignmentReroutes: true, verifyMs: 0 };
    await using world = await startWorld({ dialect });
    const { emulator, project } = world;
    const domain = emulator.world.connectDomain(hostname);
    emulator.dialect.verifyMs = 150;
    const report = await runDomains(world, connected, { follow });
    expect(report).toMatchObject({ outcome: 'synced', connected: [{ verification: 'good' }] });
    expect(domain.projectId).toBe(project.id);
  });

  it.each<readonly [string, object, DialectOptions]>([
    ['bound', { project: 'self' }, { bindWords: { unbound: 'free', bound: 'attached' } }],
    ['renewed', { renewal: true }, { renewalWords: { on: 'auto', off: 'none' } }],
  ])('is %s in whatever word', async (_, settings, dialect) => {
    await using world = await startWorld({ dialect });
    world.emulator.world.registerDomain('example.com');
    const { outcome, results } = await runDomains(world, registered(settings));
    expect({ outcome, results }).toMatchObject({
      outcome: 'synced',
      results: [{ outcome: 'done' }],
    });
  });

  it('whose binding brings a record of the system has that left alone', async () => {
    await using world = await startWorld({ dialect: { bindingRecord: true } });
    world.emulator.world.registerDomain('example.com');
    const site = registered({ project: 'self', dns: [a('www')] });
    expect((await runDomains(world, site)).outcome).toBe('synced');
    expect(contentsOf(world.emulator, 'example.com')).toEqual(['A www 203.0.113.10']);
    expect((await planDomainsOf(world, site)).changes).not.toContainEqual(
      expect.objectContaining({ name: '@' }),
    );
  });

  it('where records stand beside a CNAME is read and written', async () => {
    await using world = await startWorld({ dialect: { cnameBesideOthers: 'allow' } });
    const { zone } = world.emulator.world.registerDomain('example.com');
    zone.put({ type: 'CNAME', name: 'www', content: 'one.example.net' });
    zone.put({ type: 'TXT', name: 'www', content: 'beside' });
    const report = await runDomains(world, registered({ dns: [a('api')] }));
    expect(report.outcome).toBe('synced');
    expect(contentsOf(world.emulator, 'example.com')).toContain('A api 203.0.113.10');
  });

  it.each(['403', '409', '422'] as const)(
    'whose record became managed refuses its update: %s',
    async (managedRefusal) => {
      await using world = await startWorld({ dialect: { managedRefusal } });
      const { emulator, host } = world;
      const { zone } = emulator.world.registerDomain('example.com');
      const record = zone.put({ type: 'A', name: 'www', content: '192.0.2.1' });
      const { report } = host;
      host.report = (progress) => {
        report(progress);
        if (progress.type === 'change') zone.put({ ...record, managedReason: 'Of the system.' });
      };
      const { outcome, error } = await runDomains(
        world,
        registered({ dns: [a('early'), a('www')] }),
      );
      expect(outcome).toBe('failed');
      expect(error).toContain(managedRefusal);
    },
  );

  it('is shown as the registry sees it', async () => {
    const verdict = { registrable: true, cost: 100, renewalCost: 80, premium: true } as const;
    await using world = await startWorld({ dialect: { availability: () => verdict } });
    const { availability } = await runDomains(world, {}, { check: ['site-0.com'] });
    expect(availability).toMatchObject([{ premium: true, price: 125, renewalPrice: 100 }]);
  });

  it('is priced with whatever markup', async () => {
    await using world = await startWorld({ dialect: { priceMarkup: 2 } });
    const { availability } = await runDomains(world, {}, { check: ['site-0.com'] });
    expect(availability).toMatchObject([{ registrable: true, price: 20.88 }]);
  });
});

it('a turn runs in a sandbox in whatever state', async () => {
  const sandboxWords = { none: 'zorp', starting: '', running: 'Zorp' };
  await using world = await startWorld({ dialect: { sandboxWords } });
  expect((await sendNow(world)).outcome).toBe('succeeded');
  const request = { filter: 'all', pattern: undefined, shard: undefined } as const;
  const list = await runProjects(world, { ...request, create: undefined });
  expect(list).toMatchObject({ outcome: 'succeeded', projects: [{ projectId: world.project.id }] });
});
