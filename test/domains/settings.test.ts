import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { writesTo } from '../support/domains.ts';
import { startWorld, type World } from '../support/world.ts';
import { planDomainsOf, runDomains, warningsTold } from './run.ts';

const siteOf = (settings: object) => ({ 'registered-domains': { 'example.com': settings } });

interface Case {
  name: string;
  settings: object;
  dialect?: DialectOptions;
  /** How the domain is before. */
  bound?: 'self' | 'other';
  body: object;
  outcome: 'done' | 'unconfirmed';
  /** How many requests a run sends for it; 1 if absent. */
  requests?: number;
}

const self = expect.stringMatching(/^[0-9a-f-]{36}$/);

const cases: readonly Case[] = [
  { name: 'renewal on', settings: { renewal: true }, body: { enabled: true }, outcome: 'done' },
  { name: 'renewal off', settings: { renewal: false }, body: { enabled: false }, outcome: 'done' },
  { name: 'bound', settings: { project: 'self' }, body: { projectId: self }, outcome: 'done' },
  {
    name: 'bound, as it is already',
    settings: { project: 'self' },
    bound: 'self',
    body: { projectId: self },
    outcome: 'done',
  },
  {
    name: 'bound, where that is refused because it is',
    settings: { project: 'self' },
    bound: 'self',
    dialect: { boundAlready: '409' },
    body: { projectId: self },
    outcome: 'unconfirmed',
  },
  {
    name: 'moved from another project',
    settings: { project: 'self' },
    bound: 'other',
    body: { projectId: self },
    outcome: 'done',
  },
  {
    name: 'not moved, and the answer shows the other project',
    settings: { project: 'self' },
    bound: 'other',
    dialect: { boundAlready: 'same' },
    body: { projectId: self },
    outcome: 'unconfirmed',
    requests: 2,
  },
  { name: 'unbound', settings: { project: null }, bound: 'self', body: {}, outcome: 'done' },
  { name: 'unbound, as it is already', settings: { project: null }, body: {}, outcome: 'done' },
  {
    name: 'unbound, where that is refused because it is',
    settings: { project: null },
    dialect: { unboundAlready: '409' },
    body: {},
    outcome: 'unconfirmed',
  },
  {
    name: 'unbound, where nothing is left out',
    settings: { project: null },
    dialect: { absentFields: 'empty' },
    body: {},
    outcome: 'done',
  },
];

async function startDomain({
  dialect = {},
  bound,
}: Pick<Case, 'dialect' | 'bound'>): Promise<World> {
  const world = await startWorld({ dialect });
  const [other] = world.emulator.world.createProjects(1);
  const projects = { self: world.project.id, other: other?.id ?? '' };
  const projectId = bound === undefined ? null : projects[bound];
  world.emulator.world.registerDomain('example.com', { projectId });
  return world;
}

describe.concurrent('what cannot be read of a registered domain is set on each apply', () => {
  it.each(cases)('$name: $outcome', async ({ settings, body, outcome, requests = 1, ...rest }) => {
    await using world = await startDomain(rest);
    const site = siteOf(settings);
    for (const run of [1, 2]) {
      const report = await runDomains(world, site);
      const isDone = report.results.every((result) => result.outcome === 'done');
      expect(report).toMatchObject({ outcome: isDone ? 'synced' : 'unconfirmed', changes: [] });
      expect(report.error).toBeUndefined();
      if (run === 1) expect(report.results.map((result) => result.outcome)).toEqual([outcome]);
      expect(writesTo(world.emulator).at(-1)?.body).toEqual({
        ...body,
        idempotencyKey: expect.any(String),
      });
      expect(writesTo(world.emulator)).toHaveLength(run * requests);
    }
    if (outcome === 'unconfirmed') {
      expect(warningsTold(world)[0]).toMatch(
        /^Could not confirm that example\.com is bound to .*: the service /,
      );
    }
  });

  it('renewal that is turned off is off, and that is all', async () => {
    await using world = await startDomain({});
    await runDomains(world, siteOf({ renewal: false }));
    expect(writesTo(world.emulator).map(({ operation }) => operation)).toEqual(['setRenewal']);
    expect(world.emulator.world.registered.all[0]).toMatchObject({
      autoRenew: false,
      boundProjectId: null,
    });
  });

  it.each([
    ['the answer shows it otherwise', { name: 'example.com', autoRenew: false }, 'unconfirmed'],
    ['only the renewal shows it', { name: 'example.com', renewal: { autoRenew: true } }, 'done'],
    ['the answer does not show it', { name: 'example.com', status: 'active' }, 'unconfirmed'],
  ])('renewal is compared with each answer: %s', async (_, answer, outcome) => {
    await using world = await startDomain({});
    const body = JSON.stringify(answer);
    world.emulator.faults.add({
      operation: 'setRenewal',
      times: Number.POSITIVE_INFINITY,
      kind: 'status',
      status: 200,
      body,
      effect: true,
    });
    const { results, ...report } = await runDomains(world, siteOf({ renewal: true }));
    expect(report.outcome).toBe(outcome === 'done' ? 'synced' : 'unconfirmed');
    expect(results).toEqual([expect.objectContaining({ action: 'renewal on', outcome })]);
    expect(warningsTold(world)).toHaveLength(outcome === 'done' ? 0 : 1);
    const keys = writesTo(world.emulator).map(({ body: sent }) =>
      Reflect.get(Object(sent), 'idempotencyKey'),
    );
    expect(new Set(keys).size).toBe(outcome === 'done' ? 1 : 2);
  });

  it('an answer about another domain is none', async () => {
    await using world = await startDomain({});
    const answer = { name: 'example.org', autoRenew: true };
    const fault = { kind: 'status', status: 200, body: JSON.stringify(answer) } as const;
    world.emulator.faults.add({ operation: 'setRenewal', ...fault, effect: false });
    const { outcome, results } = await runDomains(world, siteOf({ renewal: true }));
    expect({ outcome, results }).toMatchObject({
      outcome: 'synced',
      results: [{ outcome: 'done' }],
    });
    expect(writesTo(world.emulator)).toHaveLength(2);
  });

  it('a refused renewal is a failure, also by 409', async () => {
    await using world = await startDomain({});
    world.emulator.faults.add({
      operation: 'setRenewal',
      kind: 'status',
      status: 409,
      effect: false,
    });
    const { outcome, results } = await runDomains(world, siteOf({ renewal: true }));
    expect(outcome).toBe('failed');
    expect(results).toEqual([expect.objectContaining({ outcome: 'failed' })]);
  });

  it('a plan shows them, counts none of them, sends nothing, and has a digest of its own', async () => {
    await using world = await startDomain({});
    const [on, off, none] = await Promise.all(
      [{ renewal: true }, { renewal: false }, {}].map((settings) =>
        planDomainsOf(world, siteOf(settings)),
      ),
    );
    expect(on?.changes).toEqual([]);
    expect(on?.results).toEqual([
      expect.objectContaining({ action: 'renewal on', outcome: 'planned' }),
    ]);
    expect(none?.results).toEqual([]);
    expect(new Set([on?.digest, off?.digest, none?.digest]).size).toBe(3);
    expect(world.emulator.journal.entries).toEqual([]);
  });
});

describe.concurrent('what a registered domain is set to', () => {
  it.each([
    ['renewal off', { renewal: false }],
    ['no project', { project: null }],
    ['a project', { project: 'self' }],
  ])('is not set after one of its records failed: %s', async (_, settings) => {
    await using world = await startDomain({ bound: 'other' });
    world.emulator.faults.add({
      operation: 'createDnsRecord',
      kind: 'status',
      status: 422,
      effect: false,
    });
    const dns = [{ type: 'A', name: 'www', content: '203.0.113.10' }];
    const report = await runDomains(world, siteOf({ ...settings, dns }));
    expect(report.outcome).toBe('failed');
    expect(report.results.at(-1)).toMatchObject({
      resource: 'registered-domain',
      outcome: 'not-reached',
      reason: 'a DNS record of example.com could not be written',
    });
    expect(writesTo(world.emulator).map(({ operation }) => operation)).toEqual(['createDnsRecord']);
  });
});
