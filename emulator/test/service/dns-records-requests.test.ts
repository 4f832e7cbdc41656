import { expect, test } from 'vitest';
import { sendTo } from './support.ts';
import { address, idOf, mail, mixed, name, root, six, startZone } from './zone.ts';

test('fields may be written that the dialect names, and no other', async () => {
  await using zone = await startZone({ writableFields: ['ttl', 'priority'], invalidStatus: 422 });
  expect((await zone.create({ ...mail, ttl: 60 })).status).toBe(201);
  const id = idOf((await zone.ours())[0]);
  for (const field of [{ comment: 'c' }, { proxied: false }, { weight: 1 }, { tag: 'issue' }]) {
    const answer = await zone.create({ ...address, ...field });
    expect([answer.status, answer.text]).toMatchObject([422, expect.stringContaining('written')]);
    expect((await zone.update(id, { ...mail, ...field })).status).toBe(422);
  }
  expect(await zone.ours()).toHaveLength(1);
});

test('a type that is not common is refused, or is not', async () => {
  await using zone = await startZone();
  const record = { type: 'HTTPS', name: '@', content: '1 . alpn=h2' };
  expect((await zone.create(record)).status).toBe(400);
  zone.emulator.dialect.recordTypes = 'any';
  expect((await zone.create(record)).json).toMatchObject(record);
});

const longLabel = 'a'.repeat(64);
const longName = Array(50).fill('label').join('.');

test.for<{ name: string; record?: unknown; fields?: object }>([
  { name: 'no record' },
  { name: 'a record that is no object', record: [address] },
  { name: 'no type', record: { ...address, type: undefined } },
  { name: 'an empty type', record: { ...address, type: '' } },
  { name: 'a type in small letters', record: { ...address, type: 'a' } },
  { name: 'an empty name', record: { ...address, name: '' } },
  { name: 'a name of another domain', record: { ...address, name: 'www.example.net.' } },
  { name: 'an empty label', record: { ...address, name: 'a..b' } },
  { name: 'a long label', record: { ...address, name: longLabel } },
  { name: 'a long name', record: { ...address, name: longName } },
  { name: 'no content', record: { ...address, content: undefined } },
  { name: 'an address with a leading zero', record: { ...address, content: '203.0.113.010' } },
  { name: 'an address of the other kind', record: { ...address, content: '::1' } },
  { name: 'a host as IPv6', record: { ...six, content: '203.0.113.10' } },
  { name: 'an address with a zone', record: { ...six, content: 'fe80::1%eth0' } },
  { name: 'a CNAME to nothing', record: { ...mixed, content: '' } },
  { name: 'a ttl in words', record: { ...address, ttl: '300' } },
  { name: 'a ttl that is no whole number', record: { ...address, ttl: 0.5 } },
  { name: 'a negative ttl', record: { ...address, ttl: -1 } },
  { name: 'a priority of 65536', record: { ...mail, priority: 65_536 } },
  { name: 'a comment that is null', record: { ...address, comment: null } },
  { name: 'an id', record: { ...address, id: 'r' } },
  { name: 'a manager', record: { ...address, managedBy: 'customer' } },
  { name: 'an unknown field', record: { ...address, value: 'v' } },
  { name: 'an unknown field of the body', record: address, fields: { dryRun: true } },
  { name: 'an empty key', record: address, fields: { idempotencyKey: '' } },
  { name: 'a long key', record: address, fields: { idempotencyKey: 'k'.repeat(129) } },
])('$name is refused and changes nothing', async ({ record, fields = {} }) => {
  await using zone = await startZone();
  const { id } = zone.emulator.world.registered
    .get(name)
    .zone.put({ type: 'TXT', name: 'kept', content: 'a' });
  const before = zone.domain.records;
  const body = { ...(record !== undefined && { record }), ...fields };
  expect((await zone.send('POST', root, { body })).status).toBe(400);
  expect((await zone.send('PATCH', `${root}/${id}`, { body })).status).toBe(400);
  expect(zone.domain.records).toEqual(before);
});

test('what does not exist, and what the interface does not show', async () => {
  await using zone = await startZone();
  const { emulator, send } = zone;
  const { id } = emulator.world.registered.get(name).zone.put(address);
  const body = { record: address };
  for (const [method, path, status] of [
    ['GET', '/domains/other.com/dns-records', 404],
    ['POST', '/domains/other.com/dns-records', 404],
    ['PATCH', `/domains/other.com/dns-records/${id}`, 404],
    ['PATCH', `${root}/no-such-record`, 404],
    ['PATCH', `${root}/`, 400],
    ['GET', '/domains//dns-records', 400],
    ['GET', `${root}?type=A`, 400],
    ['GET', `${root}/${id}`, 405],
    ['DELETE', `${root}/${id}`, 405],
    ['PUT', root, 405],
    ['GET', `/v1${root}`, 404],
  ] as const) {
    const sending = method === 'GET' ? {} : { body };
    expect((await send(method, path, sending)).status, `${method} ${path}`).toBe(status);
  }
});

test('every operation needs the key and can be refused to it by name', async () => {
  await using zone = await startZone({ successStatus: 200 });
  const { emulator, send } = zone;
  const { id } = emulator.world.registered.get(name).zone.put({ ...address, id: 'a/b?c é' });
  const body = { record: address };
  for (const [operation, method, path, sending] of [
    ['listDnsRecords', 'GET', root, {}],
    ['createDnsRecord', 'POST', root, { body }],
    ['updateDnsRecord', 'PATCH', `${root}/${encodeURIComponent(id)}`, { body }],
  ] as const) {
    expect((await sendTo(emulator.url, method, path, sending)).status, operation).toBe(401);
    emulator.dialect.refuse = [operation];
    expect((await send(method, path, sending)).status, operation).toBe(403);
    emulator.dialect.refuse = [];
    expect((await send(method, path, sending)).status, operation).toBe(200);
  }
});
