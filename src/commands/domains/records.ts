import type { DnsRecord } from '../../contract/dns-record.ts';
import { settles } from '../../core/dns/normal.ts';
import type { RecordPlan } from '../../core/dns/plan-record.ts';
import { type NamedZone, nameOfRecord } from '../../core/domains/plan.ts';
import { createOnce } from '../create-once.ts';
import { type Applying, attempt, mayBeDone, skip } from './context.ts';

type Create = Extract<RecordPlan, { action: 'create' }>;
type Update = Extract<RecordPlan, { action: 'update' }>;

/** One domain's records, on their way. */
interface Zone extends Applying {
  domain: string;
  /** Ids of the records that were there before, or that this run has made. */
  known: Set<string>;
}

/** Creates a record, once: a service that ignores idempotency keys would make a second one. */
async function create(
  { client, host, domain, known, keyFor }: Zone,
  { body: record, declared }: Create,
): Promise<DnsRecord> {
  const idempotencyKey = keyFor('create DNS record', `${domain} ${JSON.stringify(record)}`);
  return await createOnce(host, {
    send: () => client.createDnsRecord(domain, { record, idempotencyKey }),
    find: async () => {
      const records = await client.listDnsRecords(domain, host.signal);
      return records.find((one) => !known.has(one.id ?? '') && settles(domain, declared, one));
    },
  });
}

/** Updates a record in place: to send it twice does no harm. */
async function update(zone: Zone, { id, body, declared }: Update): Promise<DnsRecord> {
  const { client, domain, keyFor, host } = zone;
  const idempotencyKey = keyFor('update DNS record', `${domain} ${id} ${JSON.stringify(body)}`);
  try {
    return await client.updateDnsRecord(domain, id, { record: body, idempotencyKey });
  } catch (error) {
    if (!mayBeDone(error)) throw error;
    const records = await client.listDnsRecords(domain, host.signal);
    const found = records.find((record) => settles(domain, declared, record));
    if (found === undefined) throw error;
    return found;
  }
}

async function write(zone: Zone, plan: Create | Update) {
  const answer = plan.action === 'create' ? await create(zone, plan) : await update(zone, plan);
  if (answer.id) zone.known.add(answer.id);
  if (settles(zone.domain, plan.declared, answer)) return undefined;
  const reason = `${plan.reason}; the service shows it otherwise than it is declared, so that the next plan may have it again`;
  return { outcome: 'unconfirmed' as const, reason };
}

/**
 * Writes one domain's records, one after the other. What follows a record that failed is not written.
 *
 * @returns false if one failed
 */
export async function applyZone(applying: Applying, { domain, plan }: NamedZone): Promise<boolean> {
  const observed = [...plan.managed, ...plan.undeclared].concat(
    plan.records.flatMap((one) => ('observed' in one ? [one.observed] : [])),
  );
  const known = new Set(observed.flatMap(({ id }) => (id ? [id] : [])));
  const zone: Zone = { ...applying, domain, known };
  let isGood = true;
  for (const record of plan.records) {
    if (record.action === 'none') continue;
    const doing = {
      resource: 'dns-record' as const,
      name: nameOfRecord(record),
      action: record.action,
      reason: record.reason,
    };
    if (isGood) isGood = await attempt(applying, doing, () => write(zone, record));
    else skip(applying, doing, `a record of ${domain} before it failed`);
  }
  return isGood;
}
