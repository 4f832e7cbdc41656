import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { customersRecords, writesTo } from '../support/domains.ts';
import { rows } from '../support/exhaustive.ts';
import { startWorld } from '../support/world.ts';
import { planDomainsOf, runDomains } from './run.ts';

const site = (dns: readonly object[]) => ({ 'registered-domains': { 'example.com': { dns } } });

const long = 'v=DKIM1; p='.padEnd(600, 'AB');

/** A record of each type that is known, and one that is not; spelled as people do. */
const records = [
  { type: 'A', name: '@', content: '203.0.113.10', ttl: 300 },
  { type: 'A', name: '@', content: '203.0.113.11' },
  { type: 'AAAA', name: 'V6', content: '2001:DB8:0:0:0:0:0:1' },
  { type: 'CAA', name: '@', content: 'ca.example', flags: 0, tag: 'issue' },
  { type: 'CAA', name: '@', content: 'ca.example', flags: 0, tag: 'issuewild' },
  { type: 'CNAME', name: 'blog.example.com', content: 'Sites.Example.NET.' },
  { type: 'MX', name: 'example.com.', content: 'Mail.example.com', priority: 10 },
  { type: 'MX', name: '@', content: '20 mail2.example.com.' },
  { type: 'NS', name: 'sub', content: 'ns1.other.example' },
  { type: 'PTR', name: 'ptr', content: 'host.example.com' },
  {
    type: 'SRV',
    name: '_sip._tcp',
    content: 'sip.example.com',
    priority: 0,
    weight: 0,
    port: 5060,
  },
  { type: 'TXT', name: '@', content: 'v=spf1 -all' },
  { type: 'TXT', name: 'quotes', content: 'say "hi"; a\\b' },
  { type: 'TXT', name: 'dkim._domainkey', content: long },
  { type: 'TXT', name: 'bücher', content: 'grün', comment: '', proxied: false },
  { type: 'TXT', name: '*', content: '"one" "two"' },
  { type: 'HTTPS', name: 'h3', content: '1 . alpn=h3' },
];

/** The same records with another content, or other fields. */
const others = [
  { type: 'A', name: '@', content: '203.0.113.10', ttl: 60, comment: 'first' },
  { type: 'A', name: '@', content: '203.0.113.12', proxied: true, replaces: '203.0.113.11' },
  { type: 'AAAA', name: 'V6', content: '2001:db8::2' },
  { type: 'CAA', name: '@', content: 'ca.example', flags: 128, tag: 'issue' },
  {
    type: 'CAA',
    name: '@',
    content: 'other.example',
    flags: 0,
    tag: 'issuewild',
    replaces: '0 issuewild "ca.example"',
  },
  { type: 'CNAME', name: 'blog', content: 'other.example.net' },
  { type: 'MX', name: '@', content: 'mail.example.com', priority: 0 },
  { type: 'MX', name: '@', content: 'mail2.example.com', priority: 30 },
  { type: 'NS', name: 'sub', content: 'ns2.other.example' },
  { type: 'PTR', name: 'ptr', content: 'other.example.com' },
  {
    type: 'SRV',
    name: '_sip._tcp',
    content: 'sip.example.com',
    priority: 1,
    weight: 2,
    port: 5060,
  },
  { type: 'TXT', name: '@', content: 'v=spf1 ~all' },
  { type: 'TXT', name: 'quotes', content: 'say "ho"', replaces: 'say "hi"; a\\b' },
  { type: 'TXT', name: 'dkim._domainkey', content: `${long}AB` },
  { type: 'TXT', name: 'bücher', content: 'blau', ttl: 60, replaces: 'grün' },
  { type: 'TXT', name: '*', content: '"one" "three"', replaces: 'onetwo' },
  { type: 'HTTPS', name: 'h3', content: '2 . alpn=h3' },
];

const defaults = { ttl: 1, comment: null, priority: 0, flags: 0, weight: 0, port: 0 };

/** Each choice beside others of other fields, and then each of them alone. */
const dialects: readonly (readonly [string, DialectOptions])[] = [
  ['everything as it is given', {}],
  [
    'all that is short',
    {
      recordNames: 'lower-case',
      recordTargets: 'lower-case',
      txtContents: 'quoted',
      ipv6Contents: 'compressed',
      managedWords: { customer: null, system: 'platform' },
      duplicateRecords: '409',
    },
  ],
  [
    'all that is relative',
    {
      recordNames: 'relative',
      recordTargets: 'without-dot',
      txtContents: 'unquoted',
      recordDefaults: { comment: null },
      absentFields: 'omitted',
    },
  ],
  [
    'all that is long',
    {
      recordNames: 'full-with-dot',
      recordTargets: 'with-dot',
      txtContents: 'split',
      ipv6Contents: 'full',
      fieldsInContent: true,
      parameterContents: 'quoted',
      ownTtls: 'if-proxied',
      recordOrder: 'shuffled',
      patchedRecords: 'merges',
      recordDefaults: { ttl: 1, comment: null, proxied: true },
      extraFields: true,
    },
  ],
  [
    'full names and computed fields',
    { recordNames: 'full', recordDefaults: { ...defaults, proxied: true } },
  ],
  ['names in lower case', { recordNames: 'lower-case' }],
  ['full names', { recordNames: 'full' }],
  ['full names with a dot', { recordNames: 'full-with-dot' }],
  ['relative names', { recordNames: 'relative' }],
  ['targets in lower case', { recordTargets: 'lower-case' }],
  ['targets with a dot', { recordTargets: 'with-dot' }],
  ['targets without a dot', { recordTargets: 'without-dot' }],
  ['texts in quotes', { txtContents: 'quoted' }],
  ['texts without quotes', { txtContents: 'unquoted' }],
  ['texts in strings of 255 bytes', { txtContents: 'split' }],
  ['short IPv6 addresses', { ipv6Contents: 'compressed' }],
  ['long IPv6 addresses', { ipv6Contents: 'full' }],
  ['parameters in quotes', { parameterContents: 'quoted' }],
  ['a TTL of its own for proxied records', { ownTtls: 'if-proxied' }],
  ['fields in front of the content', { fieldsInContent: true }],
  ['records in another order', { recordOrder: 'shuffled' }],
  ['updates that merge', { patchedRecords: 'merges' }],
  ['computed fields', { recordDefaults: { ...defaults, proxied: true } }],
  ['empty fields left out', { recordDefaults: { comment: null }, absentFields: 'omitted' }],
  ['no word for a customer', { managedWords: { customer: null, system: 'platform' } }],
  ['fields of its own', { extraFields: true, successStatus: 200 }],
  ['no second record of one content', { duplicateRecords: '409' }],
];

describe.concurrent('records of every type: a plan right after an apply is empty', () => {
  it.each(rows(dialects, (_, index) => index < 5))('on a service with %s', async (_, dialect) => {
    await using world = await startWorld({ dialect: { recordTypes: 'any', ...dialect } });
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    for (const dns of [records, others]) {
      const applied = await runDomains(world, site(dns));
      expect(applied).toMatchObject({ outcome: 'synced' });
      expect(applied.results.map(({ outcome }) => outcome)).toEqual(dns.map(() => 'done'));
      const writes = writesTo(emulator).length;
      const again = await runDomains(world, site(dns));
      expect(again).toMatchObject({ outcome: 'synced', changes: [], undeclared: [] });
      expect(again.unchanged).toBe(dns.length);
      expect(writesTo(emulator)).toHaveLength(writes);
    }
    const operations = writesTo(emulator).map(({ operation }) => operation);
    expect(operations).toEqual([
      ...records.map(() => 'createDnsRecord'),
      ...others.map(() => 'updateDnsRecord'),
    ]);
    expect(customersRecords(emulator, 'example.com')).toHaveLength(records.length);
  });

  it('and what is sent is what was declared, with no field that was not', async () => {
    await using world = await startWorld({ dialect: { recordTypes: 'any' } });
    world.emulator.world.registerDomain('example.com');
    await runDomains(world, site(records));
    const sent = writesTo(world.emulator).map(({ body }) => body);
    expect(sent).toEqual(
      expect.arrayContaining([
        { record: records[0], idempotencyKey: expect.any(String) },
        { record: records[1], idempotencyKey: expect.any(String) },
        { record: records[10], idempotencyKey: expect.any(String) },
      ]),
    );
    expect(sent).toHaveLength(records.length);
  });

  it('and so it is where somebody shuffled the file', async () => {
    await using world = await startWorld({ dialect: { recordTypes: 'any' } });
    world.emulator.world.registerDomain('example.com');
    await runDomains(world, site(records));
    const { changes } = await planDomainsOf(world, site(records.toReversed()));
    expect(changes).toEqual([]);
  });

  it('a field that the service does not let anybody write is a failure that names it', async () => {
    await using world = await startWorld({ dialect: { writableFields: ['ttl'] } });
    world.emulator.world.registerDomain('example.com');
    const dns = [{ type: 'A', name: '@', content: '203.0.113.10', comment: 'mine' }];
    const { outcome, error } = await runDomains(world, site(dns));
    expect(outcome).toBe('failed');
    expect(error).toContain('comment');
  });

  it.each([
    ['and the list as declared is done', true, 'synced', 'done'],
    ['and the list not at all is unconfirmed, and said so', false, 'unconfirmed', 'unconfirmed'],
  ])('a record that the answer shows otherwise %s', async (_name, effect, ended, outcome) => {
    await using world = await startWorld();
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    emulator.faults.add({
      operation: 'createDnsRecord',
      kind: 'status',
      status: 201,
      body: JSON.stringify({ type: 'A', name: '@', content: '203.0.113.99', id: 'fake-id' }),
      effect,
    });
    const dns = [{ type: 'A', name: '@', content: '203.0.113.10' }];
    const report = await runDomains(world, site(dns));
    expect(report.outcome).toBe(ended);
    expect(report.results).toEqual([expect.objectContaining({ outcome })]);
    expect(world.told.some(({ type }) => type === 'warning')).toBe(!effect);
  });

  it('writes that all fail alike tell once in full why, and what to do', async () => {
    await using world = await startWorld();
    const names = ['a.example', 'b.example', 'c.example'];
    for (const name of names) world.emulator.world.registerDomain(name);
    world.emulator.faults.add({
      operation: 'createDnsRecord',
      kind: 'status',
      status: 403,
      body: JSON.stringify({ error: { message: 'Not yours' } }),
      times: names.length,
      effect: false,
    });
    const dns = [{ type: 'A', name: '@', content: '203.0.113.10' }];
    const declared = Object.fromEntries(names.map((name) => [name, { dns }]));
    const report = await runDomains(world, { 'registered-domains': declared });
    const reasons = report.results.map(({ reason }) => reason);
    expect(reasons).toHaveLength(names.length);
    expect(reasons.filter((reason) => reason.includes('Not yours'))).toHaveLength(1);
    expect(reasons.filter((reason) => /^same error as A [abc]\.example/.test(reason))).toHaveLength(
      2,
    );
    expect(report.error).toMatch(/3 of 3 writes failed: .*Not yours/);
    expect(JSON.stringify(report.error).split('Not yours')).toHaveLength(2);
  });
});
