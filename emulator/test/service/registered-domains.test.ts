import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { registeredDomain as domainShape } from '../../../src/contract/registered-domain.ts';
import type { DialectOptions } from '../../index.ts';
import { deploy, sendTo, startWorld, type World } from './support.ts';

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

test('the words of a dialect', async () => {
  await using world = await startRegistered({
    bindWords: { unbound: 'FREE', bound: 'binding' },
    renewalWords: { on: 'auto', off: 'lapsing' },
  });
  const { post, project } = world;
  expect((await post('bind', { projectId: project.id })).json).toMatchObject({
    bindStatus: 'binding',
    renewal: { state: 'auto' },
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
