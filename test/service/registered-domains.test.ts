import { expect, test } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import { reset, startStub } from './stub.ts';
import { failureOf, fakeKey, openClient, projectId } from './support.ts';

const name = 'example.com';
const record = {
  type: 'SRV',
  name: '_sip._tcp',
  content: 'sip.example.com',
  ttl: 300,
  comment: '',
  priority: 0,
  weight: 0,
  port: 5060,
  proxied: false,
};
const caa = { type: 'CAA', name: '@', content: 'ca.example', flags: 128, tag: 'issue' };
const key = { idempotencyKey: 'k' };

interface Operation {
  readonly name: string;
  readonly call: (client: ServiceClient) => Promise<unknown>;
  readonly line: string;
  readonly body?: object;
  readonly answer: object;
  readonly result?: unknown;
  /** Sent again by itself although it may have arrived. */
  readonly repeated: boolean;
}

const available = { name, registrable: true, newField: 1 };
const domain = { name, bindStatus: 'rebinding', renewal: { state: 'new word' } };

const operations: readonly Operation[] = [
  {
    name: 'checkDomains',
    call: (client) => client.checkDomains([name, 'Other.Example']),
    line: 'POST /domain/check',
    body: { domains: [name, 'Other.Example'] },
    answer: { results: [available, { name: 'Other.Example', registrable: false, reason: 'x' }] },
    result: [available, { name: 'Other.Example', registrable: false, reason: 'x' }],
    repeated: true,
  },
  {
    name: 'listDnsRecords',
    call: (client) => client.listDnsRecords(name),
    line: `GET /domains/${name}/dns-records`,
    answer: { records: [{ ...record, id: 'r', managedBy: 'somebody', tag: null }] },
    result: [{ ...record, id: 'r', managedBy: 'somebody', tag: null }],
    repeated: true,
  },
  {
    name: 'createDnsRecord',
    call: (client) => client.createDnsRecord(name, { record }),
    line: `POST /domains/${name}/dns-records`,
    body: { record },
    answer: record,
    repeated: false,
  },
  {
    name: 'createDnsRecord with a key',
    call: (client) => client.createDnsRecord(name, { record: caa, ...key }),
    line: `POST /domains/${name}/dns-records`,
    body: { record: caa, ...key },
    answer: caa,
    repeated: false,
  },
  {
    name: 'updateDnsRecord',
    call: (client) => client.updateDnsRecord(name, 'r', { record }),
    line: `PATCH /domains/${name}/dns-records/r`,
    body: { record },
    answer: record,
    repeated: false,
  },
  {
    name: 'updateDnsRecord with a key',
    call: (client) => client.updateDnsRecord(name, 'r', { record, ...key }),
    line: `PATCH /domains/${name}/dns-records/r`,
    body: { record, ...key },
    answer: record,
    repeated: true,
  },
  {
    name: 'setRenewal',
    call: (client) => client.setRenewal(name, { enabled: false }),
    line: `POST /domains/${name}/renewal`,
    body: { enabled: false },
    answer: domain,
    repeated: false,
  },
  {
    name: 'setRenewal with a key',
    call: (client) => client.setRenewal(name, { enabled: true, ...key }),
    line: `POST /domains/${name}/renewal`,
    body: { enabled: true, ...key },
    answer: domain,
    repeated: true,
  },
  {
    name: 'bindDomain',
    call: (client) => client.bindDomain(name, { projectId }),
    line: `POST /domains/${name}/bind`,
    body: { projectId },
    answer: domain,
    repeated: false,
  },
  {
    name: 'bindDomain with a key',
    call: (client) => client.bindDomain(name, { projectId, ...key }),
    line: `POST /domains/${name}/bind`,
    body: { projectId, ...key },
    answer: domain,
    repeated: true,
  },
  {
    name: 'unbindDomain',
    call: (client) => client.unbindDomain(name, 'k'),
    line: `POST /domains/${name}/unbind`,
    body: key,
    answer: domain,
    repeated: true,
  },
];

test.for(operations)(
  '$name sends exactly this',
  async ({ call, line, body, answer, result = answer }) => {
    await using stub = await startStub((response) => response.end(JSON.stringify(answer)));
    await using opened = openClient(stub.url);
    expect(await call(opened.client)).toEqual(result);
    expect(stub.received).toMatchObject([{ body: body === undefined ? '' : JSON.stringify(body) }]);
    expect(stub.received.map(({ method, url }) => `${method} ${url}`)).toEqual([line]);
  },
);

test.for(operations)(
  '$name after an answer that was lost: repeated $repeated',
  async ({ call, answer, repeated }) => {
    await using stub = await startStub((response, _, n) => {
      if (n === 1) reset(response);
      else response.end(JSON.stringify(answer));
    });
    await using opened = openClient(stub.url);
    if (repeated) await call(opened.client);
    else expect(await failureOf(call(opened.client))).toHaveProperty('mayHaveArrived', true);
    expect(stub.received).toHaveLength(repeated ? 2 : 1);
    expect(new Set(stub.received.map(({ url, body }) => `${url} ${body}`)).size).toBe(1);
  },
);

test.for(operations)('$name is sent again where it surely had no effect', async (operation) => {
  await using stub = await startStub((response, _, n) => {
    if (n < 3) response.writeHead(429).end();
    else response.end(JSON.stringify(operation.answer));
  });
  await using opened = openClient(stub.url);
  await operation.call(opened.client);
  expect(stub.received).toHaveLength(3);
});

test('names and ids are encoded in a path', async () => {
  await using stub = await startStub((response) => response.end(JSON.stringify(record)));
  await using opened = openClient(stub.url);
  await opened.client.updateDnsRecord('é/x.com', 'a?b#c %2f', { record });
  expect(stub.received[0]?.url).toBe('/domains/%C3%A9%2Fx.com/dns-records/a%3Fb%23c%20%252f');
});

test.for<{ name: string; call: Operation['call']; says: string }>([
  { name: 'no name to check', call: (client) => client.checkDomains([]), says: 'domains: ' },
  {
    name: '21 names to check',
    call: (client) => client.checkDomains(Array<string>(21).fill(name)),
    says: 'domains: ',
  },
  { name: 'an empty name', call: (client) => client.checkDomains(['']), says: 'domains.0 ' },
  {
    name: 'a record without a name',
    call: (client) => client.createDnsRecord(name, { record: { ...record, name: '' } }),
    says: 'record.name ',
  },
  {
    name: 'a ttl that is no whole number',
    call: (client) => client.updateDnsRecord(name, 'r', { record: { ...record, ttl: 0.5 } }),
    says: 'record.ttl ',
  },
  {
    name: 'an empty project',
    call: (client) => client.bindDomain(name, { projectId: '' }),
    says: 'projectId ',
  },
  {
    name: 'an empty key',
    call: (client) => client.unbindDomain(name, ''),
    says: 'idempotencyKey ',
  },
])('$name is refused before anything is sent', async ({ call, says }) => {
  await using stub = await startStub((response) => response.end('{}'));
  await using opened = openClient(stub.url);
  const error = await failureOf(call(opened.client));
  expect(error).toHaveProperty('fault', 'invalid');
  expect(error.message).toContain(says);
  expect(stub.received).toEqual([]);
});

test.for<{ name: string; call: Operation['call'] }>([
  {
    name: 'a check',
    call: (client) => client.checkDomains([name], AbortSignal.abort(new Error('enough'))),
  },
  {
    name: 'a list of records',
    call: (client) => client.listDnsRecords(name, AbortSignal.abort(new Error('enough'))),
  },
])('$name ends with a signal of its own', async ({ call }) => {
  await using stub = await startStub((response) => response.end('{}'));
  await using opened = openClient(stub.url);
  await expect(call(opened.client)).rejects.toThrow('enough');
});

test('a service carries every operation out', async () => {
  await using emulator = await startEmulator({ key: fakeKey, basePath: '/api' });
  const project = await emulator.world.createProject();
  const registered = emulator.world.registerDomain(name);
  await using opened = openClient(emulator.url);
  const { client } = opened;
  expect(await client.checkDomains(['new.com', name])).toMatchObject([
    { name: 'new.com', registrable: true, registrationPriceMicroUsd: 13_050_000 },
    { name, registrable: false, reason: 'taken' },
  ]);
  const { id = '' } = await client.createDnsRecord(name, { record, ...key });
  const changed = { ...record, port: 5061 };
  await client.updateDnsRecord(name, id ?? '', { record: changed, ...key });
  expect((await client.listDnsRecords(name)).at(-1)).toMatchObject({ ...changed, id });
  expect(registered.records.at(-1)).toMatchObject(changed);
  const off = await client.setRenewal(name, { enabled: false, ...key });
  expect(off).toMatchObject({ autoRenew: false, renewal: { autoRenew: false } });
  const bound = await client.bindDomain(name, { projectId: project.id, ...key });
  expect(bound).toMatchObject({ boundProjectId: project.id, bindStatus: 'bound' });
  expect(await client.unbindDomain(name, 'k')).toMatchObject({ bindStatus: 'unbound' });
  expect(client.requests).toBe(7);
  expect(emulator.journal.entries.map(({ operation, status }) => [operation, status])).toEqual([
    ['checkDomains', 200],
    ['createDnsRecord', 201],
    ['updateDnsRecord', 200],
    ['listDnsRecords', 200],
    ['setRenewal', 200],
    ['bindDomain', 200],
    ['unbindDomain', 200],
  ]);
});
