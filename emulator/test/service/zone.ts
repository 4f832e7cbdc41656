import { type DnsRecord, dnsRecords } from '../../../src/contract/dns-record.ts';
import type { DialectOptions } from '../../index.ts';
import { startWorld } from './support.ts';

/** The registered domain of every test, and the path of its records. */
export const name = 'example.com';
export const root = `/domains/${name}/dns-records`;

/** Records as a customer writes them. */
export const address = { type: 'A', name: 'www', content: '203.0.113.10' };
export const mixed = { type: 'CNAME', name: 'WWW', content: 'Site.Example.NET' };
export const text = (content: string) => ({ type: 'TXT', name: '@', content });
export const six = { type: 'AAAA', name: '@', content: '2001:DB8:0:0::1' };
export const mail = { type: 'MX', name: '@', content: 'Mail.example.com.', priority: 10 };

/** A world with one registered domain. */
export async function startZone(dialect: DialectOptions = {}) {
  const world = await startWorld({ dialect });
  const { send } = world;
  const domain = world.emulator.world.registerDomain(name);
  const list = async () => dnsRecords.parse((await send('GET', root)).json).records;
  return {
    ...world,
    domain,
    list,
    create: (record: object, fields: object = {}) =>
      send('POST', root, { body: { record, ...fields } }),
    update: (id: string, record: object, fields: object = {}) =>
      send('PATCH', `${root}/${encodeURIComponent(id)}`, { body: { record, ...fields } }),
    /** The records that are not the system's. */
    ours: async () => (await list()).filter(({ managedBy }) => managedBy !== 'system'),
    effects: () => world.emulator.journal.entries.map((entry) => [entry.operation, entry.effect]),
  };
}

/** The id that the service gave a record. */
export function idOf(record: DnsRecord | undefined): string {
  if (!record?.id) throw new Error('there is no id');
  return record.id;
}
