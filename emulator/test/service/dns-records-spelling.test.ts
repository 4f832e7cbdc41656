import { expect, test } from 'vitest';
import type { DialectOptions } from '../../index.ts';
import { mail, mixed, name, six, startZone, text } from './zone.ts';

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
