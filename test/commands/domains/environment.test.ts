import { describe, expect, it } from 'vitest';
import type { DomainsRequest } from '../../../src/commands/domains.ts';
import type { DesiredVariable } from '../../../src/core/environment/desired.ts';
import type { ConflictPolicy } from '../../../src/core/environment/variable-plan.ts';
import { writesTo } from '../../support/domains.ts';
import { memoryLedgers, valuesOf } from '../../support/sync.ts';
import { desired } from '../../support/variables.ts';
import { startWorld, type World } from '../../support/world.ts';
import { runDomains } from './run.ts';

const site = {
  'connected-domains': { 'www.example.com': { project: 'self' } },
  'registered-domains': {
    'example.com': { dns: [{ type: 'A', name: 'www', content: '203.0.113.10' }] },
  },
};

async function startSite(): Promise<World> {
  const world = await startWorld();
  world.emulator.world.registerDomain('example.com');
  return world;
}

/** The part of a request that is about variables. */
function withVariables(
  { project }: World,
  variables: readonly DesiredVariable[] = [desired('TOKEN'), desired('ORIGIN', { kind: 'plain' })],
  ledgers = memoryLedgers(),
  onConflict: ConflictPolicy = 'overwrite',
): Pick<DomainsRequest, 'environment'> {
  return { environment: { projectId: project.id, variables, ledgers, onConflict } };
}

describe.concurrent('the variables of the site file', () => {
  it('are planned and synced in the same run, before any domain', async () => {
    await using world = await startSite();
    const fields = withVariables(world);
    const plan = await runDomains(world, site, { ...fields, planOnly: true });
    expect(plan.changes.map(({ resource, action }) => `${resource} ${action}`)).toEqual([
      'connected-domain connect',
      'connected-domain assign',
      'dns-record create',
      'variable create',
      'variable create',
    ]);
    expect(plan.environment).toMatchObject({ isPlanned: true });
    expect(writesTo(world.emulator)).toEqual([]);
    const applied = await runDomains(world, site, fields);
    expect(applied).toMatchObject({ outcome: 'synced', digest: plan.digest });
    expect(valuesOf(world.project)).toEqual({
      TOKEN: desired('TOKEN').value,
      ORIGIN: desired('ORIGIN').value,
    });
    expect(writesTo(world.emulator).map(({ operation }) => operation)).toEqual([
      'createVariable',
      'createVariable',
      'connectDomain',
      'createDnsRecord',
      'assignDomain',
    ]);
  });

  it('are left alone by the next run, which knows their values from the ledger', async () => {
    await using world = await startSite();
    const ledgers = memoryLedgers();
    const fields = withVariables(world, undefined, ledgers);
    await runDomains(world, site, fields);
    expect([...ledgers.kept.keys()]).toEqual([world.project.id]);
    const writes = writesTo(world.emulator).length;
    const again = await runDomains(world, site, fields);
    expect(again).toMatchObject({ outcome: 'synced', changes: [] });
    const unknown = await runDomains(world, site, { ...withVariables(world), planOnly: true });
    expect(unknown.changes.map(({ action }) => action)).toEqual(['replace', 'replace']);
    expect(writesTo(world.emulator)).toHaveLength(writes);
  });

  it.each([
    ['a variable', site, [desired('TOKEN'), desired('OTHER')]],
    ['a record', { ...site, 'registered-domains': {} }, undefined],
  ])('share one digest with the domains: %s changes it', async (_, other, variables) => {
    await using world = await startSite();
    const { digest } = await runDomains(world, site, { ...withVariables(world), planOnly: true });
    const report = await runDomains(world, other, {
      ...withVariables(world, variables),
      gates: { expectedPlan: digest, maxChanges: undefined },
    });
    expect(report).toMatchObject({ outcome: 'conflict', isPlanned: true });
    expect(report.environment).toMatchObject({ isPlanned: true });
    expect(writesTo(world.emulator)).toEqual([]);
  });

  it('count for max-changes', async () => {
    await using world = await startSite();
    const report = await runDomains(world, site, {
      ...withVariables(world),
      gates: { expectedPlan: undefined, maxChanges: { count: 3 } },
    });
    expect(report.error).toContain('the plan changes 4 of 4, and max-changes is 3');
    expect(writesTo(world.emulator)).toEqual([]);
  });

  it('that fail end the run before any domain is changed', async () => {
    await using world = await startSite();
    world.emulator.faults.add({
      operation: 'createVariable',
      kind: 'status',
      status: 422,
      effect: false,
    });
    const report = await runDomains(world, site, withVariables(world));
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('422');
    const written = writesTo(world.emulator).map(({ operation }) => operation);
    expect(new Set(written)).toEqual(new Set(['createVariable']));
  });

  it.each([
    ['fail', 'conflict', 'elsewhere'],
    ['keep', 'synced', 'elsewhere'],
    ['overwrite', 'synced', desired('TOKEN').value],
  ] as const)(
    'that changed elsewhere: %s, as env-on-conflict says',
    async (policy, outcome, value) => {
      await using world = await startSite();
      const ledgers = memoryLedgers();
      const fields = withVariables(world, [desired('TOKEN')], ledgers, policy);
      await runDomains(world, site, fields);
      world.project.setVariable({ name: 'TOKEN', value: 'elsewhere' });
      const report = await runDomains(world, site, fields);
      expect(report.outcome).toBe(outcome);
      expect(valuesOf(world.project)).toEqual({ TOKEN: value });
    },
  );
});
