import { expect, test } from 'vitest';
import type { ServiceClient } from '../../src/service/client.ts';
import { nowhere } from '../support/ports.ts';
import { type Answerer, reset, startStub } from './stub.ts';
import {
  emptyEnvironment,
  failureOf,
  follow,
  newVariable,
  openClient,
  projectId,
  variableId,
} from './support.ts';

type Call = (client: ServiceClient) => Promise<unknown>;

const keyed = { versionId: '0'.repeat(40), idempotencyKey: 'k' };
const targets = { expectedVersion: 1, preview: true, production: true };
const replacement = { expectedVersion: 1, value: 'fake value', kind: 'secret' } as const;

const repeatable: readonly { name: string; call: Call }[] = [
  { name: 'listProjects', call: (client) => client.listProjects('all') },
  { name: 'readEnvironment', call: (client) => client.readEnvironment(projectId) },
  {
    name: 'createDeployment with a key',
    call: (client) => client.createDeployment(projectId, keyed),
  },
];

const guarded: readonly { name: string; call: Call }[] = [
  { name: 'createVariable', call: (client) => client.createVariable(projectId, newVariable) },
  {
    name: 'replaceVariable',
    call: (client) => client.replaceVariable(projectId, variableId, replacement),
  },
  {
    name: 'retargetVariable',
    call: (client) => client.retargetVariable(projectId, variableId, targets),
  },
  {
    name: 'deleteVariable',
    call: (client) => client.deleteVariable(projectId, variableId, { expectedVersion: 1 }),
  },
  {
    name: 'createProject, with a key too',
    call: (client) => client.createProject({ idempotencyKey: 'k' }),
  },
  {
    name: 'createDeployment without a key',
    call: (client) => client.createDeployment(projectId, {}),
  },
];

const status =
  (code: number): Answerer =>
  (response) =>
    response.writeHead(code).end();

const cut: Answerer = (response) => {
  response.writeHead(200, { 'content-length': 100 });
  response.write('{', () => reset(response));
};

interface Trouble {
  readonly name: string;
  readonly answer: Answerer;
  /** What the error says of the request. */
  readonly mayHaveArrived: boolean;
  /** Sent again by itself if repeatable; and, if it surely had no effect, in any case. */
  readonly passing?: true;
}

const arrived = { mayHaveArrived: true } as const;
const refused = { mayHaveArrived: false } as const;

const troubles: readonly Trouble[] = [
  { name: 'a reset', answer: (response) => reset(response), ...arrived, passing: true },
  {
    name: 'an end without an answer',
    answer: (response) => response.socket?.end(),
    ...arrived,
    passing: true,
  },
  { name: 'a cut body', answer: cut, ...arrived, passing: true },
  { name: '408', answer: status(408), ...arrived, passing: true },
  { name: '429', answer: status(429), ...refused, passing: true },
  { name: '500', answer: status(500), ...arrived, passing: true },
  { name: '502', answer: status(502), ...arrived, passing: true },
  { name: '503', answer: status(503), ...arrived, passing: true },
  { name: '504', answer: status(504), ...arrived, passing: true },
  { name: '501', answer: status(501), ...arrived },
  { name: '304', answer: status(304), ...refused },
  { name: '400', answer: status(400), ...refused },
  { name: '401', answer: status(401), ...refused },
  { name: '403', answer: status(403), ...refused },
  { name: '404', answer: status(404), ...refused },
  { name: '409', answer: status(409), ...refused },
  { name: '412', answer: status(412), ...refused },
  { name: '422', answer: status(422), ...refused },
  { name: '425', answer: status(425), ...refused },
  { name: 'a body that cannot be used', answer: (response) => response.end('17'), ...arrived },
];

test.for(troubles)('after $name', async ({ answer, passing, mayHaveArrived }) => {
  await using stub = await startStub(answer);
  const cases = [
    ...repeatable.map((one) => ({ ...one, tries: passing ? 5 : 1 })),
    ...guarded.map((one) => ({ ...one, tries: passing && !mayHaveArrived ? 5 : 1 })),
  ];
  for (const { name, call, tries } of cases) {
    await using opened = openClient(stub.url);
    const before = stub.received.length;
    const error = await failureOf(call(opened.client));
    expect(stub.received.length - before, name).toBe(tries);
    expect(opened.client.requests, name).toBe(tries);
    expect(opened.clock.pauses, name).toHaveLength(tries - 1);
    expect(error, name).toMatchObject({ mayHaveArrived });
    const sent = stub.received.slice(before).map(({ body, url }) => `${url} ${body}`);
    expect(new Set(sent).size, name).toBe(1);
  }
});

test.for([...repeatable, ...guarded])(
  '$name: a refused connection is tried 5 times',
  async ({ call }) => {
    await using opened = openClient(nowhere);
    const error = await failureOf(call(opened.client));
    expect(error).toMatchObject({
      fault: 'connect',
      effect: 'none',
      mayHaveArrived: false,
    });
    expect(error.message).toMatch(/: no connection: .*ECONNREFUSED/);
    expect(error.details.earlier).toBeUndefined();
    expect(opened.client).toMatchObject({ requests: 0, unconnected: 5 });
  },
);

test.for([...repeatable, ...guarded])('$name succeeds at its fifth try', async ({ call }) => {
  const answer = { projectId, deploymentId: 'd', status: 's', variables: [] };
  await using stub = await startStub((response, { url }, n) => {
    if (n < 5) response.writeHead(429).end();
    else response.end(JSON.stringify(url.includes('filter') ? [answer] : answer));
  });
  await using opened = openClient(stub.url);
  await expect(call(opened.client)).resolves.toBeDefined();
  expect(stub.received).toHaveLength(5);
});

test('a look and a stream are sent once', async () => {
  await using stub = await startStub((response) => response.writeHead(503).end());
  await using opened = openClient(stub.url);
  const { client, run } = opened;
  const look = { operation: 'look', path: '/x', signal: run.signal };
  expect(await failureOf(client.readOnce(look))).toHaveProperty('status', 503);
  const stream = client.openEvents(follow('/x', run.signal));
  expect(await failureOf(stream)).toHaveProperty('status', 503);
  expect(stub.received).toHaveLength(2);
});

test('tries of several requests are counted apart', async () => {
  await using stub = await startStub((response, _, n) => {
    if (n % 3 === 0) response.end(emptyEnvironment);
    else response.writeHead(500).end();
  });
  await using opened = openClient(stub.url);
  for (const requests of [3, 6, 9]) {
    await opened.client.readEnvironment(projectId);
    expect(opened.client.requests).toBe(requests);
  }
  expect(opened.clock.pauses).toEqual([250, 500, 250, 500, 250, 500]);
});
