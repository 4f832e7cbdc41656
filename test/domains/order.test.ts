import { describe, expect, it } from 'vitest';
import type { FaultSpec } from '../../emulator/index.ts';
import { writesTo } from '../support/domains.ts';
import { startWorld, type World } from '../support/world.ts';
import { resultsOf, runDomains } from './run.ts';

const address = (name: string) => ({ type: 'A', name, content: '203.0.113.10' });
const zone = (...names: string[]) => ({
  renewal: true,
  project: 'self',
  dns: names.map(address),
});
const site = {
  'connected-domains': {
    'www.example.com': { project: 'self' },
    'shop.example.com': { project: 'self' },
    'www.example.net': { project: 'self' },
    'elsewhere.example': { project: 'self' },
  },
  'registered-domains': {
    'example.com': zone('www', 'shop', 'api'),
    'example.net': zone('www', 'api'),
  },
};

async function startSite(): Promise<World> {
  const world = await startWorld({ dialect: { latencyMs: 1 } });
  world.emulator.world.registerDomain('example.com');
  world.emulator.world.registerDomain('example.net');
  return world;
}

/** True if a host of a registered domain has a record of its own. */
function hasRecord({ emulator }: World, hostname: string): boolean {
  const domain = emulator.world.registered.all.find(({ name }) => hostname.endsWith(`.${name}`));
  return domain === undefined || domain.records.some(({ name }) => hostname.startsWith(`${name}.`));
}

/** Runs the command and gives the hosts that were, at any moment, assigned without a record. */
async function watch(
  world: World,
): Promise<{ bare: Set<string>; report: Awaited<ReturnType<typeof runDomains>> }> {
  const { emulator } = world;
  const bare = new Set<string>();
  const over = new AbortController();
  const watching = emulator.journal.waitFor(() => {
    for (const { hostname, projectId } of emulator.world.domains.all) {
      if (projectId !== null && !hasRecord(world, hostname)) bare.add(hostname);
    }
    return false;
  }, over.signal);
  const report = await runDomains(world, site);
  over.abort();
  await expect(watching).rejects.toThrow('aborted');
  return { bare, report };
}

/** The operations that wrote, each once, in the order in which they were first asked for. */
const phases = ({ emulator }: World) => [
  ...new Set(writesTo(emulator).map(({ operation }) => operation)),
];

describe.concurrent('the order of an apply', () => {
  it('is connect, records, assign, settings: no assigned host ever lacks its record', async () => {
    await using world = await startSite();
    const { bare, report } = await watch(world);
    expect(report.outcome).toBe('synced');
    expect(bare).toEqual(new Set());
    expect(phases(world)).toEqual([
      'connectDomain',
      'createDnsRecord',
      'assignDomain',
      'setRenewal',
      'bindDomain',
    ]);
    const created = writesTo(world.emulator).filter(
      ({ operation }) => operation === 'connectDomain',
    );
    // Those of one phase are sent at once.
    expect(new Set(created.map(({ body }) => body))).toEqual(
      new Set(
        Object.keys(site['connected-domains']).map((hostname) => ({
          hostname,
          idempotencyKey: expect.any(String),
        })),
      ),
    );
  });

  it('is kept where records, and assignments, are slow', async () => {
    await using world = await startSite();
    Object.assign(world.emulator.dialect, { jitterMs: 15, seed: 7 });
    expect((await watch(world)).bare).toEqual(new Set());
  });
});

const refusal = { kind: 'status', status: 422, effect: false } as const;

interface Failure {
  name: string;
  fault: FaultSpec;
  /** What is not done because of it. */
  notReached: readonly string[];
  failed: string;
}

const failures: readonly Failure[] = [
  {
    name: 'a record that fails: its zone, its hosts, its renewal and its binding',
    // Sorted by name, api comes first.
    fault: { path: '/domains/example.com/dns-records', method: 'POST', after: 1, ...refusal },
    failed: 'A shop.example.com "203.0.113.10", create',
    notReached: [
      'A www.example.com "203.0.113.10", create',
      'www.example.com, assign',
      'shop.example.com, assign',
      'example.com, renewal on',
      'example.com, bound to',
    ],
  },
  {
    name: 'a domain that cannot be connected: its assignment',
    fault: { operation: 'connectDomain', ...refusal },
    failed: 'www.example.com, connect',
    notReached: ['www.example.com, assign'],
  },
  {
    name: 'a domain that cannot be assigned: nothing else',
    fault: { path: '/connected-domains/shop.example.com/project', ...refusal },
    failed: 'shop.example.com, assign',
    notReached: [],
  },
  {
    name: 'a renewal that cannot be set: nothing else',
    fault: { path: '/domains/example.net/renewal', ...refusal },
    failed: 'example.net, renewal on',
    notReached: [],
  },
];

describe.concurrent('what depends on a failed write is not reached, and the rest goes on', () => {
  it.each(failures)('$name', async ({ fault, failed, notReached }) => {
    await using world = await startSite();
    const handle = world.emulator.faults.add(fault);
    const { bare, report } = await watch(world);
    expect(handle.fired).toBe(1);
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('1 of 17 writes failed: ');
    expect(report.error).toContain('422');
    const results = resultsOf(report);
    expect(results['failed']).toEqual([failed]);
    expect(results['not-reached'] ?? []).toEqual(
      notReached.map((one) =>
        one.endsWith('bound to') ? `${one} project ${world.project.id}` : one,
      ),
    );
    expect(results['done']).toHaveLength(17 - 1 - notReached.length);
    expect(bare).toEqual(new Set());
    handle.remove();
    const next = await runDomains(world, site);
    expect(next.outcome).toBe('synced');
    expect(world.emulator.world.domains.all.map(({ projectId }) => projectId)).toEqual(
      Array(4).fill(world.project.id),
    );
  });
});
