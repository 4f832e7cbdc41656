// Attack (reports): Two things fail at once, and only one is reported
// Defense: One is the error, the other a warning

import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { cleanUp, PreviewKept, sweep } from '../../src/deploy/clean-up.ts';
import type { Target } from '../../src/deploy/context.ts';
import { hostnameMatcher } from '../../src/deploy/previews/model/preview-hostname.ts';
import type { PreviewRequest } from '../../src/deploy/previews/preview.ts';
import { safe } from '../../src/kernel/text/safe.ts';
import { runDeploy } from '../support/deploy.ts';
import { warningsIn } from '../support/read-report.ts';
import { desired } from '../support/variables.ts';
import { linesIn, startWorld, type World } from '../support/world.ts';

const hostname = 'pr-7.p.example.com';
const matcher = hostnameMatcher('pr-{number}.p.example.com', { owner: 'o', repo: 'r' });

const preview = (fields: Partial<PreviewRequest> = {}): PreviewRequest => ({
  hostname,
  matcher,
  timeout: 60_000,
  strict: false,
  known: [],
  ...fields,
});

const leased = (world: World, fields: Partial<PreviewRequest> = {}): Target => ({
  kind: 'lease',
  from: [world.project.id],
  preview: preview(fields),
});

const domainOf = (world: World, name = hostname) =>
  world.emulator.world.domains.all.find((domain) => domain.hostname === name);

const warnings = (world: World) => warningsIn(world.told);

describe.concurrent('a preview domain', () => {
  it.each<[string, (world: World) => Promise<string[]>, string[]]>([
    ['that is new is connected', async () => [], ['connectDomain']],
    [
      'that is unassigned is assigned',
      async ({ emulator }) => {
        emulator.world.connectDomain(hostname);
        return [];
      },
      ['assignDomain'],
    ],
    [
      'that is assigned to a project that the run knows is moved',
      async ({ emulator }) => {
        const other = await emulator.world.createProject();
        emulator.world.connectDomain(hostname, other.id);
        return [other.id];
      },
      ['assignDomain'],
    ],
    [
      'that is there already is left as it is',
      async ({ emulator, project }) => {
        emulator.world.connectDomain(hostname, project.id);
        return [];
      },
      [],
    ],
  ])('%s', async (_, before, writes) => {
    await using world = await startWorld();
    const known = await before(world);
    const report = await runDeploy(world, { preview: preview({ known }), guarded: true });
    expect(report).toMatchObject({
      outcome: 'succeeded',
      preview: { domain: { verification: 'good' } },
    });
    expect(domainOf(world)?.projectId).toBe(world.project.id);
    const operations = world.emulator.journal.entries.map(({ operation }) => operation);
    expect(operations.filter((name) => /^(connect|assign)Domain$/.test(name))).toEqual(writes);
  });

  const dialects: DialectOptions[] = [
    { unassigned: 'null' },
    { unassigned: 'absent' },
    { unassigned: 'empty' },
    { revalidation: 'advances' },
    { revalidation: 'slow' },
    { duplicateHostname: 'same' },
    { extraFields: true },
  ];
  it.each(dialects)('is followed to its end: %j', async (dialect) => {
    await using world = await startWorld({ dialect });
    world.emulator.world.connectDomain(hostname);
    const report = await runDeploy(world, { preview: preview() });
    expect(report.preview?.domain).toMatchObject({ verification: 'good', records: [] });
  });

  it('is asked to be looked at again no more often than every five seconds', async () => {
    await using world = await startWorld({ dialect: { domainEnds: 'never' } });
    await runDeploy(world, { preview: preview() });
    const looks = world.emulator.journal.of('readConnectedDomain');
    const revalidating = looks.filter(({ query }) => query['revalidate'] === 'true');
    expect(revalidating.length).toBeGreaterThan(2);
    expect(revalidating.length).toBeLessThanOrEqual(60 / 5 + 2);
    expect(looks[0]).toBe(revalidating[0]);
    // In the first five seconds four more looks ask nobody to look again.
    expect(looks.length - revalidating.length).toBeLessThanOrEqual(5);
  });

  it('that is not verified in time: a warning with the records to make', async () => {
    await using world = await startWorld({ dialect: { domainEnds: 'never' } });
    const report = await runDeploy(world, { preview: preview() });
    expect(report.outcome).toBe('succeeded');
    expect(report.preview?.domain?.records.length).toBeGreaterThan(0);
    expect(warnings(world).join()).toContain('is not verified after 1m');
    expect(warnings(world).join()).toContain('Create the DNS records in the summary');
  });

  it.each(['never', 'failure'] as const)(
    'that ends as %s fails the run if it is told to',
    async (domainEnds) => {
      await using world = await startWorld({ dialect: { domainEnds } });
      const report = await runDeploy(world, { preview: preview({ strict: true }) });
      expect(report.outcome).toBe('failed');
      expect(report.error).toContain(hostname);
      expect(report.release?.deployment?.status).toBe('succeeded');
    },
  );

  it('is not waited for when the deployment has failed', async () => {
    await using world = await startWorld({
      dialect: { domainEnds: 'never', deploymentEnds: 'failure' },
    });
    const report = await runDeploy(world, { preview: preview({ timeout: 19 * 60_000 }) });
    expect(report.outcome).toBe('failed');
    expect(report.durationMs).toBeLessThan(5 * 60_000);
  });

  it('of a pull request that was closed before is not placed', async () => {
    await using world = await startWorld();
    const isOpen = async () => false;
    const report = await runDeploy(world, { preview: preview({ isOpen }) });
    expect(report).toMatchObject({ outcome: 'skipped', skippedReason: 'pull-request-closed' });
    expect(world.emulator.world.domains.all).toEqual([]);
    expect(world.project.deployments).toEqual([]);
  });

  it('of a pull request that was closed in the meantime is taken back, whatever is deployed', async () => {
    await using world = await startWorld({ dialect: { deploymentEnds: 'never' } });
    let asked = 0;
    const isOpen = async () => {
      asked += 1;
      return asked === 1;
    };
    const report = await runDeploy(world, { preview: preview({ isOpen }) });
    expect(report).toMatchObject({ outcome: 'skipped', skippedReason: 'pull-request-closed' });
    expect(report.error).toContain('closed during this run');
    expect(domainOf(world)?.projectId).toBeNull();
  });
});

describe.concurrent('a preview domain in trouble', () => {
  it.each([[['listConnectedDomains']], [['listConnectedDomains', 'readConnectedDomain']]] as const)(
    'is not taken from a project that the run does not know where the key may not %j',
    async (refuse) => {
      await using world = await startWorld({ dialect: { refuse: [...refuse] } });
      const other = await world.emulator.world.createProject();
      world.emulator.world.connectDomain(hostname, other.id);
      const report = await runDeploy(world, { preview: preview(), guarded: true });
      expect(report.outcome).toBe('failed');
      expect(world.project.deployments).toEqual([]);
      expect(domainOf(world)?.projectId).toBe(other.id);
    },
  );

  it('is looked at alone where domains cannot be listed', async () => {
    await using world = await startWorld({ dialect: { refuse: ['listConnectedDomains'] } });
    const report = await runDeploy(world, { preview: preview(), guarded: true });
    expect(report.outcome).toBe('succeeded');
    expect(domainOf(world)?.projectId).toBe(world.project.id);
  });

  it('is moved where the service wants it cleared first', async () => {
    await using world = await startWorld({ dialect: { assignedElsewhere: '409' } });
    const other = await world.emulator.world.createProject();
    world.emulator.world.connectDomain(hostname, other.id);
    const report = await runDeploy(world, { preview: preview({ known: [other.id] }) });
    expect(report.outcome).toBe('succeeded');
    expect(domainOf(world)?.projectId).toBe(world.project.id);
  });

  it('is not cleared where a 409 only repeats what was done', async () => {
    await using world = await startWorld({ dialect: { idempotency: 'conflict' } });
    const other = await world.emulator.world.createProject();
    world.emulator.world.connectDomain(hostname, other.id);
    world.emulator.faults.add({ operation: 'assignDomain', kind: 'reset-after' });
    const report = await runDeploy(world, { preview: preview({ known: [other.id] }) });
    expect(report.outcome).toBe('succeeded');
    expect(domainOf(world)?.projectId).toBe(world.project.id);
    expect(world.emulator.journal.of('assignDomain')).toHaveLength(2);
  });

  it('that is connected meanwhile to a project that the run does not know is not moved', async () => {
    await using world = await startWorld({ dialect: { latencyMs: 15 } });
    const { emulator, project } = world;
    const other = await emulator.world.createProject();
    const race = emulator.journal
      .waitFor(({ operation }) => operation === 'connectDomain')
      .then(() => emulator.world.connectDomain(hostname, other.id));
    const report = await runDeploy(world, { preview: preview() });
    await race;
    expect(report.outcome).toBe('failed');
    expect(report.error).toMatch(/is assigned to project .* which no input of this run names/);
    expect(domainOf(world)?.projectId).toBe(other.id);
    expect(project.deployments).toEqual([]);
  });

  it('stays where it was if its move ends half-way, and nothing is deployed', async () => {
    await using world = await startWorld({ dialect: { assignedElsewhere: '409' } });
    const other = await world.emulator.world.createProject();
    world.emulator.world.connectDomain(hostname, other.id);
    const refusal = { kind: 'status', status: 409, effect: false } as const;
    // The first assignment is refused, the domain is cleared, and the second assignment is refused too.
    world.emulator.faults.add({ operation: 'assignDomain', after: 2, ...refusal });
    const report = await runDeploy(world, { preview: preview({ known: [other.id] }) });
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain(`${hostname} serves its former project again`);
    expect(domainOf(world)?.projectId).toBe(other.id);
    expect(world.project.deployments).toEqual([]);
  });

  it('that may not be read says so, and not that time was up', async () => {
    await using world = await startWorld({ dialect: { refuse: ['readConnectedDomain'] } });
    const report = await runDeploy(world, { preview: preview() });
    expect(report.outcome).toBe('succeeded');
    expect(warnings(world).join()).toContain('Following the verification of');
    expect(warnings(world).join()).not.toContain('is not verified after');
  });

  it('that has a passing fault is followed on', async () => {
    await using world = await startWorld();
    const fault = { kind: 'status', status: 500, effect: false } as const;
    world.emulator.faults.add({ operation: 'readConnectedDomain', times: 6, ...fault });
    const report = await runDeploy(world, { preview: preview({ timeout: 10 * 60_000 }) });
    expect(report.preview?.domain?.verification).toBe('good');
  });

  it('that has faults until time is up is told as not verified, by its first state', async () => {
    await using world = await startWorld({ dialect: { domainEnds: 'never' } });
    const fault = { kind: 'status', status: 500, effect: false } as const;
    world.emulator.faults.add({ operation: 'readConnectedDomain', times: Infinity, ...fault });
    await runDeploy(world, { preview: preview() });
    const lines = world.told.map(linesIn).filter((text) => text.startsWith('Domain '));
    expect(lines).toEqual([expect.stringContaining(`Domain ${hostname} is not verified yet`)]);
    expect(warnings(world).join()).toContain('is not verified after');
    expect(warnings(world).join()).not.toContain('Following the verification of');
  });

  it.each(['none', 'another'])(
    'that is assigned to %s instead of the project is not followed any more',
    async (to) => {
      await using world = await startWorld({ dialect: { domainEnds: 'never' } });
      const other = await world.emulator.world.createProject();
      const { report: tell } = world.host;
      world.host.report = (progress) => {
        tell(progress);
        const isBuilding = progress.type === 'status' && progress.status === 'building';
        if (isBuilding)
          world.emulator.world.assignDomain(hostname, to === 'none' ? null : other.id);
      };
      const report = await runDeploy(world, { preview: preview({ timeout: 19 * 60_000 }) });
      expect(report.durationMs).toBeLessThan(5 * 60_000);
    },
  );
});

describe.concurrent('two things that go wrong at once', () => {
  const refusal = { kind: 'status', status: 400, effect: false, times: Infinity } as const;

  it('a variable, and the move of the domain: it is told that nobody has that now', async () => {
    await using world = await startWorld({ dialect: { assignedElsewhere: '409' } });
    const { emulator } = world;
    const other = await emulator.world.createProject();
    emulator.world.connectDomain(hostname, other.id);
    emulator.faults.add({ ...refusal, operation: 'createVariable' });
    // The first is refused by the service itself, the second clears the assignment.
    emulator.faults.add({ ...refusal, operation: 'assignDomain', after: 2 });
    const report = await runDeploy(world, {
      preview: preview({ known: [other.id] }),
      variables: [desired('A')],
    });
    expect(report.error).toContain('create the variable');
    expect(domainOf(world)?.projectId).toBeNull();
    expect(warnings(world)).toEqual([expect.stringContaining('may have no project now')]);
  });

  it('a refused run, and the lease that it gives back: its own reason stands', async () => {
    await using world = await startWorld();
    const { emulator, project } = world;
    project.setVariable({ name: 'NEEDED', value: '', required: true });
    emulator.faults.add({ ...refusal, operation: 'assignDomain' });
    const report = await runDeploy(world, { target: leased(world) });
    expect(report.error).toContain('the service requires variables that have no value: NEEDED');
    expect(warnings(world).join()).toContain('unassign the domain');
  });
});

it('a refused run leaves a preview as it was that had its project before', async () => {
  await using world = await startWorld();
  const { emulator, project } = world;
  emulator.world.connectDomain(hostname, project.id);
  project.setVariable({ name: 'NEEDED', value: '', required: true });
  const report = await runDeploy(world, { target: leased(world) });
  expect(report.error).toContain('the service requires variables that have no value: NEEDED');
  expect(domainOf(world)?.projectId).toBe(project.id);
});

it('a refused run leaves a hostname where a person moved it since the run leased a project', async () => {
  await using world = await startWorld();
  const { emulator, project } = world;
  const elsewhere = await emulator.world.createProject();
  project.setVariable({ name: 'NEEDED', value: '', required: true });
  const until = async () => emulator.world.assignDomain(hostname, elsewhere.id);
  emulator.faults.add({ operation: 'readEnvironment', kind: 'hold', until });
  const report = await runDeploy(world, { target: leased(world) });
  expect(report.error).toContain('the service requires variables that have no value: NEEDED');
  expect(domainOf(world)?.projectId).toBe(elsewhere.id);
});

it('a leased project is written to although another preview tries it in this moment', async () => {
  await using world = await startWorld();
  const { emulator, project } = world;
  emulator.world.connectDomain(hostname, project.id);
  const rival = hostname.replace(/\d+/, '999');
  expect(preview().matcher.matches(rival)).toBe(true);
  // The first look is the lease's, the second the guard's.
  const second = { operation: 'listConnectedDomains', after: 1 };
  emulator.faults.add({
    ...second,
    kind: 'hold',
    until: async () => emulator.world.connectDomain(rival, project.id),
  });
  const request = { target: leased(world), guarded: true };
  const report = await runDeploy(world, request);
  expect(report.error ?? '').not.toContain('serves');
  expect(project.deployments).toHaveLength(1);
});

describe.concurrent('a leased preview', () => {
  it('is given back when the pull request is closed in the meantime', async () => {
    await using world = await startWorld();
    let asked = 0;
    const isOpen = async () => {
      asked += 1;
      return asked < 2;
    };
    const report = await runDeploy(world, { target: leased(world, { isOpen }), guarded: true });
    expect(report).toMatchObject({ outcome: 'skipped', skippedReason: 'pull-request-closed' });
    expect(domainOf(world)?.projectId).toBeNull();
  });

  it('that another pull request took in the meantime is not deployed to', async () => {
    await using world = await startWorld();
    const { report: tell } = world.host;
    let acted = false;
    world.host.report = (progress) => {
      tell(progress);
      if (progress.type !== 'lines' || acted) return;
      acted = true;
      world.emulator.world.assignDomain(hostname, null);
      world.emulator.world.connectDomain('pr-8.p.example.com', world.project.id);
    };
    const report = await runDeploy(world, { target: leased(world), guarded: false });
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('is no longer assigned to its project');
    expect(world.project.deployments).toEqual([]);
  });

  it('stays where it is while another pull request comes and has to leave again', async () => {
    await using world = await startWorld();
    const { report: tell } = world.host;
    let acted = false;
    world.host.report = (progress) => {
      tell(progress);
      if (progress.type !== 'lines' || acted) return;
      acted = true;
      world.emulator.world.connectDomain('pr-8.p.example.com', world.project.id);
    };
    const report = await runDeploy(world, { target: leased(world), guarded: true });
    expect(report.outcome).toBe('succeeded');
    expect(domainOf(world)?.projectId).toBe(world.project.id);
  });

  it('that was closed after it went live is not announced', async () => {
    await using world = await startWorld();
    const isOpen = async () => world.project.deployments[0]?.status !== 'succeeded';
    const report = await runDeploy(world, { target: leased(world, { isOpen }), guarded: true });
    expect(report).toMatchObject({ outcome: 'skipped', skippedReason: 'pull-request-closed' });
  });
});

describe.concurrent('a fixed project', () => {
  const other = 'pr-8.p.example.com';
  it.each([
    ['another pull request took', true],
    ['that a person gave another site', false],
  ])('%s since the first look is not deployed to, and is given back', async (_, isPreview) => {
    await using world = await startWorld();
    const { emulator, project } = world;
    const taken = isPreview ? other : 'www.example.com';
    const until = async () => emulator.world.connectDomain(taken, project.id);
    emulator.faults.add({ operation: 'connectDomain', kind: 'hold', until });
    const report = await runDeploy(world, { preview: preview(), guarded: true });
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain(`Nothing was deployed: ${taken} was assigned to the project`);
    expect(project.deployments).toEqual([]);
    expect(domainOf(world)?.projectId).toBeNull();
  });

  it('that two pull requests take at once is deployed to by one of them at most', async () => {
    await using world = await startWorld();
    const { emulator, project } = world;
    const listed = emulator.journal.waitFor(
      () => emulator.journal.of('listConnectedDomains').filter(({ status }) => status).length > 1,
    );
    const until = async () => void (await listed);
    emulator.faults.add({ operation: 'connectDomain', kind: 'hold', times: 2, until });
    const reports = await Promise.all(
      [hostname, other].map((name) =>
        runDeploy(world, { preview: preview({ hostname: name }), guarded: true }),
      ),
    );
    const live = reports.filter(({ outcome }) => outcome === 'succeeded').length;
    expect(live).toBeLessThanOrEqual(1);
    expect(project.deployments).toHaveLength(live);
    const assigned = emulator.world.domains.all.filter(({ projectId }) => projectId === project.id);
    expect(assigned).toHaveLength(live);
  });

  it('that its pull request has already is not looked at once more', async () => {
    await using world = await startWorld();
    world.emulator.world.connectDomain(hostname, world.project.id);
    const report = await runDeploy(world, { preview: preview(), guarded: true });
    expect(report.outcome).toBe('succeeded');
    expect(world.emulator.journal.of('listConnectedDomains')).toHaveLength(1);
  });
});

describe.concurrent('the guard', () => {
  it('refuses a project that serves another domain, and names it, before anything is written', async () => {
    await using world = await startWorld();
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const variables = [desired('NAME')];
    const report = await runDeploy(world, { preview: preview(), guarded: true, variables });
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('www.example.com');
    expect(report.error).toContain('allow-production');
    expect(world.project.deployments).toEqual([]);
    expect(world.project.variables).toEqual([]);
    expect(domainOf(world)).toBeUndefined();
  });

  it('lets a project pass that serves others when it is told to', async () => {
    await using world = await startWorld();
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const report = await runDeploy(world, { preview: preview(), guarded: false });
    expect(report.outcome).toBe('succeeded');
  });

  it('does not let a pull request pass when the service has a fault', async () => {
    await using world = await startWorld();
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const fault = { kind: 'status', status: 503, effect: false } as const;
    const times = Number.POSITIVE_INFINITY;
    world.emulator.faults.add({ operation: 'listConnectedDomains', times, ...fault });
    const report = await runDeploy(world, { guarded: true });
    expect(report.outcome).toBe('failed');
    expect(world.project.deployments).toEqual([]);
  });

  it('says so when the domains cannot be listed, and goes on', async () => {
    await using world = await startWorld({ dialect: { refuse: ['listConnectedDomains'] } });
    const report = await runDeploy(world, { guarded: true });
    expect(report.outcome).toBe('succeeded');
    expect(warnings(world).join()).toContain("Can't list the connected domains");
  });
});

describe.concurrent('a clean-up', () => {
  const request = (world: World, disconnect = false) => ({
    hostname,
    projects: [world.project.id],
    disconnect,
  });

  it('clears the assignment', async () => {
    await using world = await startWorld();
    world.emulator.world.connectDomain(hostname, world.project.id);
    expect(await cleanUp(world, request(world))).toBe('cleared');
    expect(domainOf(world)?.projectId).toBeNull();
  });

  it.each([
    ['each time', Number.POSITIVE_INFINITY],
    ['once', 1],
  ])('takes no answer for it that did nothing %s', async (_, times) => {
    await using world = await startWorld();
    const { emulator, project } = world;
    emulator.world.connectDomain(hostname, project.id);
    const body = JSON.stringify({ hostname, projectId: null, state: 'unassigned' });
    const lie = { kind: 'status', status: 200, effect: false, body } as const;
    emulator.faults.add({ operation: 'assignDomain', times, ...lie });
    const ending = cleanUp(world, request(world));
    if (times === 1) expect(await ending).toBe('cleared');
    else
      await expect(ending).rejects.toThrow(/a check afterwards shows it assigned to the project/);
    expect(domainOf(world)?.projectId).toBe(times === 1 ? null : project.id);
  });

  it('removes the domain if it is told to', async () => {
    await using world = await startWorld();
    world.emulator.world.connectDomain(hostname, world.project.id);
    expect(await cleanUp(world, request(world, true))).toBe('disconnected');
    expect(domainOf(world)).toBeUndefined();
  });

  it.each([false, true])(
    'leaves a domain alone that is assigned elsewhere (disconnect: %s)',
    async (disconnect) => {
      await using world = await startWorld();
      const other = await world.emulator.world.createProject();
      world.emulator.world.connectDomain(hostname, other.id);
      const ending = cleanUp(world, request(world, disconnect));
      await expect(ending).rejects.toThrow(`is assigned to project ${other.id}, which no input`);
      expect(domainOf(world)?.projectId).toBe(other.id);
    },
  );

  it('of what is not connected does nothing', async () => {
    await using world = await startWorld();
    expect(await cleanUp(world, request(world))).toBe('not-connected');
  });
});

describe('a sweep', () => {
  it('ends the previews of closed pull requests, and no others', async () => {
    await using world = await startWorld();
    const other = await world.emulator.world.createProject();
    const { emulator, project } = world;
    const name = (number: number) => `pr-${number}.p.example.com`;
    emulator.world.connectDomain(name(1), project.id);
    emulator.world.connectDomain(name(2), project.id);
    emulator.world.connectDomain(name(3), other.id);
    emulator.world.connectDomain(name(4), project.id);
    emulator.world.connectDomain('www.example.com', project.id);
    const none = { comment: undefined, series: undefined, lastReleased: async () => undefined };
    const history = { subject: { name: safe`Preview` }, ...none };
    const states = new Map([
      [1, { isOpen: true, labels: [], at: 0 }],
      [2, { isOpen: false, labels: [], at: 0 }],
      [3, { isOpen: false, labels: [], at: 0 }],
    ]);
    const request = {
      matcher,
      projects: [project.id],
      disconnect: false,
      readPull: async (number: number) => states.get(number),
      historyOf: () => history,
      longestIdle: undefined,
    };
    const kept = { error: expect.any(PreviewKept) };
    expect(await Array.fromAsync(sweep(world, request))).toEqual([
      {
        hostname: name(2),
        number: 2,
        projectId: project.id,
        history,
        reason: 'closed',
        result: 'cleared',
      },
      {
        hostname: name(3),
        number: 3,
        projectId: other.id,
        history,
        reason: 'closed',
        result: kept,
      },
    ]);
    const assigned = emulator.world.domains.all.filter(({ projectId }) => projectId !== null);
    expect(assigned.map((domain) => domain.hostname).sort()).toEqual(
      [name(1), name(3), name(4), 'www.example.com'].sort(),
    );
  });
});
