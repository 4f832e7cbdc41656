import { renderDomainsSummary } from '../../../src/domains/render.ts';
import { runDomains } from '../../domains/run.ts';
import { contentsOf } from '../../support/domains.ts';
import type { World } from '../../support/world.ts';
import type { RepeatDetector } from './rules.ts';
import { ask, keyDialects, logOf, type Write } from './write.ts';

const host = 'www.example.com';
const zone = 'example.com';
const wanted = '203.0.113.10';

/** Applies a site file as a step does, and gives what it says of the one write in it. */
async function apply(world: World, site: object): Promise<RepeatDetector> {
  const report = await runDomains(world, site);
  const outcomes = report.results.map(({ outcome }) => outcome);
  const isDone = outcomes.every((one) => one === 'done');
  const isDoubtful = outcomes.includes('unconfirmed') && !outcomes.includes('failed');
  return {
    outcome: report.outcome,
    claim: isDone ? 'done' : isDoubtful ? 'in doubt' : 'not done',
    log: logOf(world, report.error),
    summary: renderDomainsSummary(report.whole),
  };
}

interface Case {
  name: string;
  operation: string;
  site: object;
  /** Where to read the object as it is before the write, or another of its kind. */
  before?: (world: World) => Promise<unknown>;
  other: (world: World) => Promise<unknown>;
  /** What names the object and says nothing else. */
  bare: (world: World) => unknown;
  prepare?: (world: World) => void;
  stands: (world: World) => number;
  dialects?: Write['dialects'];
  unknowable?: Readonly<Record<string, string>>;
}

const dns = (record: object) => ({ 'registered-domains': { [zone]: { dns: [record] } } });
const setting = (settings: object) => ({ 'registered-domains': { [zone]: settings } });
const connected = (project: string | null) => ({ 'connected-domains': { [host]: { project } } });
const domainOf = ({ emulator }: World) =>
  emulator.world.domains.all.find(({ hostname }) => hostname === host);
const zoneOf = ({ emulator }: World) =>
  emulator.world.registered.all.find(({ name }) => name === zone);

/** Another connected domain, assigned to the same project. */
async function anotherDomain(world: World): Promise<unknown> {
  world.emulator.world.connectDomain('other.example.com', world.project.id);
  return await ask(world, 'GET', '/connected-domains/other.example.com');
}

/** Another registered domain, set as this one is wanted. */
async function anotherZone(world: World): Promise<unknown> {
  const { emulator, project } = world;
  emulator.world.registerDomain('example.org', { autoRenew: false, projectId: project.id });
  return await ask(world, 'POST', '/domains/example.org/renewal', { enabled: false });
}

/** Another record of the same domain. */
async function anotherRecord(world: World): Promise<unknown> {
  const { id } = world.emulator.world.registered
    .get(zone)
    .zone.put({ type: 'A', name: 'other', content: wanted });
  const list = await ask(world, 'GET', `/domains/${zone}/dns-records`);
  const { records } = list as { records: { id: string }[] };
  return records.find((record) => record.id === id);
}

const recordsOf = (world: World): number =>
  contentsOf(world.emulator, zone).filter((one) => one === `A www ${wanted}`).length;

const cases: readonly Case[] = [
  {
    name: 'connect a domain',
    operation: 'connectDomain',
    site: connected(null),
    other: anotherDomain,
    bare: () => ({ hostname: host }),
    stands: (world) => (domainOf(world) ? 1 : 0),
  },
  {
    name: 'assign a domain',
    operation: 'assignDomain',
    site: connected('self'),
    prepare: ({ emulator }) => void emulator.world.connectDomain(host),
    before: (world) => ask(world, 'GET', `/connected-domains/${host}`),
    other: anotherDomain,
    bare: () => ({ hostname: host }),
    stands: (world) => (domainOf(world)?.projectId === world.project.id ? 1 : 0),
  },
  {
    name: 'move a domain',
    operation: 'assignDomain',
    site: connected('self'),
    dialects: { ...keyDialects, 'not moved unless it is cleared': { assignedElsewhere: '409' } },
    prepare: ({ emulator }) => {
      const [another] = emulator.world.createProjects(1);
      emulator.world.connectDomain(host, another?.id);
    },
    before: (world) => ask(world, 'GET', `/connected-domains/${host}`),
    other: anotherDomain,
    bare: () => ({ hostname: host }),
    stands: (world) => (domainOf(world)?.projectId === world.project.id ? 1 : 0),
  },
  {
    name: 'clear a domain',
    operation: 'assignDomain',
    site: connected(null),
    prepare: ({ emulator, project }) => void emulator.world.connectDomain(host, project.id),
    before: (world) => ask(world, 'GET', `/connected-domains/${host}`),
    other: async (world) => {
      world.emulator.world.connectDomain('other.example.com');
      return await ask(world, 'GET', '/connected-domains/other.example.com');
    },
    bare: () => ({ hostname: host }),
    stands: (world) => (domainOf(world)?.projectId === null ? 1 : 0),
  },
  {
    name: 'create a DNS record',
    operation: 'createDnsRecord',
    site: dns({ type: 'A', name: 'www', content: wanted }),
    prepare: ({ emulator }) => void emulator.world.registerDomain(zone),
    other: anotherRecord,
    bare: () => ({ type: 'A', name: 'www' }),
    stands: recordsOf,
    unknowable: {
      'given twice':
        'the answer shows one record; the list is read after a create only if something was lost, and the next plan lists the second as undeclared',
    },
  },
  {
    name: 'update a DNS record',
    operation: 'updateDnsRecord',
    site: dns({ type: 'A', name: 'www', content: wanted }),
    prepare: ({ emulator }) => {
      emulator.world.registerDomain(zone);
      emulator.world.registered
        .get(zone)
        .zone.put({ type: 'A', name: 'www', content: '192.0.2.1' });
    },
    before: async (world) => {
      const list = await ask(world, 'GET', `/domains/${zone}/dns-records`);
      return (list as { records: unknown[] }).records[0];
    },
    other: anotherRecord,
    bare: ({ emulator }) => ({
      id: emulator.world.registered.all[0]?.records[0]?.id,
      type: 'A',
      name: 'www',
    }),
    stands: recordsOf,
  },
  {
    name: 'turn a renewal off',
    operation: 'setRenewal',
    site: setting({ renewal: false }),
    prepare: ({ emulator }) => void emulator.world.registerDomain(zone),
    before: (world) => ask(world, 'POST', `/domains/${zone}/renewal`, { enabled: true }),
    other: anotherZone,
    bare: () => ({ name: zone }),
    stands: (world) => (zoneOf(world)?.autoRenew === false ? 1 : 0),
  },
  {
    name: 'bind a domain',
    operation: 'bindDomain',
    site: setting({ project: 'self' }),
    prepare: ({ emulator }) => void emulator.world.registerDomain(zone),
    before: (world) => ask(world, 'POST', `/domains/${zone}/renewal`, { enabled: true }),
    other: anotherZone,
    bare: () => ({ name: zone }),
    stands: (world) => (zoneOf(world)?.boundProjectId === world.project.id ? 1 : 0),
  },
  {
    name: 'unbind a domain',
    operation: 'unbindDomain',
    site: setting({ project: null }),
    prepare: ({ emulator, project }) =>
      void emulator.world.registerDomain(zone, { projectId: project.id }),
    before: (world) => ask(world, 'POST', `/domains/${zone}/renewal`, { enabled: true }),
    other: async (world) => {
      world.emulator.world.registerDomain('example.org');
      return await ask(world, 'POST', '/domains/example.org/renewal', { enabled: true });
    },
    bare: () => ({ name: zone }),
    stands: (world) => (zoneOf(world)?.boundProjectId === null ? 1 : 0),
  },
];

/** The writes of sections "Connected domains" and "Registered domains", as the domains action does them. */
export const domainWrites: readonly Write[] = cases.map(
  ({
    name,
    operation,
    site,
    before,
    other,
    bare,
    prepare,
    stands,
    dialects = keyDialects,
    ...rest
  }) => ({
    ...rest,
    name,
    operation,
    dialects,
    hasBefore: before !== undefined,
    hasBare: true,
    arrange: async (world) => {
      prepare?.(world);
      return {
        ...(before && { before: await before(world) }),
        other: await other(world),
        bare: bare(world),
        act: () => apply(world, site),
        look: () => ({ stands: stands(world) }),
      };
    },
  }),
);
