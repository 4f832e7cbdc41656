import { expect, test } from 'vitest';
import { type Sending, sendTo, startWorld } from './support.ts';

const root = '/connected-domains';
const host = 'www.example.com';
const key = 'k'.repeat(129);

/** A hostname of `length` characters, made of labels. */
function hostnameOf(length: number): string {
  const labels = `${'a'.repeat(61)}.`.repeat(5);
  return `${labels.slice(0, length - 4)}.com`;
}

const badHostnames = [
  { name: 'an empty text', hostname: '' },
  { name: 'no dot', hostname: 'localhost' },
  { name: 'two characters', hostname: 'a.' },
  { name: 'a capital', hostname: 'WWW.example.com' },
  { name: 'a hyphen first', hostname: '-www.example.com' },
  { name: 'an underscore', hostname: 'my_site.example.com' },
  { name: 'a letter beyond ASCII', hostname: 'b\u00fccher.example.com' },
  { name: 'a wildcard', hostname: '*.example.com' },
  { name: 'an empty label', hostname: 'www..example.com' },
  { name: 'a dot at the end', hostname: 'www.example.com.' },
  { name: 'a port', hostname: 'www.example.com:443' },
  { name: 'a space', hostname: 'www.example.com ' },
  { name: '254 characters', hostname: hostnameOf(254) },
] as const;

interface Case {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly sending?: Sending;
  readonly status?: number;
}

const refused: readonly Case[] = [
  ...badHostnames.flatMap(({ name, hostname }): Case[] => [
    { name: `connecting ${name}`, path: root, sending: { body: { hostname } } },
    {
      name: `asking for the status of ${name}`,
      path: `${root}/status`,
      sending: { body: { hostnames: [host, hostname] } },
    },
  ]),
  ...['localhost', 'WWW.example.com', '-a.example.com', 'a_b.example.com', 'a%2eb.com'].flatMap(
    (name): Case[] => [
      { name: `reading ${name}`, method: 'GET', path: `${root}/${name}` },
      {
        name: `assigning ${name}`,
        path: `${root}/${name}/project`,
        sending: { body: { projectId: null } },
      },
      { name: `disconnecting ${name}`, path: `${root}/${name}/disconnect` },
    ],
  ),
  ...[
    { name: 'no hostname', body: {} },
    { name: 'a hostname that is null', body: { hostname: null } },
    { name: 'an empty project', body: { hostname: host, projectId: '' } },
    { name: 'a project that is null', body: { hostname: host, projectId: null } },
    { name: 'an unknown field', body: { hostname: host, project: 'p' } },
    { name: 'an empty idempotency key', body: { hostname: host, idempotencyKey: '' } },
    { name: 'an idempotency key of 129 characters', body: { hostname: host, idempotencyKey: key } },
  ].map(({ name, body }) => ({ name: `connecting with ${name}`, path: root, sending: { body } })),
  ...[
    { name: 'no hostnames', body: {} },
    { name: 'an empty list', body: { hostnames: [] } },
    { name: '51 hostnames', body: { hostnames: Array(51).fill(host) } },
    { name: 'a hostname that is no list', body: { hostnames: host } },
    { name: 'revalidate as a text', body: { hostnames: [host], revalidate: 'true' } },
    { name: 'an idempotency key', body: { hostnames: [host], idempotencyKey: 'k' } },
  ].map(({ name, body }) => ({
    name: `asking for statuses with ${name}`,
    path: `${root}/status`,
    sending: { body },
  })),
  ...[
    { name: 'no project', body: {} },
    { name: 'a project that is a number', body: { projectId: 7 } },
    { name: 'an unknown field', body: { projectId: null, force: true } },
    { name: 'an empty idempotency key', body: { projectId: null, idempotencyKey: '' } },
    { name: 'an idempotency key of 129', body: { projectId: null, idempotencyKey: key } },
  ].map(({ name, body }) => ({
    name: `assigning with ${name}`,
    path: `${root}/${host}/project`,
    sending: { body },
  })),
  ...[
    { name: 'an unknown field', body: { hostname: host } },
    { name: 'an idempotency key of 129', body: { idempotencyKey: key } },
  ].map(({ name, body }) => ({
    name: `disconnecting with ${name}`,
    path: `${root}/${host}/disconnect`,
    sending: { body },
  })),
  ...[
    'revalidate=1',
    'revalidate=',
    'revalidate=TRUE',
    'refresh=true',
    'revalidate=true&revalidate=true',
  ].map((query) => ({
    name: `reading with ${query}`,
    method: 'GET',
    path: `${root}/${host}?${query}`,
  })),
  { name: 'a list with a query', method: 'GET', path: `${root}?revalidate=true` },
  { name: 'a list with a body', method: 'GET', path: root, sending: { body: {} } },
  { name: 'a version prefix', method: 'GET', path: `/v1${root}`, status: 404 },
  { name: 'an unknown path', path: `${root}/${host}/verify`, status: 404 },
  { name: 'a slash at the end', method: 'GET', path: `${root}/`, status: 400 },
  { name: 'the deletion of a domain', method: 'DELETE', path: `${root}/${host}`, status: 405 },
  { name: 'reading an assignment', method: 'GET', path: `${root}/${host}/project`, status: 405 },
];

test('what the interface does not allow is refused and changes nothing', async () => {
  await using world = await startWorld();
  const { emulator, project, send } = world;
  emulator.world.connectDomain(host, project.id);
  for (const { name, method = 'POST', path, sending, status = 400 } of refused) {
    const answer = await send(method, path, sending);
    expect(answer.status, `${name}: ${answer.text}`).toBe(status);
  }
  expect(emulator.journal.entries.filter(({ effect }) => effect)).toEqual([]);
  expect(emulator.world.domains.all).toMatchObject([{ hostname: host, projectId: project.id }]);
});

test('what is at the limits is accepted', async () => {
  await using world = await startWorld();
  const idempotencyKey = 'k'.repeat(128);
  const hostnames = ['a.b', 'a-.1', '127.0.0.1', hostnameOf(253)];
  for (const hostname of hostnames) {
    const connected = await world.send('POST', root, { body: { hostname } });
    expect(connected.status, connected.text).toBe(201);
    expect((await world.send('GET', `${root}/${hostname}`)).status).toBe(200);
  }
  const many = { hostnames: Array(50).fill('a.b'), revalidate: true };
  expect((await world.send('POST', `${root}/status`, { body: many })).status).toBe(200);
  const body = { projectId: null, idempotencyKey };
  expect((await world.send('POST', `${root}/a.b/project`, { body })).status).toBe(200);
  const last = await world.send('POST', `${root}/a.b/disconnect`, { body: { idempotencyKey } });
  expect(last.status).toBe(200);
});

test('every operation needs the key and can be refused to it by name', async () => {
  await using world = await startWorld();
  const { emulator, send } = world;
  emulator.world.connectDomain(host);
  const operations = [
    ['listConnectedDomains', 'GET', root, undefined],
    ['connectDomain', 'POST', root, { hostname: 'new.example.com' }],
    ['readConnectedDomain', 'GET', `${root}/${host}`, undefined],
    ['readConnectedDomainStatuses', 'POST', `${root}/status`, { hostnames: [host] }],
    ['assignDomain', 'POST', `${root}/${host}/project`, { projectId: null }],
    ['disconnectDomain', 'POST', `${root}/${host}/disconnect`, {}],
  ] as const;
  for (const [name, method, path, body] of operations) {
    expect((await sendTo(emulator.url, method, path, { body })).status, name).toBe(401);
    emulator.dialect.refuse = [name];
    expect((await send(method, path, { body })).status, name).toBe(403);
    emulator.dialect.refuse = [];
    expect((await send(method, path, { body })).status, name).toBeLessThan(300);
    expect(emulator.journal.entries.at(-1)?.operation).toBe(name);
  }
});

test('the statuses of a dialect', async () => {
  await using world = await startWorld({
    dialect: { successStatus: 200, invalidStatus: 422, emptyBody: 'refuse' },
  });
  const { send } = world;
  expect((await send('POST', root, { body: { hostname: host } })).status).toBe(200);
  expect((await send('POST', root, { body: { hostname: 'Not a host' } })).status).toBe(422);
  expect((await send('POST', `${root}/${host}/disconnect`)).status).toBe(422);
});

test.for([
  { idempotency: 'replay', statuses: [201, 201, 200, 200, 200, 200], effects: 3 },
  { idempotency: 'ignore', statuses: [201, 409, 200, 200, 200, 404], effects: 3 },
  { idempotency: 'conflict', statuses: [201, 409, 200, 409, 200, 409], effects: 3 },
  { idempotency: { forgetAfterMs: 0 }, statuses: [201, 409, 200, 200, 200, 404], effects: 3 },
] as const)('a repeated idempotency key: $idempotency', async (expected) => {
  const { idempotency, statuses, effects } = expected;
  await using world = await startWorld({ dialect: { idempotency } });
  const { emulator, project, send } = world;
  const idempotencyKey = 'key-1';
  const requests = [
    [root, { hostname: host, idempotencyKey }],
    [`${root}/${host}/project`, { projectId: project.id, idempotencyKey }],
    [`${root}/${host}/disconnect`, { idempotencyKey }],
  ] as const;
  const seen: number[] = [];
  for (const [path, body] of requests) {
    const both = [await send('POST', path, { body }), await send('POST', path, { body })];
    seen.push(...both.map(({ status }) => status));
    if (idempotency === 'replay') expect(both[1]?.text).toBe(both[0]?.text);
  }
  expect(seen).toEqual(statuses);
  expect(emulator.journal.entries.filter(({ effect }) => effect)).toHaveLength(effects);
});

test('a key is good for one body and one domain, and a refused request does not use it up', async () => {
  await using world = await startWorld();
  const { emulator, project, send } = world;
  for (const hostname of ['a.example.com', 'b.example.com']) emulator.world.connectDomain(hostname);
  const assign = async (hostname: string, projectId: string | null) => {
    const body = { projectId, idempotencyKey: 'key-1' };
    return (await send('POST', `${root}/${hostname}/project`, { body })).status;
  };
  expect(await assign('a.example.com', 'no-such-project')).toBe(404);
  expect(await assign('a.example.com', project.id)).toBe(200);
  expect(await assign('a.example.com', null)).toBe(409);
  expect(await assign('b.example.com', project.id)).toBe(200);
  const { id: projectId } = project;
  expect(emulator.world.domains.all).toMatchObject([{ projectId }, { projectId }]);
  for (const hostname of ['a.example.com', 'b.example.com']) {
    const body = { idempotencyKey: 'key-1' };
    const { json } = await send('POST', `${root}/${hostname}/disconnect`, { body });
    expect(json).toEqual({ hostname });
  }
  expect(emulator.world.domains.all).toEqual([]);
});
