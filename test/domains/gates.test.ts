import { describe, expect, it } from 'vitest';
import type { PlanGates } from '../../src/kernel/change.ts';
import { writesTo } from '../support/domains.ts';
import { startWorld, type World } from '../support/world.ts';
import { planDomainsOf, runDomains, warningsTold } from './run.ts';

const address = (name: string, content = '203.0.113.10') => ({ type: 'A', name, content });
const siteOf = (dns: readonly object[], fields: object = {}) => ({
  'connected-domains': { 'www.example.com': { project: 'self' } },
  'registered-domains': { 'example.com': { dns, ...fields } },
});
const site = siteOf([address('www'), address('shop'), address('blog')]);

async function startSite(): Promise<World> {
  const world = await startWorld();
  world.emulator.world.registerDomain('example.com');
  return world;
}

const gates = (fields: Partial<PlanGates>): { gates: PlanGates } => ({
  gates: { expectedPlan: undefined, maxChanges: undefined, ...fields },
});

const elsewhere: readonly (readonly [string, (world: World) => void])[] = [
  [
    'a record was made elsewhere',
    ({ emulator }) => emulator.world.registered.get('example.com').zone.put(address('www')),
  ],
  [
    'another content stands where one is to be changed',
    ({ emulator }) =>
      emulator.world.registered.get('example.com').zone.put(address('shop', '192.0.2.2')),
  ],
  [
    'a domain was connected elsewhere',
    ({ emulator }) => emulator.world.connectDomain('www.example.com'),
  ],
];

describe.concurrent('expected-plan', () => {
  it('lets the plan through that was reviewed', async () => {
    await using world = await startSite();
    const { digest } = await planDomainsOf(world, site);
    const applied = await runDomains(world, site, gates({ expectedPlan: digest }));
    expect(applied).toMatchObject({ outcome: 'synced', digest });
  });

  it.each(elsewhere)('is not met once %s: nothing is written', async (_, act) => {
    await using world = await startSite();
    const { digest } = await planDomainsOf(world, site);
    act(world);
    const report = await runDomains(world, site, gates({ expectedPlan: digest }));
    expect(report).toMatchObject({ outcome: 'conflict', isPlanned: true });
    expect(report.error).toContain(`(expected-plan: ${digest.slice(0, 12)}…)`);
    expect(report.error).toContain(`then set expected-plan: ${report.digest}`);
    expect(report.results.length).toBeGreaterThan(0);
    expect(report.results.every(({ outcome }) => outcome === 'planned')).toBe(true);
    expect(writesTo(world.emulator)).toEqual([]);
  });

  it.each([
    ['another record', siteOf([address('www', '203.0.113.11'), address('shop'), address('blog')])],
    [
      'another setting',
      siteOf([address('www'), address('shop'), address('blog')], { renewal: false }),
    ],
    ['another project', { ...site, 'connected-domains': { 'www.example.com': { project: null } } }],
  ])('is not met by a file that declares %s', async (_, other) => {
    await using world = await startSite();
    const { digest } = await planDomainsOf(world, site);
    const { outcome } = await runDomains(world, other, gates({ expectedPlan: digest }));
    expect(outcome).toBe('conflict');
    expect(writesTo(world.emulator)).toEqual([]);
  });

  it('is met by an empty plan, whatever was reviewed: a second run of one workflow is fine', async () => {
    await using world = await startSite();
    const { digest } = await planDomainsOf(world, site);
    await runDomains(world, site, gates({ expectedPlan: digest }));
    const again = await runDomains(world, site, gates({ expectedPlan: digest }));
    expect(again).toMatchObject({ outcome: 'synced', changes: [] });
    expect(again.digest).not.toBe(digest);
  });

  it('is not met by settings alone that nobody reviewed: nothing is set, and it says what to do', async () => {
    await using world = await startSite();
    const reviewed = siteOf([], { renewal: true });
    await runDomains(world, reviewed);
    const { digest } = await planDomainsOf(world, reviewed);
    const writes = writesTo(world.emulator).length;
    const other = siteOf([], { renewal: false });
    const report = await runDomains(world, other, gates({ expectedPlan: digest }));
    expect(report).toMatchObject({ outcome: 'conflict', isPlanned: true, changes: [] });
    expect(report.error).toContain('only renewal and binding are left to set');
    expect(report.error).toContain(
      "Run mode: plan again, and set expected-plan to the approved plan's digest.",
    );
    expect(writesTo(world.emulator)).toHaveLength(writes);
    expect(world.emulator.world.registered.all[0]?.autoRenew).toBe(true);
  });

  it('is not met by the repetition of a run that failed in its settings, until its rest is approved', async () => {
    await using world = await startSite();
    const declared = siteOf([address('www')], { renewal: false });
    const { digest } = await planDomainsOf(world, declared);
    world.emulator.faults.add({
      operation: 'setRenewal',
      kind: 'status',
      status: 422,
      effect: false,
    });
    const failed = await runDomains(world, declared, gates({ expectedPlan: digest }));
    expect(failed.outcome).toBe('failed');
    const again = await runDomains(world, declared, gates({ expectedPlan: digest }));
    expect(again).toMatchObject({ outcome: 'conflict', changes: [] });
    const rest = await planDomainsOf(world, declared);
    expect(again.error).toContain(`now: ${rest.digest.slice(0, 12)}…`);
    const approved = await runDomains(world, declared, gates({ expectedPlan: rest.digest }));
    expect(approved.outcome).toBe('synced');
    expect(world.emulator.world.registered.all[0]?.autoRenew).toBe(false);
  });
});

describe.concurrent('max-changes', () => {
  // Four resources: a connected domain and three records; the domain is connected and assigned, and counts once.
  it.each([
    ['3', { count: 3 }, 'the plan changes 4 of 4 resources, max-changes is 3'],
    ['0', { count: 0 }, 'the plan changes 4 of 4 resources, max-changes is 0'],
    ['99%', { percent: 99 }, 'the plan changes 4 of 4 resources, max-changes is 99%'],
  ])('%s refuses a plan that changes all', async (_, maxChanges, says) => {
    await using world = await startSite();
    const report = await runDomains(world, site, gates({ maxChanges }));
    expect(report).toMatchObject({ outcome: 'failed', isPlanned: true });
    expect(report.error).toContain(says);
    expect(report.error).toContain('raise max-changes for this run');
    expect(writesTo(world.emulator)).toEqual([]);
  });

  it.each([
    ['4', { count: 4 }],
    ['100%', { percent: 100 }],
  ])('%s lets it through', async (_, maxChanges) => {
    await using world = await startSite();
    expect(await runDomains(world, site, gates({ maxChanges }))).toMatchObject({
      outcome: 'synced',
    });
  });

  it.each([
    ['25%', { percent: 25 }, 'synced'],
    ['24%', { percent: 24 }, 'failed'],
  ])('%s of four resources, one of which changes: %s', async (_, maxChanges, outcome) => {
    await using world = await startSite();
    await runDomains(world, site);
    const other = siteOf([address('www'), address('shop'), address('blog', '203.0.113.11')]);
    expect((await runDomains(world, other, gates({ maxChanges }))).outcome).toBe(outcome);
  });

  it('counts records that differ only in their tag or port', async () => {
    await using world = await startSite();
    const caa = { type: 'CAA', name: '@', content: 'ca.example', flags: 0 };
    const srv = {
      type: 'SRV',
      name: '_sip._tcp',
      content: 'sip.example.com',
      priority: 0,
      weight: 0,
    };
    const dns = [
      { ...caa, tag: 'issue' },
      { ...caa, tag: 'issuewild' },
      { ...srv, port: 5060 },
      { ...srv, port: 5061 },
    ];
    const declared = { 'registered-domains': { 'example.com': { dns } } };
    const { error } = await runDomains(world, declared, gates({ maxChanges: { count: 3 } }));
    expect(error).toContain('the plan changes 4 of 4');
  });

  it.each([
    [
      'thirty texts that begin alike',
      {
        'example.com': Array.from({ length: 30 }, (_, index) => ({
          type: 'TXT',
          name: '@',
          content: `${'x'.repeat(80)}${index}`,
        })),
      },
      30,
    ],
    [
      'two records of one full name, in two zones',
      { 'example.com': [address('a.sub')], 'sub.example.com': [address('a')] },
      2,
    ],
  ])('counts %s one by one', async (_, zones, count) => {
    await using world = await startSite();
    world.emulator.world.registerDomain('sub.example.com');
    const declared = {
      'registered-domains': Object.fromEntries(
        Object.entries(zones).map(([name, dns]) => [name, { dns }]),
      ),
    };
    const { error } = await runDomains(
      world,
      declared,
      gates({ maxChanges: { count: count - 1 } }),
    );
    expect(error).toContain(`the plan changes ${count} of ${count}`);
  });

  it('does not count settings', async () => {
    await using world = await startSite();
    const declared = siteOf([], { renewal: false, project: 'self' });
    const only = { 'registered-domains': declared['registered-domains'] };
    const { outcome } = await runDomains(world, only, gates({ maxChanges: { count: 0 } }));
    expect(outcome).toBe('synced');
  });

  it('of a plan only warns, and the plan is shown', async () => {
    await using world = await startSite();
    const report = await runDomains(world, site, {
      ...gates({ maxChanges: { count: 1 } }),
      planOnly: true,
    });
    expect(report).toMatchObject({ outcome: 'planned', isPlanned: true });
    expect(warningsTold(world)).toEqual([expect.stringContaining("This plan can't be applied.")]);
    expect(report.refusal).toContain("This plan can't be applied.");
  });

  it('an empty plan passes 0', async () => {
    await using world = await startSite();
    await runDomains(world, site);
    expect(await runDomains(world, site, gates({ maxChanges: { count: 0 } }))).toMatchObject({
      outcome: 'synced',
    });
  });
});
