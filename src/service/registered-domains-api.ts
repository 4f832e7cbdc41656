import {
  type DnsRecord,
  dnsRecord,
  dnsRecords,
  type WriteDnsRecord,
  writeDnsRecord,
} from '../contract/dns-record.ts';
import { type Operation, operations } from '../contract/operations.ts';
import {
  type Availability,
  availabilities,
  type BindDomain,
  bindDomain,
  checkDomains,
  type RegisteredDomain,
  registeredDomain,
  type SetRenewal,
  setRenewal,
  unbindDomain,
} from '../contract/registered-domain.ts';
import type { Call, Caller } from './call.ts';
import { looks, pathOf } from './looks.ts';

/**
 * Section "Registered domains". It shows no way to list or to read a registered domain: what is known of one is
 * what a write answers. Writes are repeated if they carry an idempotency key, but for {@link createDnsRecord}.
 */
export interface RegisteredDomainsApi {
  /**
   * `POST /domain/check`: 1 to 20 names, in one request. One result for each name; nothing says that they come in
   * the order asked.
   */
  checkDomains(domains: readonly string[], signal?: AbortSignal): Promise<Availability[]>;
  /** `GET /domains/{name}/dns-records`: those of the system too. */
  listDnsRecords(name: string, signal?: AbortSignal): Promise<DnsRecord[]>;
  /**
   * `POST /domains/{name}/dns-records`. Not repeated by itself if it may have arrived, not even with an idempotency
   * key: a service that ignores keys would make a second record. The caller lists the records first.
   */
  createDnsRecord(name: string, body: WriteDnsRecord): Promise<DnsRecord>;
  /** `PATCH /domains/{name}/dns-records/{recordId}`. */
  updateDnsRecord(name: string, recordId: string, body: WriteDnsRecord): Promise<DnsRecord>;
  /** `POST /domains/{name}/renewal`: turns annual renewal on or off. */
  setRenewal(name: string, body: SetRenewal): Promise<RegisteredDomain>;
  /** `POST /domains/{name}/bind`. */
  bindDomain(name: string, body: BindDomain): Promise<RegisteredDomain>;
  /** `POST /domains/{name}/unbind`. */
  unbindDomain(name: string, idempotencyKey: string): Promise<RegisteredDomain>;
}

/** The operations on registered domains and their DNS records. */
export function registeredDomainsApi({ call }: Caller): RegisteredDomainsApi {
  const write = (
    operation: Operation,
    path: string,
    send: NonNullable<Call<RegisteredDomain>['send']>,
  ) => call({ operation, path, answer: registeredDomain, send });
  return {
    checkDomains: async (domains, signal) => {
      const { body, ...question } = looks.availability(domains);
      const send = { body, shape: checkDomains };
      const { results } = await call({ ...question, answer: availabilities, send, signal });
      return results;
    },
    listDnsRecords: async (name, signal) => {
      const { records } = await call({
        operation: operations.listDnsRecords,
        path: pathOf('domains', name, 'dns-records'),
        answer: dnsRecords,
        signal,
      });
      return records;
    },
    createDnsRecord: (name, body) =>
      call({
        operation: operations.createDnsRecord,
        path: pathOf('domains', name, 'dns-records'),
        answer: dnsRecord,
        send: { body, shape: writeDnsRecord },
      }),
    updateDnsRecord: (name, recordId, body) =>
      call({
        operation: operations.updateDnsRecord,
        path: pathOf('domains', name, 'dns-records', recordId),
        answer: dnsRecord,
        send: { body, shape: writeDnsRecord },
      }),
    setRenewal: (name, body) =>
      write(
        body.enabled ? operations.enableRenewal : operations.disableRenewal,
        pathOf('domains', name, 'renewal'),
        { body, shape: setRenewal },
      ),
    bindDomain: (name, body) =>
      write(operations.bindDomain, pathOf('domains', name, 'bind'), { body, shape: bindDomain }),
    unbindDomain: (name, idempotencyKey) =>
      write(operations.unbindDomain, pathOf('domains', name, 'unbind'), {
        body: { idempotencyKey },
        shape: unbindDomain,
      }),
  };
}
