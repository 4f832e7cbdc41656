import type { DnsRecord } from '../contract/dns-record.ts';
import { operations } from '../contract/operations.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError, unproven } from '../service/errors.ts';
import { type Ensured, ensure, isThere } from '../step/ensure.ts';
import type { Run } from '../step/step.ts';
import { describeKept, isAsDeclared } from './dns/content.ts';
import type { RecordPlan } from './dns/plan-record.ts';
import type { ChangeResult } from './result.ts';

type Create = Extract<RecordPlan, { action: 'create' }>;
type Update = Extract<RecordPlan, { action: 'update' }>;

/** The context for writing one domain's records. */
export interface Zone extends Run {
  domain: string;
  /** Ids of the records that existed before, or that this run created. */
  known: Set<string>;
}

const again = safe`sent again after a lost response`;

/** Writes a record. It is unconfirmed if it may exist twice, or if the service has something else in its place. */
export async function writeRecord(
  zone: Zone,
  plan: Create | Update,
): Promise<Pick<ChangeResult, 'outcome' | 'reason'>> {
  const { domain, host, known } = zone;
  const { declared } = plan;
  const isNewRecord = plan.action === 'create';
  const { state: answer, isRepeated } = isNewRecord
    ? await create(zone, plan)
    : await update(zone, plan);
  const isSentAgain = isNewRecord && isRepeated;
  const doubt = isSentAgain ? await whyTwice(zone, plan) : undefined;
  if (answer.id) known.add(answer.id);
  if (doubt !== undefined) return { outcome: 'unconfirmed', reason: safe`${again}; ${doubt}` };
  const reasons = [plan.reason];
  if (isSentAgain) reasons.push(again);
  const kept = describeKept(domain, declared, answer, host.cleanLine);
  if (kept !== undefined) reasons.push(kept);
  const outcome = isAsDeclared(domain, declared, answer) ? 'done' : 'unconfirmed';
  return { outcome, reason: joinSafe(reasons, '; ') };
}

/**
 * Creates a record. It is sent once: a service that ignores idempotency keys would create a second one. If the response
 * shows another record, the list is searched for a new one, as declared or with the returned id.
 */
async function create(zone: Zone, { body: record, declared }: Create): Promise<Ensured<DnsRecord>> {
  const { client, host, domain, keyFor } = zone;
  const idempotencyKey = keyFor('create DNS record', `${domain} ${JSON.stringify(record)}`);
  let otherwise: DnsRecord | undefined;
  return await ensure(host, {
    operation: operations.createDnsRecord,
    send: async () => {
      const shown = await client.createDnsRecord(domain, { record, idempotencyKey });
      const isNewOne = isNew(zone, shown);
      if (isNewOne && isAsDeclared(domain, declared, shown)) return shown;
      otherwise = isNewOne ? shown : undefined;
      throw unproven(operations.createDnsRecord, safe`the response shows another record`);
    },
    read: async () => {
      const fresh = await listNew(zone);
      const own = fresh.find((one) => isAsDeclared(domain, declared, one));
      return own ?? fresh.find(({ id }) => id && id === otherwise?.id) ?? otherwise;
    },
    isShown: isThere<DnsRecord>,
  });
}

/** Updates a record in place; sending it twice is harmless. A response with another record doesn't confirm it. */
async function update(
  zone: Zone,
  { id, body, declared, observed }: Update,
): Promise<Ensured<DnsRecord>> {
  const { client, domain, keyFor, host } = zone;
  const target = `${domain} ${id} ${JSON.stringify(body)}`;
  const isIt = (record: DnsRecord) => (record.id ?? id) === id;
  // A change that the service stored differently is reported later.
  const hasChanged = (record: DnsRecord) =>
    Object.keys(body).some((field) => record[field] !== observed[field]);
  return await ensure(host, {
    operation: operations.updateDnsRecord,
    send: (suffix) => {
      const idempotencyKey = keyFor(`update DNS record${suffix}`, target);
      return client.updateDnsRecord(domain, id, { record: body, idempotencyKey });
    },
    read: async () => (await client.listDnsRecords(domain, host.signal)).find(isIt),
    isShown: (record): record is DnsRecord =>
      record !== undefined &&
      isIt(record) &&
      (isAsDeclared(domain, declared, record) || hasChanged(record)),
    describe: (record) => {
      const kept = record && describeKept(domain, declared, record, host.cleanLine);
      return kept === undefined ? safe`no such record` : safe`the record as it was: ${kept}`;
    },
  });
}

/** Why a record may exist twice, after a request with a lost response; undefined if it exists once. */
async function whyTwice(zone: Zone, { declared }: Create): Promise<SafeText | undefined> {
  try {
    const fresh = await listNew(zone);
    const { length } = fresh.filter((one) => isAsDeclared(zone.domain, declared, one));
    if (length < 2) return undefined;
    return safe`the service now has it ${length} times: delete all but one there`;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return safe`the records could not be listed: check on the service whether it exists twice`;
  }
}

/** The records on the service that were not known to this run. */
async function listNew(zone: Zone): Promise<DnsRecord[]> {
  const records = await zone.client.listDnsRecords(zone.domain, zone.host.signal);
  return records.filter((one) => isNew(zone, one));
}

const isNew = ({ known }: Zone, { id }: DnsRecord): boolean => !known.has(id ?? '');
