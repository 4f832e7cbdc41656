import { z } from 'zod';
import { idempotencyKey } from '../checks.ts';
import { recordShape } from '../registered/record.ts';
import { describeRecord, describeRecords } from '../registered/record-answer.ts';
import { segment } from '../registered/segment.ts';
import { json } from '../reply.ts';
import { noBody, noQuery, type Operation, operation } from '../router.ts';
import type { World } from '../world.ts';

const path = '/domains/{name}/dns-records';
const ofDomain = z.object({ name: segment });
const ofRecord = z.object({ name: segment, recordId: segment });

/** The operations on DNS records (section "Registered domains"). */
export function dnsRecordOperations(world: World): Operation[] {
  return [listDnsRecords(world), createDnsRecord(world), updateDnsRecord(world)];
}

function listDnsRecords({ dialect, registered }: World): Operation {
  return operation({
    name: 'listDnsRecords',
    method: 'GET',
    path,
    params: ofDomain,
    query: noQuery,
    body: noBody,
    handle: ({ params }) => json(200, describeRecords(registered.get(params.name), dialect)),
  });
}

function createDnsRecord({ dialect, registered, idempotency }: World): Operation {
  return operation({
    name: 'createDnsRecord',
    method: 'POST',
    path,
    params: ofDomain,
    query: noQuery,
    body: () => bodyShape(dialect),
    handle: ({ params: { name }, body }) =>
      idempotency.once(`createDnsRecord ${name}`, body.idempotencyKey, body, async () => {
        const record = registered.get(name).zone.create(body.record);
        return json(dialect.successStatus, describeRecord(record, name, dialect), true);
      }),
  });
}

function updateDnsRecord({ dialect, registered, idempotency }: World): Operation {
  return operation({
    name: 'updateDnsRecord',
    method: 'PATCH',
    path: `${path}/{recordId}`,
    params: ofRecord,
    query: noQuery,
    body: () => bodyShape(dialect),
    handle: ({ params: { name, recordId }, body }) => {
      const scope = `updateDnsRecord ${name}/${recordId}`;
      return idempotency.once(scope, body.idempotencyKey, body, async () => {
        const { record, changed } = registered.get(name).zone.update(recordId, body.record);
        return json(200, describeRecord(record, name, dialect), changed);
      });
    },
  });
}

function bodyShape(dialect: World['dialect']) {
  return z.strictObject({ record: recordShape(dialect), idempotencyKey: idempotencyKey(dialect) });
}
