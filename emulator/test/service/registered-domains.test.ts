import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { registeredDomain as domainShape } from '../../../src/contract/registered-domain.ts';
import type { DialectOptions } from '../../index.ts';
import { type Answer, deploy, type Sending, sendTo, startWorld, type World } from './support.ts';

const name = 'example.com';
const root = `/domains/${name}`;
const expiresAt = new Date('2031-07-01T00:00:00.000Z');

/** A world with one registered domain. */
async function startRegistered(dialect: DialectOptions = {}) {
  const world = await startWorld({ dialect });
  const domain = world.emulator.world.registerDomain(name, { expiresAt });
  const post = (part: string, body: object = {}) => world.send('POST', `${root}/${part}`, { body });
  return { ...world, domain, post };
}

function effects({ emulator }: World) {
  return emulator.journal.entries.map(({ operation, effect }) => [operation, effect]);
}

test('a domain through its life', async () => {
  await using world = await startRegistered();
  const { domain, post, project } = world;
  const bound = await post('bind', { projectId: project.id.toUpperCase() });
  const renewal = {
    state: 'renewing',
    expiresAt: '2031-07-01T00:00:00.000Z',
    chargeAt: '2031-06-01T00:00:00.000Z',
    hardDeadlineAt: '2031-07-31T00:00:00.000Z',
    serviceEndsAt: null,
    amountMicroUsd: 13_050_000,
    retryPaymentAvailable: false,
    termYears: 1,
    autoRenew: true,
  };
  expect([bound.status, bound.json]).toEqual([
    200,
    {
      name,
      status: 'active',
      autoRenew: true,
      privacyMode: 'redaction',
      boundProjectId: project.id,
      bindStatus: 'bound',
      createdByUserId: 'user-of-the-key',
      registeredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      expiresAt: '2031-07-01T00:00:00.000Z',
      renewal,
    },
  ]);
  const ended = await post('renewal', { enabled: false });
  expect([ended.status, ended.json]).toEqual([
    200,
    {
      ...domainShape.parse(bound.json),
      autoRenew: false,
      renewal: {
        ...renewal,
        state: 'ending',
        chargeAt: null,
        hardDeadlineAt: null,
        serviceEndsAt: '2031-07-01T00:00:00.000Z',
        autoRenew: false,
      },
    },
  ]);
  expect(domain).toMatchObject({ autoRenew: false, boundProjectId: project.id });
  await post('renewal', { enabled: false });
  expect((await post('renewal', { enabled: true })).json).toEqual(bound.json);
  const unbound = await post('unbind');
  expect(unbound.json).toMatchObject({ boundProjectId: null, bindStatus: 'unbound' });
  expect(domain).toMatchObject({ autoRenew: true, boundProjectId: null });
  expect(effects(world)).toEqual([
    ['bindDomain', true],
    ['setRenewal', true],
    ['setRenewal', false],
    ['setRenewal', true],
    ['unbindDomain', true],
  ]);
});

test.for([
  { boundAlready: 'moves', statuses: [200, 200], moved: true },
  { boundAlready: 'same', statuses: [200, 200], moved: false },
  { boundAlready: '409', statuses: [409, 409], moved: false },
] as const)('binding a bound domain: $boundAlready', async (expected) => {
  const { boundAlready, statuses, moved } = expected;
  await using world = await startRegistered({ boundAlready });
  const { domain, emulator, post, project } = world;
  const other = await emulator.world.createProject();
  await post('bind', { projectId: project.id });
  const again = await post('bind', { projectId: project.id });
  const elsewhere = await post('bind', { projectId: other.id });
  expect([again.status, elsewhere.status]).toEqual(statuses);
  const { id } = moved ? other : project;
  expect(domain.boundProjectId).toBe(id);
  if (elsewhere.status === 200) expect(elsewhere.json).toMatchObject({ boundProjectId: id });
  expect(effects(world).map(([, effect]) => effect)).toEqual([true, false, moved]);
});

test.for([
  { unboundAlready: 'same', status: 200 },
  { unboundAlready: '409', status: 409 },
] as const)('unbinding an unbound domain: $unboundAlready', async ({ unboundAlready, status }) => {
  await using world = await startRegistered({ unboundAlready });
  expect((await world.post('unbind')).status).toBe(status);
  expect(effects(world)).toEqual([['unbindDomain', false]]);
});

test.for(['404', '422'] as const)('a project that does not exist: %s', async (unknownProject) => {
  await using world = await startRegistered({ unknownProject });
  for (const projectId of [randomUUID(), 'not-a-uuid']) {
    expect((await world.post('bind', { projectId })).status).toBe(Number(unknownProject));
  }
  expect(world.domain.boundProjectId).toBeNull();
});

test('a domain that is not registered has nothing', async () => {
  await using world = await startRegistered({ unknownProject: '422' });
  const { send, project } = world;
  for (const [part, body] of [
    ['renewal', { enabled: true }],
    ['bind', { projectId: project.id }],
    ['unbind', {}],
  ] as const) {
    expect((await send('POST', `/domains/www.${name}/${part}`, { body })).status, part).toBe(404);
  }
});

test('a name in a path is encoded', async () => {
  await using world = await startWorld();
  const { emulator, send } = world;
  emulator.world.registerDomain('a/b c.é');
  const body = { enabled: false };
  const answer = await send('POST', '/domains/a%2Fb%20c.%C3%A9/renewal', { body });
  expect(answer.json).toMatchObject({ name: 'a/b c.é', autoRenew: false });
  expect((await send('POST', '/domains/%ff/renewal', { body })).status).toBe(400);
});

test.for([
  { absentFields: 'null', shown: { boundProjectId: null } },
  { absentFields: 'empty', shown: { boundProjectId: '' } },
  { absentFields: 'omitted', shown: {} },
] as const)('a project that is not bound is $absentFields', async ({ absentFields, shown }) => {
  await using world = await startRegistered({ absentFields });
  const answer = domainShape.parse((await world.post('unbind')).json);
  expect(answer).toMatchObject(shown);
  expect('boundProjectId' in answer).toBe('boundProjectId' in shown);
});

test('the words and unknown fields of a dialect', async () => {
  await using world = await startRegistered({
    bindWords: { unbound: 'FREE', bound: 'binding' },
    renewalWords: { on: 'auto', off: 'lapsing' },
    extraFields: true,
  });
  const { post, project } = world;
  const newField = expect.anything();
  expect((await post('bind', { projectId: project.id })).json).toMatchObject({
    newField,
    status: 'transfer_locked',
    bindStatus: 'binding',
    renewal: { newField, state: 'auto' },
  });
  await post('renewal', { enabled: false });
  expect((await post('unbind')).json).toMatchObject({
    bindStatus: 'FREE',
    renewal: { state: 'lapsing' },
  });
});

test('a bound domain serves its project, and has a record of the system for it if the dialect says so', async () => {
  await using world = await startRegistered({ buildMs: 0, bindingRecord: true });
  const { domain, emulator, post, project } = world;
  await deploy(world);
  const page = async () =>
    (await sendTo(emulator.url, 'GET', '/', { headers: { host: name } })).status;
  const types = () => domain.records.map(({ type }) => type);
  expect([await page(), types()]).toEqual([404, ['SOA', 'NS', 'NS']]);
  await post('bind', { projectId: project.id });
  expect([await page(), types()]).toEqual([200, ['SOA', 'NS', 'NS', 'A']]);
  const other = await emulator.world.createProject();
  await post('bind', { projectId: other.id });
  expect([await page(), types()]).toEqual([503, ['SOA', 'NS', 'NS', 'A']]);
  expect(domain.records.at(-1)?.managedReason).toMatch(/\w/);
  await post('unbind');
  expect([await page(), types()]).toEqual([404, ['SOA', 'NS', 'NS']]);
});

const long = 'k'.repeat(129);

const refused: readonly { what: string; part: string; sending?: Sending; status?: number }[] = [
  ...[
    { what: 'no setting', body: {} },
    { what: 'a setting in words', body: { enabled: 'true' } },
    { what: 'an unknown field', body: { enabled: true, years: 2 } },
    { what: 'an empty key', body: { enabled: true, idempotencyKey: '' } },
    { what: 'a long key', body: { enabled: true, idempotencyKey: long } },
  ].map(({ what, body }) => ({ what, part: 'renewal', sending: { body } })),
  ...[
    { what: 'no project', body: {} },
    { what: 'a project that is null', body: { projectId: null } },
    { what: 'an empty project', body: { projectId: '' } },
    { what: 'an unknown field', body: { projectId: 'p', force: true } },
    { what: 'a long key', body: { projectId: 'p', idempotencyKey: long } },
  ].map(({ what, body }) => ({ what, part: 'bind', sending: { body } })),
  { what: 'an unknown field', part: 'unbind', sending: { body: { projectId: 'p' } } },
  { what: 'a long key', part: 'unbind', sending: { body: { idempotencyKey: long } } },
  { what: 'a query', part: 'unbind?force=true' },
  { what: 'an unknown part', part: 'transfer', status: 404 },
  { what: 'a part of a part', part: 'bind/now', status: 404 },
];

test('what the interface does not allow is refused and changes nothing', async () => {
  await using world = await startRegistered();
  for (const { what, part, sending, status = 400 } of refused) {
    const answer = await world.send('POST', `${root}/${part}`, sending);
    expect(answer.status, `${part} with ${what}: ${answer.text}`).toBe(status);
  }
  expect((await world.send('POST', '/domains//unbind')).status).toBe(400);
  expect((await world.send('POST', `/v1${root}/unbind`)).status).toBe(404);
  for (const path of ['/domains', root]) {
    expect((await world.send('GET', path)).status, 'no list and no read is shown').toBe(404);
  }
  expect((await world.send('GET', `${root}/renewal`)).status).toBe(405);
  expect(effects(world).filter(([, effect]) => effect)).toEqual([]);
});

test('every operation needs the key and can be refused to it by name', async () => {
  await using world = await startRegistered();
  const { emulator, post, project } = world;
  for (const [operation, part, body] of [
    ['setRenewal', 'renewal', { enabled: false, idempotencyKey: 'k'.repeat(128) }],
    ['bindDomain', 'bind', { projectId: project.id }],
    ['unbindDomain', 'unbind', undefined],
  ] as const) {
    const path = `${root}/${part}`;
    expect((await sendTo(emulator.url, 'POST', path, { body })).status, part).toBe(401);
    emulator.dialect.refuse = [operation];
    expect((await post(part, body)).status, part).toBe(403);
    emulator.dialect.refuse = [];
    expect((await post(part, body)).status, part).toBe(200);
  }
});

test.for([
  { idempotency: 'replay', statuses: [200, 200, 200, 200] },
  { idempotency: 'ignore', statuses: [200, 409, 200, 409] },
  { idempotency: 'conflict', statuses: [200, 409, 200, 409] },
  { idempotency: { forgetAfterMs: 0 }, statuses: [200, 409, 200, 409] },
] as const)('a repeated idempotency key: $idempotency', async ({ idempotency, statuses }) => {
  await using world = await startRegistered({
    idempotency,
    boundAlready: '409',
    unboundAlready: '409',
  });
  const { post, project } = world;
  const seen: Answer[] = [];
  for (const [part, fields] of [
    ['bind', { projectId: project.id }],
    ['unbind', {}],
  ] as const) {
    const body = { ...fields, idempotencyKey: 'key-1' };
    seen.push(await post(part, body), await post(part, body));
  }
  expect(seen.map(({ status }) => status)).toEqual(statuses);
  if (idempotency === 'replay') expect(seen[1]?.text).toBe(seen[0]?.text);
  expect(effects(world).filter(([, effect]) => effect)).toHaveLength(2);
});

test('of two requests that bind a domain, one has its way', async () => {
  await using world = await startRegistered({ boundAlready: '409', jitterMs: 12 });
  const { domain, emulator, post, project } = world;
  const ids = [project.id, (await emulator.world.createProject()).id];
  const winners = new Set<unknown>();
  for (let round = 0; round < 12; round += 1) {
    const answers = await Promise.all(ids.map((projectId) => post('bind', { projectId })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200);
    expect(won?.json).toMatchObject({ boundProjectId: domain.boundProjectId });
    winners.add(domain.boundProjectId);
    await post('unbind');
  }
  expect(winners).toEqual(new Set(ids));
});

test('somebody else registers and binds domains', async () => {
  await using world = await startWorld({ dialect: { boundAlready: '409' } });
  const { emulator, project } = world;
  const projectId = project.id.toUpperCase();
  const options = { projectId, status: 'in_progress', autoRenew: false };
  const domain = emulator.world.registerDomain(name, options);
  expect(domain).toMatchObject({ name, boundProjectId: project.id, autoRenew: false });
  expect(emulator.world.registered.all).toEqual([domain]);
  expect((await world.send('POST', `${root}/unbind`)).json).toMatchObject({
    status: 'in_progress',
    renewal: { autoRenew: false },
  });
  expect(domain.boundProjectId).toBeNull();
  expect(() => emulator.world.registerDomain(name)).toThrow('is registered already');
  expect(() => emulator.world.registerDomain('b.com', { projectId: randomUUID() })).toThrow(
    'not found',
  );
  expect(emulator.world.registered.all).toHaveLength(1);
});
