import type { DnsRecord } from '../../contract/dns-record.ts';
import { settles } from '../../core/dns/normal.ts';
import type { RecordPlan } from '../../core/dns/plan-record.ts';
import type { NamedZone } from '../../core/domains/plan.ts';
import { ServiceError } from '../../service/errors.ts';
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

/** A record after its write. */
interface Written {
  answer: DnsRecord;
  /** What is in doubt although it is there; absent if nothing is. */
  doubt?: string;
}

/** The records of the service that may be what this run creates: as declared, and not known to it before. */
async function findNew({ client, host, domain, known }: Zone, { declared }: Create) {
  const records = await client.listDnsRecords(domain, host.signal);
  return records.filter((one) => !known.has(one.id ?? '') && settles(domain, declared, one));
}

/** Looks for a second record, which a request that was taken for lost may have made after its repetition. */
async function doubtAfter(zone: Zone, plan: Create): Promise<string | undefined> {
  try {
    const { length } = await findNew(zone, plan);
    if (length < 2) return undefined;
    return `it was sent again because an answer was lost, and the service has it ${length} times now: remove all but one at the service`;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return 'it was sent again because an answer was lost, and the records could not be listed after it: look at the service whether it is there twice';
  }
}

/** Creates a record, once: a service that ignores idempotency keys would make a second one. */
async function create(zone: Zone, plan: Create): Promise<Written> {
  const { client, host, domain, keyFor } = zone;
  const { body: record } = plan;
  const idempotencyKey = keyFor('create DNS record', `${domain} ${JSON.stringify(record)}`);
  let sent = 0;
  const answer = await createOnce(host, {
    send: () => {
      sent += 1;
      return client.createDnsRecord(domain, { record, idempotencyKey });
    },
    find: async () => (await findNew(zone, plan))[0],
  });
  const doubt = sent > 1 ? await doubtAfter(zone, plan) : undefined;
  return { answer, ...(doubt !== undefined && { doubt }) };
}

/** Updates a record in place: to send it twice does no harm. */
async function update(zone: Zone, { id, body, declared }: Update): Promise<Written> {
  const { client, domain, keyFor, host } = zone;
  const idempotencyKey = keyFor('update DNS record', `${domain} ${id} ${JSON.stringify(body)}`);
  try {
    return { answer: await client.updateDnsRecord(domain, id, { record: body, idempotencyKey }) };
  } catch (error) {
    if (!mayBeDone(error)) throw error;
    const records = await client.listDnsRecords(domain, host.signal);
    const found = records.find((record) => settles(domain, declared, record));
    if (found === undefined) throw error;
    return { answer: found };
  }
}

async function write(zone: Zone, plan: Create | Update) {
  const { answer, doubt } =
    plan.action === 'create' ? await create(zone, plan) : await update(zone, plan);
  if (answer.id) zone.known.add(answer.id);
  if (doubt !== undefined) return { outcome: 'unconfirmed' as const, reason: doubt };
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
      name: record.title,
      action: record.action,
      reason: record.reason,
    };
    if (isGood) isGood = await attempt(applying, doing, () => write(zone, record));
    else skip(applying, doing, `a record of ${domain} before it failed`);
  }
  return isGood;
}
