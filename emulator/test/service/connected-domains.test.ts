import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type ConnectedDomain,
  connectedDomain as domainShape,
  connectedDomains as domainsShape,
} from '../../../src/contract/connected-domain.ts';
import { type Answer, startWorld, type World } from './support.ts';

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
  expect(emulator.world.domains.all).toEqual([]);
  expect((await send('GET', `${root}/${host}`)).status).toBe(404);
  expect((await connect(world)).status).toBe(201);
});

test('the journal names the operations and which of them had an effect', async () => {
  await using world = await startWorld({ dialect: { revalidation: 'advances' } });
  const { emulator, project, send } = world;
  await connect(world, { projectId: project.id });
  await assign(world, project.id);
  await assign(world, null);
  await send('GET', root);
  await send('GET', `${root}/${host}?revalidate=true`);
  await send('POST', `${root}/status`, { body: { hostnames: [host], revalidate: true } });
  await send('POST', `${root}/${host}/disconnect`);
  expect(emulator.journal.entries.map(({ operation, effect }) => [operation, effect])).toEqual([
    ['connectDomain', true],
    ['assignDomain', false],
    ['assignDomain', true],
    ['listConnectedDomains', false],
    ['readConnectedDomain', false],
    ['readConnectedDomainStatuses', false],
    ['disconnectDomain', true],
  ]);
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
  for (const absentFields of ['null', 'omitted', 'empty'] as const) {
    await using world = await startWorld({ dialect: { unassigned, absentFields } });
    const { json } = await connect(world);
    expect(json).toMatchObject(expected);
    expect(Object.hasOwn(domainShape.parse(json), 'projectId')).toBe(unassigned !== 'absent');
    expect((await list(world))[0]).toMatchObject(expected);
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

test('connecting a connected hostname is refused and changes nothing', async () => {
  await using world = await startWorld({ dialect: { duplicateHostname: '409' } });
  const { emulator, project } = world;
  await connect(world);
  expect((await connect(world, { projectId: project.id })).status).toBe(409);
  expect(emulator.world.domains.all).toMatchObject([{ hostname: host, projectId: null }]);
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

test.for(['404', '422'] as const)('a project that does not exist: %s', async (unknownProject) => {
  await using world = await startWorld({ dialect: { unknownProject } });
  const { emulator } = world;
  const status = Number(unknownProject);
  expect((await connect(world, { projectId: randomUUID() })).status).toBe(status);
  expect(emulator.world.domains.all).toEqual([]);
  emulator.world.connectDomain(host);
  for (const wanted of [randomUUID(), 'not-a-uuid', '']) {
    expect((await assign(world, wanted)).status, wanted).toBe(status);
  }
  expect(emulator.world.domains.all).toMatchObject([{ projectId: null }]);
});

test('a hostname that is not connected cannot be assigned or disconnected', async () => {
  await using world = await startWorld({ dialect: { unknownProject: '422' } });
  expect((await assign(world, world.project.id)).status).toBe(404);
  expect((await assign(world, randomUUID())).status).toBe(404);
  expect((await world.send('POST', `${root}/${host}/disconnect`)).status).toBe(404);
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

test('unknown fields, values and records appear if the dialect says so', async () => {
  await using world = await startWorld({ dialect: { extraFields: true } });
  const newField = expect.anything();
  const domain = { newField, dcvDelegation: 'partial' };
  const { json } = await connect(world);
  expect(json).toMatchObject(domain);
  expect(domainShape.parse(json).instructions).toContainEqual(
    expect.objectContaining({ newField, type: 'ALIAS', purpose: 'apex', required: false }),
  );
  expect((await world.send('GET', root)).json).toMatchObject({ newField, domains: [domain] });
  const gone = await world.send('POST', `${root}/${host}/disconnect`);
  expect(gone.json).toEqual({ hostname: host, newField });
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
