import { describe, expect, it } from 'vitest';
import type { DialectOptions, RecordByHand } from '../../emulator/index.ts';
import { contentsOf, writesTo } from '../support/domains.ts';
import { linesIn, startWorld, type World } from '../support/world.ts';
import { planDomainsOf, resultsOf, runDomains } from './run.ts';

const managedReason = 'Leads the site to its project.';

interface Attempt {
  name: string;
  /** What the system has beside the delegation. */
  system?: RecordByHand;
  declared: object;
  /** What the error says. */
  says: string;
}

const attempts: readonly Attempt[] = [
  {
    name: 'another name server for the whole domain',
    declared: { type: 'NS', name: '@', content: 'ns1.other.example' },
    says: 'the service manages the record "ns1.dns.sites.example."',
  },
  {
    name: 'another start of authority',
    declared: { type: 'SOA', name: '@', content: 'ns1.other.example. me.example. 1 1 1 1 1' },
    says: 'the service manages the record',
  },
  {
    name: 'another target of its CNAME',
    system: { type: 'CNAME', name: 'www', content: 'one.sites.example', managedReason },
    declared: { type: 'CNAME', name: 'WWW.example.com.', content: 'two.sites.example' },
    says: `("${managedReason}"), so it can't be changed`,
  },
  {
    name: 'another TTL of its record',
    system: { type: 'A', name: '@', content: '192.0.2.80', ttl: 60, managedReason },
    declared: { type: 'A', name: 'example.com', content: '192.0.2.80', ttl: 300 },
    says: 'remove this record from the file, or declare it unchanged',
  },
  {
    name: 'another flag of its CAA record',
    system: {
      type: 'CAA',
      name: '@',
      content: 'ca.example',
      flags: 0,
      tag: 'issue',
      managedReason,
    },
    declared: { type: 'CAA', name: '@', content: 'ca.example', flags: 128, tag: 'issue' },
    says: 'the service manages the record',
  },
  {
    name: 'a record beside its CNAME',
    system: { type: 'CNAME', name: 'www', content: 'one.sites.example', managedReason },
    declared: { type: 'TXT', name: 'www', content: 'mine' },
    says: 'a CNAME must be the only record. The service manages that record',
  },
  {
    name: 'a CNAME beside its record',
    system: { type: 'A', name: 'www', content: '192.0.2.80', managedReason },
    declared: { type: 'CNAME', name: 'www', content: 'mine.example' },
    says: 'a CNAME must be the only record. The service manages that record',
  },
];

const words: readonly (readonly [string, DialectOptions])[] = [
  ['system', {}],
  ['platform', { managedWords: { customer: 'customer', system: 'platform' } }],
  ['Site-Project', { managedWords: { customer: null, system: 'Site-Project' } }],
];

const cases = attempts.flatMap((attempt) =>
  words.map(([word, dialect]) => ({ ...attempt, word, dialect: { ...dialect } })),
);

/** The records of the system, as the emulator holds them. */
const systems = ({ emulator }: World) =>
  emulator.world.registered.all.flatMap(({ records }) =>
    records.filter((record) => record.managedReason !== null),
  );

describe.concurrent('a record that the system manages is never written', () => {
  it.each(cases)('$name (managedBy: $word)', async ({ system, declared, says, dialect }) => {
    await using world = await startWorld({ dialect: { recordTypes: 'any', ...dialect } });
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    emulator.world.registerDomain('example.net');
    if (system !== undefined) emulator.world.registered.get('example.com').zone.put(system);
    const before = systems(world);
    const fine = { type: 'A', name: 'fine', content: '203.0.113.10' };
    const site = {
      'connected-domains': { 'www.example.com': { project: 'self' } },
      'registered-domains': {
        'example.com': { renewal: true, dns: [fine, declared] },
        'example.net': { dns: [fine] },
      },
    };
    for (const planOnly of [true, false]) {
      const report = await runDomains(world, site, { planOnly });
      expect(report).toMatchObject({ outcome: 'failed', isPlanned: true });
      expect(report.error).toContain('Nothing was changed: ');
      expect(report.error).toContain(says);
      expect(resultsOf(report)['planned']).toContain('A fine.example.com "203.0.113.10", create');
    }
    expect(writesTo(emulator)).toEqual([]);
    expect(systems(world)).toEqual(before);
  });

  it('but one that is declared as it is counts as unchanged, and stays', async () => {
    await using world = await startWorld();
    world.emulator.world.registerDomain('example.com');
    const dns = [{ type: 'NS', name: '@', content: 'NS1.dns.sites.example' }];
    const site = { 'registered-domains': { 'example.com': { dns } } };
    const report = await runDomains(world, site);
    expect(report).toMatchObject({ outcome: 'synced', changes: [], unchanged: 1 });
    expect(report.managed).toContainEqual(
      expect.objectContaining({
        domain: 'example.com',
        type: 'NS',
        name: 'example.com',
        content: 'ns2.dns.sites.example.',
        managed: 'Delegates example.com.',
      }),
    );
    expect(writesTo(world.emulator)).toEqual([]);
  });

  it('and one that becomes managed between plan and update is left alone, and said', async () => {
    await using world = await startWorld();
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    const record = emulator.world.registered.get('example.com').zone.put({
      type: 'A',
      name: 'www',
      content: '192.0.2.1',
    });
    const { report } = world.host;
    world.host.report = (progress) => {
      report(progress);
      if (!linesIn(progress).startsWith('✓')) return;
      emulator.world.registered.get('example.com').zone.put({ ...record, managedReason });
    };
    const dns = [
      { type: 'A', name: 'early', content: '203.0.113.10' },
      { type: 'A', name: 'www', content: '203.0.113.10' },
    ];
    const site = { 'registered-domains': { 'example.com': { dns } } };
    const { outcome, error } = await runDomains(world, site);
    expect(outcome).toBe('failed');
    expect(error).toContain('403');
    expect(emulator.world.registered.all[0]?.records).toContainEqual({ ...record, managedReason });
  });

  it("nor is a customer's record that the file does not declare: it is listed", async () => {
    await using world = await startWorld();
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    emulator.world.registered
      .get('example.com')
      .zone.put({ type: 'TXT', name: 'other', content: 'stays' });
    const dns = [{ type: 'TXT', name: 'mine', content: 'new' }];
    const report = await runDomains(world, { 'registered-domains': { 'example.com': { dns } } });
    expect(report.undeclared).toMatchObject([
      { domain: 'example.com', type: 'TXT', name: 'other', content: 'stays', managed: '' },
    ]);
    expect(contentsOf(emulator, 'example.com')).toEqual(['TXT mine new', 'TXT other stays']);
    const without = await planDomainsOf(world, { 'registered-domains': { 'example.com': {} } });
    expect(without).toMatchObject({ undeclared: [], changes: [] });
  });
});
