import { describe, expect, it } from 'vitest';
import type { DialectOptions, FaultKind } from '../../emulator/index.ts';
import { contentsOf } from '../support/domains.ts';
import { pairwise, rows } from '../support/exhaustive.ts';
import { startWorld, type World } from '../support/world.ts';
import { planDomainsOf, runDomains, warningsTold } from './run.ts';

const faults: readonly (readonly [string, FaultKind])[] = [
  ['a reset before it took effect', { kind: 'reset-before' }],
  ['a reset after it took effect', { kind: 'reset-after' }],
  ['an answer that breaks off', { kind: 'cut-body' }],
  ['a page instead of JSON', { kind: 'not-json' }],
  ...[500, 502, 504].flatMap((status) =>
    [true, false].map(
      (effect) =>
        [
          `a ${status} that ${effect ? 'took' : 'did not take'} effect`,
          { kind: 'status', status, effect },
        ] as const,
    ),
  ),
  ['a 429', { kind: 'status', status: 429, effect: false, headers: { 'retry-after': '1' } }],
];
const idempotencies: readonly NonNullable<DialectOptions['idempotency']>[] = [
  'ignore',
  'replay',
  'conflict',
];

const site = {
  'connected-domains': { 'www.example.com': { project: 'self' } },
  'registered-domains': {
    'example.com': {
      renewal: false,
      project: 'self',
      dns: [
        { type: 'A', name: '@', content: '203.0.113.10' },
        { type: 'A', name: '@', content: '203.0.113.11' },
        { type: 'A', name: 'old', content: '203.0.113.12' },
        { type: 'MX', name: '@', content: 'mail.example.com', priority: 10 },
      ],
    },
  },
};

const declared = [
  'A @ 203.0.113.10',
  'A @ 203.0.113.11',
  'A old 203.0.113.12',
  'MX @ mail.example.com',
];

/** A world in which every kind of write is to be done. */
async function startSite(dialect: DialectOptions): Promise<World> {
  const world = await startWorld({ dialect });
  world.emulator.world.registerDomain('example.com');
  world.emulator.world.registered
    .get('example.com')
    .zone.put({ type: 'A', name: 'old', content: '192.0.2.1' });
  return world;
}

async function expectAsDeclared(world: World): Promise<void> {
  const { emulator, project } = world;
  expect(contentsOf(emulator, 'example.com')).toEqual(declared);
  expect(emulator.world.domains.all).toEqual([
    expect.objectContaining({ hostname: 'www.example.com', projectId: project.id }),
  ]);
  expect(emulator.world.registered.all).toEqual([
    expect.objectContaining({ autoRenew: false, boundProjectId: project.id }),
  ]);
  expect((await planDomainsOf(world, site)).changes).toEqual([]);
}

const creates = idempotencies.flatMap((idempotency) =>
  faults.map(([name, fault]) => ({ idempotency, name, fault })),
);

/** Those of which the second try is refused, or whose answer says nothing, are the ones that differ. */
const fewFaults = faults.filter(([, { kind }]) => kind !== 'status');
const others = ['connectDomain', 'updateDnsRecord', 'assignDomain', 'setRenewal', 'bindDomain'];

describe.concurrent('the create of a record whose answer is lost', () => {
  // Where keys are heeded, what the second try meets goes by the kind of loss alone.
  const tried = rows(creates, (one) => one.idempotency === 'ignore' || one.fault.kind !== 'status');
  it.each(tried)(
    'by $name, with keys that the service treats so: $idempotency',
    async ({ idempotency, fault }) => {
      await using world = await startSite({ idempotency });
      const handle = world.emulator.faults.add({
        operation: 'createDnsRecord',
        after: 1,
        ...fault,
      });
      const { outcome, error } = await runDomains(world, site);
      expect(handle.fired).toBe(1);
      expect({ outcome, error }).toEqual({ outcome: 'synced' });
      await expectAsDeclared(world);
    },
  );

  it.each(idempotencies)('three times in a row, with keys: %s', async (idempotency) => {
    await using world = await startSite({ idempotency });
    const { faults: script } = world.emulator;
    script.add({ operation: 'createDnsRecord', kind: 'reset-before' });
    script.add({ operation: 'createDnsRecord', kind: 'status', status: 500, effect: false });
    script.add({ operation: 'createDnsRecord', kind: 'reset-after' });
    expect((await runDomains(world, site)).outcome).toBe('synced');
    await expectAsDeclared(world);
  });

  it('for good is a failure, and the next run ends as declared', async () => {
    await using world = await startSite({ idempotency: 'ignore' });
    const times = Number.POSITIVE_INFINITY;
    const fault = world.emulator.faults.add({
      operation: 'createDnsRecord',
      times,
      kind: 'reset-before',
    });
    expect((await runDomains(world, site)).outcome).toBe('failed');
    fault.remove();
    expect((await runDomains(world, site)).outcome).toBe('synced');
    await expectAsDeclared(world);
  });
});

describe.concurrent('a create that takes effect after its repetition', () => {
  const one = {
    'registered-domains': {
      'example.com': { dns: [{ type: 'A', name: 'www', content: '203.0.113.10' }] },
    },
  };

  it('leaves the record twice, and the run says so', async () => {
    await using world = await startWorld({ dialect: { idempotency: 'ignore' } });
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    const late = { type: 'A', name: 'www', content: '203.0.113.10' };
    emulator.faults.add({ operation: 'createDnsRecord', kind: 'reset-before' });
    const race = emulator.journal
      .waitFor(({ operation, effect }) => operation === 'createDnsRecord' && effect)
      .then(() => emulator.world.registered.get('example.com').zone.put(late));
    const report = await runDomains(world, one);
    await race;
    expect(contentsOf(emulator, 'example.com')).toHaveLength(2);
    expect(report.outcome).toBe('unconfirmed');
    expect(report.results).toMatchObject([{ outcome: 'unconfirmed' }]);
    expect(report.results[0]?.reason).toContain(
      'the service now has it 2 times: delete all but one',
    );
    expect(warningsTold(world).join()).toContain('delete all but one');
  });

  it('is said to be in doubt where the records cannot be listed after it', async () => {
    await using world = await startWorld({ dialect: { idempotency: 'ignore' } });
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    emulator.faults.add({ operation: 'createDnsRecord', kind: 'reset-before' });
    // Listed for the plan, and before the repetition.
    emulator.faults.add({
      operation: 'listDnsRecords',
      after: 2,
      kind: 'status',
      status: 403,
      effect: false,
    });
    const report = await runDomains(world, one);
    expect(report.results).toMatchObject([{ outcome: 'unconfirmed' }]);
    expect(report.results[0]?.reason).toContain('check on the service whether it exists twice');
  });

  it('costs no look where nothing was repeated', async () => {
    await using world = await startWorld();
    world.emulator.world.registerDomain('example.com');
    await runDomains(world, one);
    expect(world.emulator.journal.of('listDnsRecords')).toHaveLength(1);
  });
});

describe.concurrent('any other write whose answer is lost', () => {
  const all = others.flatMap((operation) =>
    idempotencies.flatMap((idempotency) =>
      fewFaults.map(([name, fault]) => ({ operation, idempotency, name, fault })),
    ),
  );
  it.each(pairwise(all, ({ operation, idempotency, name }) => [operation, idempotency, name]))(
    '$operation, by $name, with keys: $idempotency',
    async ({ operation, idempotency, fault }) => {
      await using world = await startSite({ idempotency });
      const handle = world.emulator.faults.add({ operation, ...fault });
      const { outcome, error } = await runDomains(world, site);
      expect(handle.fired).toBe(1);
      expect({ outcome, error }).toEqual({ outcome: 'synced' });
      await expectAsDeclared(world);
    },
  );
});
