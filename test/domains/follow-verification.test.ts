import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DialectOptions, JournalEntry } from '../../emulator/index.ts';
import { linesIn, startWorld, type World } from '../support/world.ts';
import { runDomains, warningsTold } from './run.ts';

const hostsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `host-${index}.example.com`);
const siteOf = (hosts: readonly string[], entry: object = { project: 'self' }) => ({
  'connected-domains': Object.fromEntries(hosts.map((host) => [host, entry])),
});

/** Each revalidation takes a domain on by one of its four stages; time alone takes it nowhere. */
const stepwise: DialectOptions = { revalidation: 'advances', verifyMs: 1e9 };

/** A world whose clock stands still but for sleeps, which take no time; they are noted. */
async function startStill(dialect: DialectOptions): Promise<{ world: World; sleeps: number[] }> {
  const world = await startWorld({ dialect: { ...stepwise, ...dialect } });
  const sleeps: number[] = [];
  let now = 0;
  world.host.clock = {
    now: () => now,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      sleeps.push(milliseconds);
      now += milliseconds;
    },
  };
  return { world, sleeps };
}

const statusBody = z.object({ hostnames: z.array(z.string()), revalidate: z.boolean() });
const bodyOf = ({ body }: JournalEntry) => statusBody.parse(body);

/** What the service was asked about statuses. */
const looksAt = ({ emulator }: World) =>
  emulator.journal.of('readConnectedDomainStatuses').map(bodyOf);

const follow = 300_000;

/** The pauses before the service may be asked to look itself a second time. */
const firstSleeps = [300, 600, 1200, 2400, 500];

describe.concurrent('the verification of many domains', () => {
  it('is followed fifty a request, soon and then every five seconds, and no domain by itself', async () => {
    const { world: opened, sleeps } = await startStill({});
    await using world = opened;
    const hosts = hostsOf(120);
    const report = await runDomains(world, siteOf(hosts), { follow });
    expect(report.outcome).toBe('synced');
    expect(report.connected.map(({ verification }) => verification)).toEqual(
      hosts.map(() => 'good'),
    );
    const round = [hosts.slice(0, 50), hosts.slice(50, 100), hosts.slice(100)];
    const looks = looksAt(world);
    expect(looks.map(({ hostnames }) => hostnames)).toEqual(Array(8).fill(round).flat());
    // The service is asked to look itself at once, and then every five seconds.
    expect(looks.filter((_, index) => index % 3 === 0).map(({ revalidate }) => revalidate)).toEqual(
      [true, false, false, false, false, true, true, true],
    );
    expect(sleeps).toEqual([...firstSleeps, 5000, 5000]);
    expect(world.emulator.journal.of('readConnectedDomain')).toEqual([]);
    expect(warningsTold(world)).toEqual([]);
  });

  it('goes on for those that are not good yet, and for no others', async () => {
    const { world: opened } = await startStill({});
    await using world = opened;
    world.emulator.world.connectDomain('early.example.com', world.project.id);
    const hosts = ['early.example.com', 'late.example.com'];
    await runDomains(world, siteOf(hosts.slice(0, 1)), { follow });
    const before = looksAt(world).length;
    const report = await runDomains(world, siteOf(hosts), { follow });
    expect(report.connected).toMatchObject([{ verification: 'good' }, { verification: 'good' }]);
    const asked = looksAt(world).slice(before);
    expect(asked.map(({ hostnames }) => hostnames)).toEqual(asked.map(() => ['late.example.com']));
  });

  it.each([
    ['without wait', {}, { follow: undefined }],
    ['of a plan', {}, { follow, planOnly: true }],
    ['of domains that are assigned to no project', { project: null }, { follow }],
  ])('is not followed %s, and is no fault then', async (_, entry, fields) => {
    const { world: opened, sleeps } = await startStill({ domainEnds: 'failure' });
    await using world = opened;
    world.emulator.world.connectDomain('a.example.com', world.project.id);
    const report = await runDomains(world, siteOf(['a.example.com'], entry), fields);
    expect(report.error).toBeUndefined();
    expect([looksAt(world), sleeps, warningsTold(world)]).toEqual([[], [], []]);
  });

  it('that fails is a failure, with the reasons and the records to make', async () => {
    const { world: opened } = await startStill({
      domainEnds: (hostname) => (hostname.startsWith('bad') ? 'failure' : 'success'),
    });
    await using world = opened;
    const hosts = ['good.example.com', 'bad.example.com'];
    const report = await runDomains(world, siteOf(hosts), { follow });
    expect(report.outcome).toBe('failed');
    expect(report.error).toBe('Verification failed for bad.example.com; see the summary. (SD6102)');
    expect(report.connected).toMatchObject([
      { hostname: 'good.example.com', verification: 'good', records: [] },
      {
        hostname: 'bad.example.com',
        verification: 'bad',
        errors: ['The TXT record _site-ownership.bad.example.com was not found.'],
        records: [
          { type: 'CNAME', name: 'bad.example.com', required: true },
          { type: 'TXT', name: '_site-ownership.bad.example.com', required: true },
          { type: 'CNAME', name: '_acme-challenge.bad.example.com', required: false },
        ],
      },
    ]);
    expect(report.results.every(({ outcome }) => outcome === 'done')).toBe(true);
  });

  it('that is pending when the time is up is a warning; its last look asks for no revalidation', async () => {
    const { world: opened, sleeps } = await startStill({ domainEnds: 'never' });
    await using world = opened;
    const hosts = hostsOf(12);
    const report = await runDomains(world, siteOf(hosts), { follow: 12_000 });
    expect(report.outcome).toBe('synced');
    expect(sleeps).toEqual([...firstSleeps, 5000, 2000]);
    const revalidating = looksAt(world).map(({ revalidate }) => revalidate);
    expect(revalidating).toEqual([true, false, false, false, false, true, true, false]);
    expect(warningsTold(world)).toEqual([
      `Not verified after 12s: ${hosts.slice(0, 10).join(', ')}, 2 more. The summary lists the DNS records to create. (SD6103)`,
    ]);
    expect(report.connected[0]?.records).toHaveLength(3);
  });

  const word = (text: string) => ({ waiting: 'pending', working: text, good: text, bad: text });
  const domainWords = {
    state: word('zorp'),
    ownership: word('zorp'),
    certificate: word('zorp'),
    routing: { ...word('zorp'), unassigned: 'unassigned' },
  };

  it('in words that no table has is unclear, and told with the line that teaches them', async () => {
    const { world: opened } = await startStill({ domainWords });
    await using world = opened;
    const report = await runDomains(world, siteOf(hostsOf(2)), { follow: 12_000 });
    expect(report.connected).toMatchObject([
      { verification: 'unclear', unknown: ['zorp'] },
      { verification: 'unclear', unknown: ['zorp'] },
    ]);
    expect(warningsTold(world)).toEqual([
      expect.stringMatching(
        /^Domain host-0\S+: unknown status "zorp".*success=zorp or failure=zorp to the input service\. \(SD6111\)$/,
      ),
      expect.stringMatching(/^Not known to be verified after 12s: host-0\S+, host-1.*\(SD6103\)$/),
    ]);
  });

  it.each([
    ['success', 'good'],
    ['failure', 'bad'],
  ])('in words that are taught as %s is %s', async (meaning, verification) => {
    const { world: opened } = await startStill({ domainWords });
    await using world = opened;
    const customStatuses = { success: [], failure: [], [meaning]: ['ZORP'] };
    const report = await runDomains(world, siteOf(hostsOf(1)), { follow, customStatuses });
    expect(report.connected).toMatchObject([{ verification }]);
    expect(warningsTold(world)).toEqual([]);
  });

  it('is told as it changes, once for each change', async () => {
    const { world: opened } = await startStill({});
    await using world = opened;
    await runDomains(world, siteOf(['a.example.com']), { follow });
    const told = world.told.map(linesIn).filter((text) => text.startsWith('Domain '));
    expect(told.at(-1)).toContain('is verified');
    expect(new Set(told).size).toBe(told.length);
    expect(told).toHaveLength(4);
  });

  it('asks the service to look itself five seconds after it has answered that, however late', async () => {
    const { world: opened, sleeps } = await startStill({ domainEnds: 'never' });
    await using world = opened;
    world.emulator.faults.add({
      kind: 'hold',
      operation: 'readConnectedDomainStatuses',
      until: () => world.host.clock.sleep(4000, new AbortController().signal),
    });
    await runDomains(world, siteOf(['late.example.com']), { follow: 10_000 });
    expect(sleeps).toEqual([4000, 300, 600, 1200, 2400, 500, 1000]);
    const revalidating = looksAt(world).map(({ revalidate }) => revalidate);
    expect(revalidating).toEqual([true, false, false, false, false, true, false]);
  });

  it('waits as long as the service asks for, after all tries of a look too', async () => {
    const { world: opened, sleeps } = await startStill({});
    await using world = opened;
    const tries = 5;
    world.emulator.faults.add({
      kind: 'status',
      operation: 'readConnectedDomainStatuses',
      status: 429,
      effect: false,
      headers: { 'retry-after': '8' },
      times: tries,
    });
    const report = await runDomains(world, siteOf(['late.example.com']), { follow });
    expect(report.connected).toMatchObject([{ verification: 'good' }]);
    expect(sleeps.slice(0, tries)).toEqual(Array(tries).fill(8000));
  });

  it.each([409, 500])('waits trouble out that may pass: %i', async (status) => {
    const { world: opened } = await startStill({});
    await using world = opened;
    world.emulator.faults.add({
      operation: 'readConnectedDomainStatuses',
      kind: 'status',
      status,
      effect: false,
      after: 1,
      times: 5,
    });
    const report = await runDomains(world, siteOf(['a.example.com']), { follow });
    expect(report.connected).toMatchObject([{ verification: 'good' }]);
    expect(warningsTold(world)).toEqual([]);
  });

  it.each<readonly [string, DialectOptions, boolean, string]>([
    ['shows it on no project', {}, true, 'shows it assigned to no project'],
    ['leaves it out', { unknownInStatuses: 'left-out' }, false, 'shows that it is not connected'],
  ])('is not believed from the answer to its assignment where a look %s', async (...row) => {
    const [, dialect, isConnected, shown] = row;
    const { world: opened } = await startStill(dialect);
    await using world = opened;
    const { emulator, project } = world;
    const host = 'a.example.com';
    emulator.world.connectDomain(host);
    const words = { state: 'active', ownershipStatus: 'verified', routingStatus: 'routed' };
    const body = JSON.stringify({ hostname: host, projectId: project.id, ...words });
    const { report: tell } = world.host;
    world.host.report = (progress) => {
      tell(progress);
      const isAssigned = /^✓ assigned /.test(linesIn(progress));
      if (isAssigned && !isConnected) emulator.world.domains.disconnect(host);
    };
    emulator.faults.add({
      operation: 'assignDomain',
      kind: 'status',
      status: 200,
      effect: false,
      body,
    });
    const report = await runDomains(world, siteOf([host]), { follow: 12_000 });
    expect(looksAt(world)[0]?.hostnames).toEqual([host]);
    expect(report.outcome).toBe('unconfirmed');
    expect(report.results).toMatchObject([{ action: 'assign', outcome: 'unconfirmed' }]);
    expect(warningsTold(world)).toEqual([
      `Could not confirm "assign" for ${host}: the service accepted it, but ${shown}. (SD6104)`,
    ]);
  });

  it.each<readonly [string, DialectOptions]>([
    ['is gone', { unknownInStatuses: '404' }],
    ['may not be asked for', { refuse: ['readConnectedDomainStatuses'] }],
  ])('ends with a warning where the domain %s', async (_, dialect) => {
    const { world: opened, sleeps } = await startStill(dialect);
    await using world = opened;
    const { report: tell } = world.host;
    world.host.report = (progress) => {
      tell(progress);
      const isAssigned = /^✓ assigned /.test(linesIn(progress));
      if (isAssigned) world.emulator.world.domains.disconnect('a.example.com');
    };
    const report = await runDomains(world, siteOf(['a.example.com']), { follow });
    expect(report.outcome).toBe('synced');
    expect(sleeps).toEqual([]);
    expect(warningsTold(world)[0]).toContain('Following the verification failed');
  });
});
