import { afterEach, expect, test, vi } from 'vitest';
import {
  connectedDomain as domainShape,
  connectedDomains as domainsShape,
} from '../../../src/contract/connected-domain.ts';
import type { DialectOptions } from '../../index.ts';
import { startWorld, type World } from './support.ts';

const root = '/connected-domains';
const host = 'www.example.com';
const start = Date.parse('2026-01-02T03:04:05.000Z');

// Only the date stands still: sockets and timers go on.
function stopDate(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
}

afterEach(() => {
  vi.useRealTimers();
});

async function look({ send }: World, revalidate = false) {
  const { json } = await send('GET', `${root}/${host}?revalidate=${revalidate}`);
  return domainShape.parse(json);
}

/** The four statuses: of the whole, the ownership, the certificate and the routing. */
async function statuses(world: World, revalidate = false): Promise<string> {
  const seen = await look(world, revalidate);
  const { state, ownershipStatus, certificateStatus, routingStatus } = seen;
  return [state, ownershipStatus, certificateStatus, routingStatus].join(' ');
}

const stages = [
  'pending pending pending pending',
  'verifying checking pending pending',
  'verifying verified issuing pending',
  'verifying verified issued propagating',
  'active verified issued routed',
] as const;

test.for(['ignored', 'slow'] as const)(
  'with time alone, through every stage: %s',
  async (revalidation) => {
    stopDate();
    await using world = await startWorld({ dialect: { revalidation, verifyMs: 4000 } });
    const { emulator, project } = world;
    emulator.world.connectDomain(host, project.id);
    for (const [index, stage] of stages.entries()) {
      vi.setSystemTime(start + index * 1000 + 999);
      expect(await statuses(world)).toBe(stage);
    }
  },
);

test('a revalidation that is ignored moves nothing', async () => {
  await using world = await startWorld({ dialect: { verifyMs: 60_000, revalidateMs: 60_000 } });
  world.emulator.world.connectDomain(host, world.project.id);
  const before = await look(world);
  expect(await look(world, true)).toEqual(before);
  const body = { hostnames: [host], revalidate: true };
  const { json } = await world.send('POST', `${root}/status`, { body });
  expect(json).toEqual({ domains: [before] });
});

test('when only asked for, one stage at a time, and as far as the time allows', async () => {
  stopDate();
  await using world = await startWorld({ dialect: { revalidation: 'advances', verifyMs: 4000 } });
  const { emulator, project, send } = world;
  emulator.world.connectDomain(host, project.id);
  // A hostname that is asked for twice is checked once.
  const body = { hostnames: [host, host], revalidate: true };
  expect(await statuses(world, true)).toBe(stages[1]);
  expect(await statuses(world, false)).toBe(stages[1]);
  await send('POST', `${root}/status`, { body: { hostnames: [host] } });
  expect(await statuses(world, false)).toBe(stages[1]);
  const { json } = await send('POST', `${root}/status`, { body });
  const now = await look(world);
  expect(domainsShape.parse(json).domains).toEqual([now, now]);
  expect(await statuses(world)).toBe(stages[2]);
  vi.setSystemTime(start + 1500);
  expect(await statuses(world, true)).toBe(stages[3]);
  vi.setSystemTime(start + 60_000);
  expect(await statuses(world)).toBe(stages[3]);
  expect(await statuses(world, true)).toBe(stages[4]);
  expect(await statuses(world, true)).toBe(stages[4]);
});

test('when only asked for, several stages at once if the time allows', async () => {
  stopDate();
  await using world = await startWorld({ dialect: { revalidation: 'advances', verifyMs: 4000 } });
  world.emulator.world.connectDomain(host, world.project.id);
  vi.setSystemTime(start + 3999);
  expect(await statuses(world)).toBe(stages[0]);
  expect(await statuses(world, true)).toBe(stages[3]);
});

test('a slow revalidation holds its own answer up and no other', async () => {
  await using world = await startWorld({ dialect: { revalidation: 'slow', revalidateMs: 60_000 } });
  const { emulator, send } = world;
  emulator.world.connectDomain(host);
  const body = { hostnames: [host], revalidate: true };
  const slow = [
    send('GET', `${root}/${host}?revalidate=true`),
    send('POST', `${root}/status`, { body }),
  ];
  await emulator.journal.waitFor(({ operation, body }) => {
    return operation === 'readConnectedDomainStatuses' && body !== undefined;
  });
  await look(world);
  await send('POST', `${root}/status`, { body: { hostnames: [host] } });
  const answered = emulator.journal.entries.map(({ status }) => status);
  expect(answered.toSorted()).toEqual([200, 200, null, null]);
  const broken = slow.map((answer) => expect(answer).rejects.toThrow());
  await Promise.all([...broken, emulator.close()]);
});

test('the date of the last check moves with the checks', async () => {
  stopDate();
  const at = (ms: number) => new Date(start + ms).toISOString();
  await using world = await startWorld({
    dialect: { revalidation: 'slow', revalidateMs: 0, verifyMs: 4000 },
  });
  world.emulator.world.connectDomain(host);
  expect(await look(world)).toMatchObject({ createdAt: at(0), checkedAt: null });
  vi.setSystemTime(start + 1500);
  expect((await look(world)).checkedAt).toBe(at(1000));
  expect((await look(world, true)).checkedAt).toBe(at(1500));
  vi.setSystemTime(start + 9000);
  expect((await look(world)).checkedAt).toBe(at(4000));
  expect((await look(world, true)).checkedAt).toBe(at(9000));
  expect((await look(world)).createdAt).toBe(at(0));
  world.emulator.world.connectDomain('other.example.com');
  vi.setSystemTime(start + 10_500);
  const { json } = await world.send('GET', `${root}/other.example.com?revalidate=true`);
  expect(json).toMatchObject({ createdAt: at(9000), checkedAt: at(10_500) });
});

test.for([
  {
    domainStopsAt: 'ownership',
    failed: 'failed failed pending pending',
    never: stages[1],
    error: 'The TXT record _site-ownership.www.example.com was not found.',
  },
  {
    domainStopsAt: 'certificate',
    failed: 'failed verified failed pending',
    never: stages[2],
    error: 'No certificate could be issued for www.example.com.',
  },
  {
    domainStopsAt: 'routing',
    failed: 'failed verified issued failed',
    never: stages[3],
    error: 'www.example.com does not point to connect.sites.example.',
  },
] as const)('a verification that stops at $domainStopsAt', async (expected) => {
  const { domainStopsAt, failed, never, error } = expected;
  const dialect: DialectOptions = { verifyMs: 0, domainStopsAt, domainEnds: 'failure' };
  await using world = await startWorld({ dialect });
  world.emulator.world.connectDomain(host, world.project.id);
  expect(await statuses(world)).toBe(failed);
  expect((await look(world)).verificationErrors).toEqual([error]);
  world.emulator.world.domains.disconnect(host);
  world.emulator.dialect.domainEnds = 'never';
  world.emulator.world.connectDomain(host, world.project.id);
  expect(await statuses(world)).toBe(never);
  expect((await look(world)).verificationErrors).toEqual([]);
});

test.for([
  { revalidation: 'advances', after: stages[2] },
  { revalidation: 'slow', after: stages[1] },
  { revalidation: 'ignored', after: 'failed failed pending pending' },
] as const)('a failed domain that is checked again: $revalidation', async (expected) => {
  const { revalidation, after } = expected;
  stopDate();
  await using world = await startWorld({
    dialect: { revalidation, verifyMs: 4000, revalidateMs: 0, domainEnds: 'failure' },
  });
  const { emulator, project } = world;
  emulator.world.connectDomain(host, project.id);
  vi.setSystemTime(start + 60_000);
  const failed = 'failed failed pending pending';
  for (const revalidate of [true, false, true]) {
    expect(await statuses(world, revalidate)).toBe(failed);
  }
  emulator.dialect.domainEnds = 'success';
  vi.setSystemTime(start + 120_000);
  expect(await statuses(world)).toBe(failed);
  expect(await statuses(world, true)).toBe(after);
});

test('errors are told while a check is under way, if the dialect says so', async () => {
  await using world = await startWorld({
    dialect: {
      revalidation: 'advances',
      verifyMs: 60_000,
      earlyVerificationErrors: true,
      hostileText: '::error::@everyone',
    },
  });
  world.emulator.world.connectDomain(host, world.project.id);
  expect((await look(world)).verificationErrors).toEqual([]);
  const seen = await look(world, true);
  expect(seen.state).toBe('verifying');
  expect(seen.verificationErrors).toEqual([
    expect.stringContaining('_site-ownership'),
    '::error::@everyone',
  ]);
  expect(seen.instructions?.[1]?.value).toContain('::error::@everyone');
  expect(seen.dnsHost).toBe('::error::@everyone');
  for (let check = 2; check <= 4; check += 1) await look(world, true);
  expect(await look(world)).toMatchObject({ state: 'active', verificationErrors: [] });
});

test('each domain ends as the dialect says of it, in the words of the dialect', async () => {
  await using world = await startWorld({
    dialect: {
      verifyMs: 0,
      domainEnds: (hostname) => (hostname === host ? 'failure' : 'success'),
      domainStopsAt: 'certificate',
      domainWords: {
        state: { good: 'LIVE', bad: 'Blocked' },
        ownership: { good: 'zorp' },
        certificate: { bad: 'CAA-forbids' },
        routing: { unassigned: 'none', good: 'On Air' },
      },
    },
  });
  const { emulator, project } = world;
  emulator.world.connectDomain(host, project.id);
  emulator.world.connectDomain('other.example.com', project.id);
  expect(emulator.world.domains.all).toMatchObject([
    { state: 'Blocked', ownershipStatus: 'zorp', certificateStatus: 'CAA-forbids' },
    { state: 'LIVE', ownershipStatus: 'zorp', certificateStatus: 'issued' },
  ]);
  expect(emulator.world.domains.all.map((domain) => domain.routingStatus)).toEqual([
    'pending',
    'On Air',
  ]);
  expect(emulator.world.domains.all[0]?.verificationErrors).toHaveLength(1);
  expect(emulator.world.domains.all[1]?.checkedAt).toBeInstanceOf(Date);
  emulator.world.assignDomain(host, null);
  expect(emulator.world.domains.all[0]?.routingStatus).toBe('none');
});

test.for([
  { assignmentReroutes: false, after: stages[4] },
  { assignmentReroutes: true, after: stages[3] },
])('a verified domain that is assigned: rerouted $assignmentReroutes', async (expected) => {
  const { assignmentReroutes, after } = expected;
  stopDate();
  await using world = await startWorld({ dialect: { assignmentReroutes, verifyMs: 4000 } });
  const { emulator, project } = world;
  emulator.world.connectDomain(host);
  vi.setSystemTime(start + 10_000);
  emulator.world.assignDomain(host, project.id);
  vi.setSystemTime(start + 10_999);
  emulator.world.assignDomain(host, project.id);
  expect(await statuses(world)).toBe(after);
  vi.setSystemTime(start + 11_000);
  expect(await statuses(world)).toBe(stages[4]);
  emulator.world.assignDomain(host, null);
  expect(await statuses(world)).toBe('active verified issued unassigned');
});

test('a domain that is assigned in mid-verification goes on where it was', async () => {
  await using world = await startWorld({
    dialect: { assignmentReroutes: true, revalidation: 'advances', verifyMs: 60_000 },
  });
  world.emulator.world.connectDomain(host);
  await look(world, true);
  world.emulator.world.assignDomain(host, world.project.id);
  expect(await statuses(world)).toBe(stages[1]);
});

test('a domain that is connected anew is verified anew', async () => {
  await using world = await startWorld({ dialect: { verifyMs: 0 } });
  const { emulator } = world;
  emulator.world.connectDomain(host);
  expect((await look(world)).state).toBe('active');
  emulator.world.domains.disconnect(host);
  emulator.dialect.verifyMs = 60_000;
  emulator.world.connectDomain(host);
  expect((await look(world)).state).toBe('pending');
});
