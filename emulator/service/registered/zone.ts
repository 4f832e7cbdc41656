import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../../dialect.ts';
import { invalid, notFound, ServiceError } from '../errors.ts';
import { contentProblem, meaningOf } from './contents.ts';
import { nameProblem, wholeName } from './names.ts';
import type { EmulatedDnsRecord, RecordByHand, RecordFields } from './record.ts';

/** The DNS records of one registered domain. Every method does all that it does at once. */
export class Zone {
  readonly #domain: string;
  readonly #dialect: Dialect;
  readonly #records = new Map<string, EmulatedDnsRecord>();

  constructor(domain: string, dialect: Dialect) {
    this.#domain = domain;
    this.#dialect = dialect;
    for (const { type, content } of delegation) {
      this.put({ type, name: domain, content, managedReason: `Delegates ${domain}.` });
    }
  }

  /** All records, in order of creation. */
  get records(): readonly EmulatedDnsRecord[] {
    return [...this.#records.values()];
  }

  /** Adds a customer's record. @throws a `ServiceError` if the record is wrong or in conflict with another */
  create(fields: RecordFields): EmulatedDnsRecord {
    const record = { ...fields, id: randomUUID(), managedReason: null };
    this.#check(record);
    this.#records.set(record.id, record);
    return record;
  }

  /**
   * Changes a customer's record and tells if anything changed.
   * @throws a `ServiceError` if there is no such record, if it is the system's, or as {@link create} does
   */
  update(id: string, fields: RecordFields): { record: EmulatedDnsRecord; changed: boolean } {
    const before = this.#records.get(id);
    if (!before) throw notFound('The DNS record');
    if (before.managedReason !== null) throw this.#managed(before.managedReason);
    const kept = this.#dialect.patchedRecords === 'merges' ? before : {};
    const record = { ...kept, ...fields, id, managedReason: null };
    this.#check(record);
    this.#records.set(id, record);
    return { record, changed: !isDeepStrictEqual(before, record) };
  }

  /** Puts a record in place whatever the dialect says; one with the same id is replaced. */
  put(record: RecordByHand): EmulatedDnsRecord {
    const { id = randomUUID(), managedReason = null, ...fields } = record;
    const placed = { ...fields, id, managedReason };
    this.#records.set(id, placed);
    return placed;
  }

  /** Takes a record away, whoever manages it. @throws a `ServiceError` if there is none */
  remove(id: string): void {
    if (!this.#records.delete(id)) throw notFound('The DNS record');
  }

  #managed(reason: string): ServiceError {
    const status = Number(this.#dialect.managedRefusal);
    return new ServiceError(status, 'managed_record', `The record is the system's. ${reason}`);
  }

  #check(record: EmulatedDnsRecord): void {
    const dialect = this.#dialect;
    const problem = nameProblem(record.name, this.#domain) ?? contentProblem(record, dialect);
    if (problem !== null) throw invalid(dialect, `record: ${problem}`);
    const beside = this.records.filter(
      (other) => other.id !== record.id && this.#nameOf(other) === this.#nameOf(record),
    );
    if (dialect.duplicateRecords === '409' && beside.some((other) => areSame(other, record))) {
      throw new ServiceError(409, 'record_exists', 'This record already exists.');
    }
    const clash = [record, ...beside].some(({ type }) => type === 'CNAME') && beside.length > 0;
    if (dialect.cnameBesideOthers === '422' && clash) {
      throw new ServiceError(
        422,
        'cname_conflict',
        'A name with a CNAME cannot have other records.',
      );
    }
  }

  #nameOf({ name }: EmulatedDnsRecord): string {
    return wholeName(name, this.#domain);
  }
}

/** The records that each registered domain has from the start. */
const delegation = [
  {
    type: 'SOA',
    content: 'ns1.dns.sites.example. hostmaster.sites.example. 1 7200 3600 1209600 300',
  },
  { type: 'NS', content: 'ns1.dns.sites.example.' },
  { type: 'NS', content: 'ns2.dns.sites.example.' },
] as const;

const ownFields = ['type', 'priority', 'weight', 'port', 'flags', 'tag'] as const;

/** True for two records of one name that say the same. */
function areSame(a: RecordFields, b: RecordFields): boolean {
  return ownFields.every((field) => a[field] === b[field]) && meaningOf(a) === meaningOf(b);
}
