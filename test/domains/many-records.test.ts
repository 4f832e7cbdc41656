import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../emulator/index.ts';
import { contentsOf, writesTo } from '../support/domains.ts';
import { operationsDuring } from '../support/sync.ts';
import { startWorld, type World } from '../support/world.ts';
import { planDomainsOf, runDomains } from './run.ts';

const domains = Array.from({ length: 10 }, (_, index) => `example-${index}.com`);
const hosts = Array.from({ length: 50 }, (_, index) => `host-${index}`);
const records = hosts.map((name) => ({ type: 'A', name, content: '203.0.113.10' }));

const site = {
  'connected-domains': { 'www.example-0.com': { project: 'self' } },
  'registered-domains': Object.fromEntries(domains.map((name) => [name, { dns: records }])),
};

/** Ten domains; each has half of its records already, the half of them with another content. */
async function startMany(): Promise<World> {
  const world = await startWorld();
  for (const domain of domains) {
    world.emulator.world.registerDomain(domain);
    for (const [index, record] of records.slice(0, 25).entries()) {
      const content = index % 2 === 0 ? record.content : '192.0.2.1';
      world.emulator.world.registered.get(domain).zone.put({ ...record, content });
    }
  }
  return world;
}

type Span = Pick<JournalEntry, 'at'> & { endedAt: number };

/** When each write of a domain was under way, in order. */
function spansOf({ emulator }: World, domain: string): Span[] {
  return writesTo(emulator)
    .filter(({ path }) => path.startsWith(`/domains/${domain}/`))
    .map(({ at, endedAt }) => ({ at, endedAt: endedAt ?? Number.POSITIVE_INFINITY }));
}

const overlap = (a: Span, b: Span): boolean => a.at < b.endedAt && b.at < a.endedAt;

describe('500 records in 10 domains', () => {
  it('are planned with a request for each domain and one for the connected domains', async () => {
    await using world = await startMany();
    const operations = await operationsDuring(world, async () => {
      const report = await planDomainsOf(world, site);
      expect(report.changes).toHaveLength(2 + 10 * (25 + 12));
      expect(report.unchanged).toBe(10 * 13);
    });
    expect(operations.toSorted()).toEqual([
      'listConnectedDomains',
      ...domains.map(() => 'listDnsRecords'),
    ]);
  });

  it('are written side by side across domains, and one after the other within one', async () => {
    await using world = await startMany();
    world.emulator.dialect.latencyMs = 2;
    expect(await runDomains(world, site)).toMatchObject({ outcome: 'synced' });
    const [first = [], second = [], ...others] = domains.map((domain) => spansOf(world, domain));
    for (const spans of [first, second, ...others]) {
      expect(spans).toHaveLength(37);
      const next = spans.slice(1);
      expect(next.filter(({ at }, index) => at < (spans[index]?.endedAt ?? 0))).toEqual([]);
    }
    expect(first.some((one) => second.some((other) => overlap(one, other)))).toBe(true);
    for (const domain of domains) {
      expect(contentsOf(world.emulator, domain)).toEqual(
        records.map(({ name, content }) => `A ${name} ${content}`).sort(),
      );
    }
    expect((await planDomainsOf(world, site)).changes).toEqual([]);
  });
});
