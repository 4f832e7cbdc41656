import { expect, test } from 'vitest';
import { dnsRecord } from '../../../src/contract/dns-record.ts';
import type { DialectOptions } from '../../index.ts';
import { address, idOf, mail, mixed, name, root, six, startZone, text } from './zone.ts';

test('a record through its life', async () => {
  await using zone = await startZone();
  const created = await zone.create(address);
  const record = {
    ...address,
    ttl: 3600,
    comment: null,
    proxied: false,
    id: expect.stringMatching(/\w/),
    managedBy: 'customer',
    managedReason: null,
  };
  expect([created.status, created.json]).toEqual([201, record]);
  const system = { managedBy: 'system', managedReason: `Delegates ${name}.`, name };
  expect(await zone.list()).toMatchObject([
    { ...system, type: 'SOA' },
    { ...system, type: 'NS' },
    { ...system, type: 'NS' },
    dnsRecord.parse(created.json),
  ]);
  const id = idOf(dnsRecord.parse(created.json));
  const changed = { ...address, content: '203.0.113.11', ttl: 60, comment: 'c', proxied: true };
  for (const fields of [{}, { idempotencyKey: 'k'.repeat(128) }]) {
    const updated = await zone.update(id, changed, fields);
    expect([updated.status, updated.json]).toEqual([200, { ...record, ...changed, id }]);
  }
  expect(await zone.ours()).toEqual([{ ...record, ...changed, id }]);
  expect(zone.effects()).toEqual([
    ['createDnsRecord', true],
    ['listDnsRecords', false],
    ['updateDnsRecord', true],
    ['updateDnsRecord', false],
    ['listDnsRecords', false],
  ]);
});

test.for<{ name: string; dialect?: DialectOptions; first: object; second: object; status: number }>(
  [
    { name: 'an equal one', first: address, second: address, status: 201 },
    {
      name: 'an equal one where that is refused',
      dialect: { duplicateRecords: '409' },
      first: { ...address, ttl: 60 },
      second: { ...address, name: 'WWW.example.com.', comment: 'c' },
      status: 409,
    },
    {
      name: 'an equal address in other letters',
      dialect: { duplicateRecords: '409' },
      first: six,
      second: { ...six, name, content: '2001:db8::1' },
      status: 409,
    },
    {
      name: 'an equal text in pieces',
      dialect: { duplicateRecords: '409' },
      first: text('ab'),
      second: text('"a" "b"'),
      status: 409,
    },
    {
      name: 'an equal target with another dot',
      dialect: { duplicateRecords: '409' },
      first: mail,
      second: { ...mail, content: 'mail.example.com' },
      status: 409,
    },
    {
      name: 'one of another priority',
      dialect: { duplicateRecords: '409' },
      first: mail,
      second: { ...mail, priority: 20 },
      status: 201,
    },
    { name: 'a CNAME', first: address, second: mixed, status: 422 },
    { name: 'a record after a CNAME', first: mixed, second: address, status: 422 },
    { name: 'a second CNAME', first: mixed, second: { ...mixed, content: 'b.c' }, status: 422 },
    {
      name: 'a CNAME where that is allowed',
      dialect: { cnameBesideOthers: 'allow' },
      first: address,
      second: mixed,
      status: 201,
    },
    {
      name: 'a CNAME of another name',
      first: address,
      second: { ...mixed, name: 'other' },
      status: 201,
    },
    { name: 'a CNAME at the apex', first: address, second: { ...mixed, name: '@' }, status: 422 },
  ],
)('beside a record: $name', async ({ dialect, first, second, status }) => {
  await using zone = await startZone(dialect);
  await zone.create(first);
  const answer = await zone.create(second);
  expect(answer.status, answer.text).toBe(status);
  expect(await zone.ours()).toHaveLength(status === 201 ? 2 : 1);
});

test.for([
  { patchedRecords: 'replaces', kept: { ttl: 3600, comment: null } },
  { patchedRecords: 'merges', kept: { ttl: 60, comment: 'c' } },
] as const)('a PATCH $patchedRecords', async ({ patchedRecords, kept }) => {
  await using zone = await startZone({ patchedRecords });
  const created = dnsRecord.parse((await zone.create({ ...address, ttl: 60, comment: 'c' })).json);
  const updated = await zone.update(idOf(created), { ...address, content: '192.0.2.1' });
  expect(updated.json).toMatchObject({ ...kept, content: '192.0.2.1', id: created.id });
  expect(await zone.ours()).toEqual([updated.json]);
});

test('a PATCH may not make a record what it could not be created as', async () => {
  await using zone = await startZone({ duplicateRecords: '409' });
  await zone.create(address);
  const other = { ...address, name: 'other' };
  const id = idOf(dnsRecord.parse((await zone.create(other)).json));
  for (const [record, status] of [
    [address, 409],
    [mixed, 422],
    [{ ...other, content: 'no address' }, 400],
    [other, 200],
  ] as const) {
    expect((await zone.update(id, record)).status).toBe(status);
  }
  expect(zone.domain.records.at(-1)).toMatchObject(other);
});

test.for(['403', '409', '422'] as const)('a record of the system: %s', async (managedRefusal) => {
  await using zone = await startZone({
    managedRefusal,
    managedWords: { customer: '', system: 'dns-team' },
  });
  const before = await zone.list();
  for (const record of before) {
    expect(record.managedBy).toBe('dns-team');
    const answer = await zone.update(idOf(record), { type: 'A', name: '@', content: '192.0.2.1' });
    expect(answer.status).toBe(Number(managedRefusal));
    expect(answer.text).toContain(`Delegates ${name}.`);
  }
  expect(await zone.list()).toEqual(before);
});

test.for([
  { idempotency: 'replay', statuses: [201, 201], records: 1 },
  { idempotency: 'ignore', statuses: [201, 201], records: 2 },
  { idempotency: 'conflict', statuses: [201, 409], records: 1 },
  { idempotency: { forgetAfterMs: 0 }, statuses: [201, 201], records: 2 },
] as const)('a repeated idempotency key: $idempotency', async ({ idempotency, ...expected }) => {
  await using zone = await startZone({ idempotency });
  const key = { idempotencyKey: 'key-1' };
  const both = [await zone.create(address, key), await zone.create(address, key)];
  expect(both.map(({ status }) => status)).toEqual(expected.statuses);
  expect(await zone.ours()).toHaveLength(expected.records);
});

test('a key is good for one body, and of one record for an update', async () => {
  await using zone = await startZone();
  const key = { idempotencyKey: 'key-1' };
  const other = { ...address, name: 'other' };
  const ids = [address, other].map(
    (record) => zone.emulator.world.registered.get(name).zone.put(record).id,
  );
  const changed = { ...address, ttl: 60 };
  expect((await zone.create({ ...address, name: 'third' }, key)).status).toBe(201);
  expect((await zone.create(other, key)).status).toBe(409);
  for (const id of ids) expect((await zone.update(id, changed, key)).json).toMatchObject({ id });
  expect((await zone.update(ids[0] ?? '', other, key)).status).toBe(409);
});

test('a creation whose answer is lost has its effect', async () => {
  await using zone = await startZone();
  zone.emulator.faults.add({ operation: 'createDnsRecord', kind: 'reset-after' });
  await expect(zone.create(address)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await zone.ours()).toMatchObject([address]);
});

test('of many requests for one record, one has its way', async () => {
  await using zone = await startZone({ duplicateRecords: '409', jitterMs: 12 });
  const answers = await Promise.all(Array.from({ length: 5 }, () => zone.create(address)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  expect(await zone.ours()).toHaveLength(1);
});

test('records may come in another order', async () => {
  await using zone = await startZone();
  const { emulator, list } = zone;
  for (let n = 0; n < 8; n += 1)
    emulator.world.registered.get(name).zone.put({ ...address, id: `${n}` });
  const created = (await list()).map(({ id }) => id);
  expect(created.slice(3)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  emulator.dialect.recordOrder = 'shuffled';
  const mixedUp = (await list()).map(({ id }) => id);
  expect(mixedUp).not.toEqual(created);
  expect(mixedUp.toSorted()).toEqual(created.toSorted());
  expect((await list()).map(({ id }) => id)).toEqual(mixedUp);
});

test('unknown fields and hostile text appear if the dialect says so', async () => {
  await using zone = await startZone({ extraFields: true, hostileText: '::error::@everyone' });
  const newField = expect.anything();
  const managedReason = `Delegates ${name}. ::error::@everyone`;
  expect((await zone.send('GET', root)).json).toMatchObject({
    newField,
    records: [{ newField, managedReason }, {}, {}],
  });
});

test('somebody else puts, changes and removes records, whatever the dialect refuses', async () => {
  await using zone = await startZone({ recordTypes: 'known', refuse: ['createDnsRecord'] });
  const { domain, emulator, ours } = zone;
  const own = { type: 'ALIAS', name: '@', content: 'x' };
  const { id } = emulator.world.registered.get(name).zone.put(own);
  emulator.world.registered.get(name).zone.put({ ...own, id, content: 'y' });
  expect(await ours()).toMatchObject([{ ...own, id, content: 'y' }]);
  const managed = emulator.world.registered
    .get(name)
    .zone.put({ ...address, managedReason: 'Mail.' });
  expect((await zone.update(managed.id, address)).status).toBe(403);
  for (const record of domain.records) emulator.world.registered.get(name).zone.remove(record.id);
  expect(domain.records).toEqual([]);
  expect(() => emulator.world.registered.get(name).zone.remove(id)).toThrow('record was not found');
  expect(() => emulator.world.registered.get('b.com').zone.remove(id)).toThrow(
    'domain was not found',
  );
  expect(() => emulator.world.registered.get('b.com').zone.put(address)).toThrow(
    'domain was not found',
  );
});
