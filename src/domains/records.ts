import type { DnsRecord } from '../contract/dns-record.ts';
import { operations } from '../contract/operations.ts';
import { joinSafe, type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { ServiceError, unproven } from '../service/errors.ts';
import { ensure, isThere } from '../step/ensure.ts';
import { type Applying, attempt, isNotMade, skip } from './apply-context.ts';
import { describeKept, isAsDeclared } from './dns/content.ts';
import type { RecordPlan } from './dns/plan-record.ts';
import type { NamedZone } from './plan.ts';
import type { ChangeResult } from './result.ts';

type Create = Extract<RecordPlan, { action: 'create' }>;
type Update = Extract<RecordPlan, { action: 'update' }>;

/** The context for writing one domain's records. */
interface Zone extends Applying {
  domain: string;
  /** Ids of the records that existed before, or that this run created. */
  known: Set<string>;
}

/** A record after its write. */
interface WrittenRecord {
  answer: DnsRecord;
  /** Why the write is not confirmed, although the record exists. */
  uncertainty?: SafeText;
  /** Added to the reason. */
  note?: SafeText;
}

const again = safe`sent again after a lost response`;

const isNew = ({ known }: Zone, { id }: DnsRecord): boolean => !known.has(id ?? '');

/** The records on the service that were not known to this run. */
async function listNew(zone: Zone): Promise<DnsRecord[]> {
  const records = await zone.client.listDnsRecords(zone.domain, zone.host.signal);
  return records.filter((one) => isNew(zone, one));
}

/** Checks for a duplicate, which a request with a lost response may have created. */
async function afterRepetition(
  zone: Zone,
  plan: Create,
): Promise<Pick<WrittenRecord, 'uncertainty' | 'note'>> {
  try {
    const fresh = await listNew(zone);
    const { length } = fresh.filter((one) => isAsDeclared(zone.domain, plan.declared, one));
    const times = safe`the service now has it ${length} times: delete all but one there`;
    return length < 2 ? { note: again } : { uncertainty: safe`${again}; ${times}` };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const unconfirmed = safe`the records could not be listed: check on the service whether it exists twice`;
    return { uncertainty: safe`${again}; ${unconfirmed}` };
  }
}

/**
 * Creates a record. It is sent once: a service that ignores idempotency keys would create a second one. If the response
 * shows another record, the list is searched for a new one, as declared or with the returned id.
 */
async function create(zone: Zone, plan: Create): Promise<WrittenRecord> {
  const { client, host, domain, keyFor } = zone;
  const { body: record, declared } = plan;
  const idempotencyKey = keyFor('create DNS record', `${domain} ${JSON.stringify(record)}`);
  let otherwise: DnsRecord | undefined;
  const { state: answer, isRepeated } = await ensure(host, {
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
  return isRepeated ? { answer, ...(await afterRepetition(zone, plan)) } : { answer };
}

/** Updates a record in place; sending it twice is harmless. A response with another record doesn't confirm it. */
async function update(
  zone: Zone,
  { id, body, declared, observed }: Update,
): Promise<WrittenRecord> {
  const { client, domain, keyFor, host } = zone;
  const target = `${domain} ${id} ${JSON.stringify(body)}`;
  const isIt = (record: DnsRecord) => (record.id ?? id) === id;
  // A change that the service stored differently is reported later.
  const hasChanged = (record: DnsRecord) =>
    Object.keys(body).some((field) => record[field] !== observed[field]);
  const { state: answer } = await ensure(host, {
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
  return { answer };
}

async function write(zone: Zone, plan: Create | Update) {
  const { answer, uncertainty, note } =
    plan.action === 'create' ? await create(zone, plan) : await update(zone, plan);
  if (answer.id) zone.known.add(answer.id);
  if (uncertainty !== undefined) return { outcome: 'unconfirmed' as const, reason: uncertainty };
  const kept = describeKept(zone.domain, plan.declared, answer, zone.host.cleanLine);
  const reasons = [plan.reason, note, kept].filter((reason) => reason !== undefined);
  const isDone = isAsDeclared(zone.domain, plan.declared, answer);
  return {
    outcome: isDone ? ('done' as const) : ('unconfirmed' as const),
    reason: joinSafe(reasons, '; '),
  };
}

/** Writes one domain's records in sequence, until one fails. */
export async function applyZone(
  run: Applying,
  { domain, plan }: NamedZone,
): Promise<ChangeResult[]> {
  const observed = [...plan.managed, ...plan.undeclared].concat(
    plan.records.flatMap((one) => ('observed' in one ? [one.observed] : [])),
  );
  const known = new Set(observed.flatMap(({ id }) => (id ? [id] : [])));
  const zone: Zone = { ...run, domain, known };
  const results: ChangeResult[] = [];
  for (const record of plan.records) {
    if (record.action === 'none') continue;
    const { title: name, action, reason } = record;
    const doing = { resource: 'dns-record' as const, name, action, reason };
    const last = results.at(-1);
    results.push(
      last === undefined || !isNotMade(last)
        ? await attempt(run, doing, () => write(zone, record))
        : skip(run, doing, safe`an earlier record of ${unsafeText(domain)} failed`),
    );
  }
  return results;
}
