import { expect, test } from 'vitest';
import { type DnsRecord, dnsRecord, dnsRecords } from '../../../src/contract/dns-record.ts';
import type { DialectOptions } from '../../index.ts';
import { startWorld } from './support.ts';

/** The registered domain of every test, and the path of its records. */
const name = 'example.com';
const root = `/domains/${name}/dns-records`;

/** Records as a customer writes them. */
const address = { type: 'A', name: 'www', content: '203.0.113.10' };
const mixed = { type: 'CNAME', name: 'WWW', content: 'Site.Example.NET' };
const text = (content: string) => ({ type: 'TXT', name: '@', content });
const six = { type: 'AAAA', name: '@', content: '2001:DB8:0:0::1' };
const mail = { type: 'MX', name: '@', content: 'Mail.example.com.', priority: 10 };

/** A world with one registered domain. */
async function startZone(dialect: DialectOptions = {}) {
  const world = await startWorld({ dialect });
  const { send } = world;
  const domain = world.emulator.world.registerDomain(name);
  const list = async () => dnsRecords.parse((await send('GET', root)).json).records;
  return {
    ...world,
    domain,
    list,
    create: (record: object) => send('POST', root, { body: { record } }),
    update: (id: string, record: object) =>
      send('PATCH', `${root}/${encodeURIComponent(id)}`, { body: { record } }),
    /** The records that are not the system's. */
    ours: async () => (await list()).filter(({ managedBy }) => managedBy !== 'system'),
  };
}

/** The id that the service gave a record. */
function idOf(record: DnsRecord | undefined): string {
  if (!record?.id) throw new Error('there is no id');
  return record.id;
}

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
  const updated = await zone.update(id, changed);
  expect([updated.status, updated.json]).toEqual([200, { ...record, ...changed, id }]);
  expect(await zone.ours()).toEqual([{ ...record, ...changed, id }]);
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

const badRecords: readonly { name: string; record: object }[] = [
  { name: 'a type in small letters', record: { ...address, type: 'a' } },
  { name: 'a name of another domain', record: { ...address, name: 'www.example.net.' } },
  { name: 'an empty label', record: { ...address, name: 'a..b' } },
  { name: 'a long label', record: { ...address, name: 'a'.repeat(64) } },
  { name: 'a long name', record: { ...address, name: Array(50).fill('label').join('.') } },
  { name: 'an address with a leading zero', record: { ...address, content: '203.0.113.010' } },
  { name: 'an address of the other kind', record: { ...address, content: '::1' } },
  { name: 'a host as IPv6', record: { ...six, content: '203.0.113.10' } },
  { name: 'an address with a zone', record: { ...six, content: 'fe80::1%eth0' } },
  { name: 'a CNAME to nothing', record: { ...mixed, content: '' } },
  { name: 'a negative ttl', record: { ...address, ttl: -1 } },
  { name: 'a ttl of 32 bits', record: { ...address, ttl: 2 ** 31 } },
  { name: 'a priority of 17 bits', record: { ...mail, priority: 2 ** 16 } },
  { name: 'flags of 9 bits', record: { ...address, flags: 2 ** 8 } },
];

test('a record that DNS does not allow is refused and changes nothing', async () => {
  await using zone = await startZone();
  const { id } = zone.domain.zone.put({ type: 'TXT', name: 'kept', content: 'a' });
  const before = zone.domain.records;
  for (const { name: what, record } of badRecords) {
    expect((await zone.create(record)).status, what).toBe(400);
    expect((await zone.update(id, record)).status, what).toBe(400);
  }
  expect(zone.domain.records).toEqual(before);
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

test('hostile text appears in reasons if the dialect says so', async () => {
  await using zone = await startZone({ hostileText: '::error::@everyone' });
  const managedReason = `Delegates ${name}. ::error::@everyone`;
  expect((await zone.list())[0]).toMatchObject({ managedReason });
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

test.for<{ dialect: DialectOptions; record: object; shown: object }>([
  { dialect: {}, record: mixed, shown: mixed },
  { dialect: { recordNames: 'lower-case' }, record: mixed, shown: { name: 'www' } },
  { dialect: { recordNames: 'full' }, record: mixed, shown: { name: 'www.example.com' } },
  { dialect: { recordNames: 'full' }, record: six, shown: { name } },
  { dialect: { recordNames: 'full-with-dot' }, record: mixed, shown: { name: 'www.example.com.' } },
  { dialect: { recordNames: 'full-with-dot' }, record: six, shown: { name: 'example.com.' } },
  {
    dialect: { recordNames: 'relative' },
    record: { ...mixed, name: 'A.b.Example.com.' },
    shown: { name: 'a.b' },
  },
  { dialect: { recordNames: 'relative' }, record: { ...six, name }, shown: { name: '@' } },
  {
    dialect: { recordNames: 'full' },
    record: { ...mixed, name: 'b\u00fccher' },
    shown: { name: 'xn--bcher-kva.example.com' },
  },
  {
    dialect: { recordNames: 'full' },
    record: { ...mixed, name: 'not-example.com' },
    shown: { name: 'not-example.com.example.com' },
  },
  {
    dialect: { recordTargets: 'lower-case' },
    record: mail,
    shown: { content: 'mail.example.com.' },
  },
  {
    dialect: { recordTargets: 'with-dot' },
    record: mixed,
    shown: { content: 'site.example.net.' },
  },
  {
    dialect: { recordTargets: 'without-dot' },
    record: mail,
    shown: { content: 'mail.example.com' },
  },
  { dialect: { recordTargets: 'with-dot' }, record: text('A'), shown: { content: 'A' } },
  { dialect: { txtContents: 'quoted' }, record: text('a "b" \\'), shown: text('"a \\"b\\" \\\\"') },
  { dialect: { txtContents: 'quoted' }, record: text('"a" "b"'), shown: text('"ab"') },
  {
    dialect: { txtContents: 'unquoted' },
    record: text('"a\\"\\195\\169\\b" "c"'),
    shown: text('a"ébc'),
  },
  { dialect: { txtContents: 'unquoted' }, record: text('v=1; "x"'), shown: text('v=1; "x"') },
  { dialect: { txtContents: 'split' }, record: text(''), shown: text('""') },
  {
    dialect: { txtContents: 'split' },
    record: text(`${'a'.repeat(254)}é${'b'.repeat(255)}`),
    shown: text(`"${'a'.repeat(254)}" "é${'b'.repeat(253)}" "bb"`),
  },
  {
    dialect: { recordTypes: 'any', parameterContents: 'quoted' },
    record: { type: 'HTTPS', name: '@', content: '1 . alpn=h3,h2 port="443"' },
    shown: { content: '1 . alpn="h3,h2" port="443"' },
  },
  {
    dialect: { ownTtls: 'if-proxied' },
    record: { ...six, ttl: 300, proxied: true },
    shown: { ttl: 1 },
  },
  { dialect: { ownTtls: 'if-proxied' }, record: { ...six, ttl: 300 }, shown: { ttl: 300 } },
  { dialect: { ownTtls: 'below-60' }, record: { ...six, ttl: 30 }, shown: { ttl: 60 } },
  { dialect: { ipv6Contents: 'compressed' }, record: six, shown: { content: '2001:db8::1' } },
  {
    dialect: { ipv6Contents: 'full' },
    record: six,
    shown: { content: '2001:0db8:0000:0000:0000:0000:0000:0001' },
  },
  {
    dialect: { ipv6Contents: 'full' },
    record: { ...six, content: '::' },
    shown: { content: Array(8).fill('0000').join(':') },
  },
  {
    dialect: { ipv6Contents: 'full' },
    record: { ...six, content: '1:2:3:4:5:6:7:8' },
    shown: { content: '0001:0002:0003:0004:0005:0006:0007:0008' },
  },
  {
    dialect: { recordDefaults: { ttl: 1, comment: '', priority: 0 } },
    record: six,
    shown: { ttl: 1, comment: '', priority: 0 },
  },
  {
    dialect: { recordDefaults: { ttl: 1, priority: 0 } },
    record: { ...mail, ttl: 300 },
    shown: { ttl: 300, priority: 10 },
  },
  {
    dialect: { fieldsInContent: true, recordTargets: 'without-dot' },
    record: mail,
    shown: { content: '10 mail.example.com' },
  },
  {
    dialect: { fieldsInContent: true },
    record: { type: 'SRV', name: '_s._tcp', content: 'h.', priority: 1, weight: 0, port: 443 },
    shown: { content: '1 0 443 h.' },
  },
  {
    dialect: { fieldsInContent: true },
    record: { type: 'CAA', name: '@', content: 'ca.example', flags: 0, tag: 'issue' },
    shown: { content: '0 issue "ca.example"' },
  },
  {
    dialect: { managedWords: { customer: null, system: 'x' } },
    record: six,
    shown: { managedBy: null },
  },
])('$dialect answers $record with $shown', async ({ dialect, record, shown }) => {
  await using zone = await startZone(dialect);
  const created = await zone.create(record);
  expect([created.status, created.json]).toMatchObject([201, shown]);
  expect((await zone.list()).at(-1)).toEqual(created.json);
  expect(zone.domain.records.at(-1)).toMatchObject(record);
  if (dialect.fieldsInContent) expect(created.json).not.toHaveProperty('priority');
});
