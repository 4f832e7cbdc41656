import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type ConnectedDomain,
  connectedDomain as domainShape,
  connectedDomains as domainsShape,
} from '../../../src/contract/connected-domain.ts';
import type { DialectOptions } from '../../index.ts';
import { type Answer, deploy, sendTo, startWorld, type World } from './support.ts';

const root = '/connected-domains';
const host = 'www.example.com';

/** A domain whose verification does not move while a test looks at it. */
const still = { verifyMs: 60_000 };

function connect({ send }: World, fields: object = {}): Promise<Answer> {
  return send('POST', root, { body: { hostname: host, ...fields } });
}

function assign({ send }: World, projectId: string | null, fields: object = {}): Promise<Answer> {
  return send('POST', `${root}/${host}/project`, { body: { projectId, ...fields } });
}

async function list({ send }: World): Promise<ConnectedDomain[]> {
  return domainsShape.parse((await send('GET', root)).json).domains;
}

test('a domain through its life, the same in every answer', async () => {
  await using world = await startWorld({ dialect: still });
  const { emulator, project, send } = world;
  expect((await send('GET', root)).json).toEqual({ domains: [] });

  const connected = await connect(world);
  expect(connected.status).toBe(201);
  expect(connected.json).toEqual({
    hostname: host,
    state: 'pending',
    ownershipStatus: 'pending',
    certificateStatus: 'pending',
    routingStatus: 'unassigned',
    projectId: null,
    instructions: expect.any(Array),
    dnsHost: 'Example DNS',
    dcvDelegation: 'ok',
    verificationErrors: [],
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    checkedAt: null,
  });

  const assigned = await assign(world, project.id.toUpperCase());
  expect([assigned.status, assigned.json]).toMatchObject([
    200,
    { projectId: project.id, routingStatus: 'pending' },
  ]);
  for (const { json } of [
    await send('GET', `${root}/${host}`),
    await send('GET', `${root}/${host}?revalidate=false`),
  ]) {
    expect(json).toEqual(assigned.json);
  }
  const many = await send('POST', `${root}/status`, { body: { hostnames: [host] } });
  for (const { json } of [await send('GET', root), many]) {
    expect(json).toEqual({ domains: [assigned.json] });
  }

  const cleared = await assign(world, null);
  expect([cleared.status, cleared.json]).toEqual([200, connected.json]);
  const gone = await send('POST', `${root}/${host}/disconnect`, { body: {} });
  expect([gone.status, gone.json]).toEqual([200, { hostname: host }]);
  expect(emulator.journal.of('disconnectDomain')).toHaveLength(1);
  expect(emulator.world.domains.all).toEqual([]);
  expect((await send('GET', `${root}/${host}`)).status).toBe(404);
  expect((await connect(world)).status).toBe(201);
});

test('instructions ask for two records, and for a third that is not required', async () => {
  await using world = await startWorld();
  const { instructions } = domainShape.parse((await connect(world)).json);
  const value = expect.stringMatching(/\w/);
  expect(instructions).toEqual([
    { type: 'CNAME', name: host, value, purpose: 'routing', required: true },
    { type: 'TXT', name: `_site-ownership.${host}`, value, purpose: 'ownership', required: true },
    {
      type: 'CNAME',
      name: `_acme-challenge.${host}`,
      value,
      purpose: 'certificate',
      required: false,
    },
  ]);
  const other = await connect(world, { hostname: 'other.example.com' });
  const values = domainShape.parse(other.json).instructions?.map((record) => record.value);
  expect(values?.[1]).not.toBe(instructions?.[1]?.value);
});

test.for([
  { unassigned: 'null', expected: { projectId: null } },
  { unassigned: 'absent', expected: expect.not.objectContaining({ projectId: expect.anything() }) },
  { unassigned: 'empty', expected: { projectId: '' } },
] as const)('an unassigned project is $unassigned', async ({ unassigned, expected }) => {
  await using world = await startWorld({ dialect: { unassigned } });
  await connect(world);
  for (const absentFields of ['null', 'omitted', 'empty'] as const) {
    world.emulator.dialect.absentFields = absentFields;
    const [domain] = await list(world);
    expect(domain).toMatchObject(expected);
    expect(Object.hasOwn(domain ?? {}, 'projectId')).toBe(unassigned !== 'absent');
  }
});

test('domains are listed in order of connection, a status list in the order asked', async () => {
  await using world = await startWorld();
  const { emulator, send } = world;
  for (const name of ['b.example.com', 'a.example.com']) emulator.world.connectDomain(name);
  expect((await list(world)).map(({ hostname }) => hostname)).toEqual([
    'b.example.com',
    'a.example.com',
  ]);
  const hostnames = ['a.example.com', 'none.example.com', 'b.example.com'];
  const known = await send('POST', `${root}/status`, { body: { hostnames } });
  expect(domainsShape.parse(known.json).domains.map(({ hostname }) => hostname)).toEqual([
    'a.example.com',
    'b.example.com',
  ]);
  emulator.dialect.unknownInStatuses = '404';
  expect((await send('POST', `${root}/status`, { body: { hostnames } })).status).toBe(404);
});

test('connecting a connected hostname answers it, assigned as asked', async () => {
  await using world = await startWorld({ dialect: { ...still, duplicateHostname: 'same' } });
  const { emulator, project } = world;
  const first = await connect(world);
  const again = await connect(world, { projectId: project.id });
  expect([again.status, again.json]).toMatchObject([200, { projectId: project.id }]);
  expect(domainShape.parse(again.json).createdAt).toBe(domainShape.parse(first.json).createdAt);
  expect((await connect(world)).json).toEqual(again.json);
  expect(emulator.world.domains.all).toHaveLength(1);
  expect(emulator.journal.entries.map(({ effect }) => effect)).toEqual([true, true, false]);
});

test('a domain that is assigned elsewhere moves', async () => {
  await using world = await startWorld({ dialect: { duplicateHostname: 'same' } });
  const { emulator, project } = world;
  const other = await emulator.world.createProject();
  await connect(world, { projectId: other.id });
  expect((await assign(world, project.id)).json).toMatchObject({ projectId: project.id });
  expect((await connect(world, { projectId: other.id })).json).toMatchObject({
    projectId: other.id,
  });
});

test('a domain that is assigned elsewhere is kept there, and may be cleared', async () => {
  await using world = await startWorld({
    dialect: { assignedElsewhere: '409', duplicateHostname: 'same' },
  });
  const { emulator, project } = world;
  const other = await emulator.world.createProject();
  const { projectId } = emulator.world.connectDomain(host, other.id);
  expect((await assign(world, project.id)).status).toBe(409);
  expect((await connect(world, { projectId: project.id })).status).toBe(409);
  expect((await assign(world, other.id)).status).toBe(200);
  expect(emulator.world.domains.all).toMatchObject([{ projectId }]);
  await assign(world, null);
  expect((await assign(world, project.id)).status).toBe(200);
});

test('somebody else connects, assigns and disconnects, whatever the dialect refuses', async () => {
  await using world = await startWorld({ dialect: { assignedElsewhere: '409', refuse: ['x'] } });
  const { emulator, project } = world;
  const other = await emulator.world.createProject();
  const domain = emulator.world.connectDomain(host, project.id);
  expect(await list(world)).toMatchObject([{ hostname: host, projectId: project.id }]);
  emulator.world.assignDomain(host, other.id.toUpperCase());
  expect(await list(world)).toMatchObject([{ projectId: other.id }]);
  expect(domain.projectId).toBe(other.id);
  emulator.world.assignDomain(host, null);
  expect(emulator.world.domains.all).toMatchObject([
    { hostname: host, projectId: null, routingStatus: 'unassigned' },
  ]);
  emulator.world.domains.disconnect(host);
  expect(await list(world)).toEqual([]);
});

test('what cannot be done by hand is said', async () => {
  await using world = await startWorld();
  const { emulator } = world;
  emulator.world.connectDomain(host);
  const unknown = randomUUID();
  expect(() => emulator.world.connectDomain(host)).toThrow('is connected already');
  expect(() => emulator.world.connectDomain('Not A Host')).toThrow('must be a hostname');
  expect(() => emulator.world.connectDomain('new.example.com', unknown)).toThrow(
    'project was not found',
  );
  expect(() => emulator.world.assignDomain(host, unknown)).toThrow('project was not found');
  expect(() => emulator.world.assignDomain('new.example.com', null)).toThrow(
    'domain was not found',
  );
  expect(() => emulator.world.domains.disconnect('new.example.com')).toThrow(
    'domain was not found',
  );
  expect(emulator.world.domains.all).toHaveLength(1);
});

test('two emulators share no domains and no words', async () => {
  await using world = await startWorld();
  await using other = await startWorld({ dialect: { domainWords: { state: { good: 'LIVE' } } } });
  world.emulator.world.connectDomain(host);
  world.emulator.dialect.domainWords.routing.good = 'changed';
  expect(other.emulator.world.domains.all).toEqual([]);
  expect(other.emulator.dialect.domainWords).toMatchObject({
    state: { waiting: 'pending', good: 'LIVE' },
    routing: { good: 'routed' },
  });
});

describe('the sites', () => {
  /** The answer of a site's start page at a host. */
  async function page({ emulator }: World, at: string = host): Promise<[number, string]> {
    const { status, text } = await sendTo(emulator.url, 'GET', '/', { headers: { host: at } });
    return [status, /<h1>(.*)<\/h1>/.exec(text)?.[1] ?? text.trim()];
  }

  const site = [200, 'Hello from a fresh site'];
  const noSite = [404, 'There is no site at this address.'];

  test('an assigned hostname serves its project until it is cleared, moved or disconnected', async () => {
    await using world = await startWorld({ dialect: { buildMs: 0, verifyMs: 60_000 } });
    const { emulator, project, send } = world;
    const assign = (projectId: string | null) =>
      send('POST', `${root}/${host}/project`, { body: { projectId } });
    await deploy(world);
    expect(await page(world)).toEqual(noSite);
    await send('POST', root, { body: { hostname: host } });
    expect(await page(world)).toEqual(noSite);
    await assign(project.id);
    expect(await page(world)).toEqual(site);
    expect(await page(world, 'WWW.Example.com:8080')).toEqual(site);
    const other = await emulator.world.createProject();
    await assign(other.id);
    expect(await page(world)).toEqual([503, 'not deployed yet']);
    await assign(null);
    expect(await page(world)).toEqual(noSite);
    await assign(project.id);
    await send('POST', `${root}/${host}/disconnect`);
    expect(await page(world)).toEqual(noSite);
    expect(await page(world, project.host)).toEqual(site);
  });

  test('one project serves several hostnames, each with every path', async () => {
    await using world = await startWorld({ dialect: { buildMs: 0 } });
    const { emulator, project } = world;
    await deploy(world);
    const hosts = ['a.example.com', `pr-1.preview.${'x'.repeat(63)}.example`, '10.0.0.1'];
    for (const name of hosts) {
      emulator.world.connectDomain(name, project.id);
      expect(await page(world, name)).toEqual(site);
      const headers = { host: name };
      // A path of the service is only a page that is missing there.
      const missing = await sendTo(emulator.url, 'GET', root, { headers });
      expect([missing.status, missing.json]).toEqual([404, undefined]);
      expect((await sendTo(emulator.url, 'POST', root, { headers, body: {} })).status).toBe(405);
    }
    expect(emulator.journal.of('site')).toHaveLength(3 * hosts.length);
  });
});

describe('the verification', () => {
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
    await using world = await startWorld({
      dialect: { revalidation: 'slow', revalidateMs: 60_000 },
    });
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
});

describe('races', () => {
  const rounds = Array.from({ length: 12 }, (_, index) => index + 1);
  const hostOf = (round: number) => `pr-${round}.preview.example.com`;

  function assignedIn({ json }: Answer): string | null | undefined {
    return domainShape.parse(json).projectId;
  }

  /** Two projects and a domain for each round, and requests whose order is left to the jitter. */
  async function startRace(dialect: DialectOptions) {
    const world = await startWorld({ dialect: { jitterMs: 12, verifyMs: 60_000, ...dialect } });
    const other = await world.emulator.world.createProject();
    return { ...world, projectIds: [world.project.id, other.id] as const };
  }

  function stored({ emulator }: World, hostname: string) {
    return emulator.world.domains.all.find((domain) => domain.hostname === hostname);
  }

  test('of two requests that connect a hostname, one has its way', async () => {
    await using world = await startRace({});
    const winners = new Set<unknown>();
    for (const round of rounds) {
      const hostname = hostOf(round);
      const answers = await Promise.all(
        world.projectIds.map((projectId) =>
          world.send('POST', root, { body: { hostname, projectId } }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      const created = answers.find(({ status }) => status === 201);
      expect(created && assignedIn(created)).toBe(stored(world, hostname)?.projectId);
      winners.add(stored(world, hostname)?.projectId);
    }
    expect(world.emulator.world.domains.all).toHaveLength(rounds.length);
    expect(winners).toEqual(new Set(world.projectIds));
  });

  test('of two requests that assign a domain, one has its way where domains do not move', async () => {
    await using world = await startRace({ assignedElsewhere: '409' });
    for (const round of rounds) {
      const hostname = hostOf(round);
      world.emulator.world.connectDomain(hostname);
      const path = `${root}/${hostname}/project`;
      const answers = await Promise.all(
        world.projectIds.map((projectId) => world.send('POST', path, { body: { projectId } })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const won = answers.findIndex(({ status }) => status === 200);
      expect(stored(world, hostname)?.projectId).toBe(world.projectIds[won]);
    }
  });

  test('each answer shows the moment of its own effect, and the last effect stays', async () => {
    await using world = await startRace({ assignedElsewhere: 'moves' });
    const last = new Set<unknown>();
    for (const round of rounds) {
      const hostname = hostOf(round);
      world.emulator.world.connectDomain(hostname);
      const path = `${root}/${hostname}/project`;
      const answers = await Promise.all(
        world.projectIds.map((projectId) => world.send('POST', path, { body: { projectId } })),
      );
      expect(answers.map(assignedIn)).toEqual(world.projectIds);
      last.add(stored(world, hostname)?.projectId);
    }
    expect(last).toEqual(new Set(world.projectIds));
  });

  test('whether a list shows what is connected meanwhile is left to the jitter', async () => {
    await using world = await startRace({});
    const shown = new Set<boolean>();
    for (const round of rounds) {
      const hostname = hostOf(round);
      const [listed] = await Promise.all([
        world.send('GET', root),
        world.send('POST', root, { body: { hostname } }),
      ]);
      const { domains } = domainsShape.parse(listed.json);
      shown.add(domains.some((domain) => domain.hostname === hostname));
    }
    expect(shown).toEqual(new Set([true, false]));
  });
});
