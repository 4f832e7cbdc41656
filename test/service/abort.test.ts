import { expect, test } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import { type Clock, systemClock } from '../../src/service/clock.ts';
import { type Answerer, startStub } from './stub.ts';
import { fakeKey, follow, newVariable, openClient, projectId } from './support.ts';

class Cancelled extends Error {}

type Call = (client: ServiceClient, signal: AbortSignal) => Promise<unknown>;

const calls: readonly { name: string; call: Call }[] = [
  { name: 'a read', call: (client) => client.listProjects('all') },
  { name: 'a write', call: (client) => client.createVariable(projectId, newVariable) },
  {
    name: 'a look',
    call: (client, signal) => client.readOnce({ operation: 'look', path: '/x', signal }),
  },
  {
    name: 'a stream',
    call: async (client, signal) =>
      await Array.fromAsync(await client.openEvents(follow('/', signal))),
  },
];

const headers = { 'content-type': 'text/event-stream' };

/** Each leaves the call waiting, and says so once it does. */
const phases: readonly { name: string; answer: (waiting: () => void) => Answerer }[] = [
  { name: 'for the head of an answer', answer: (waiting) => () => waiting() },
  {
    name: 'for the rest of a body',
    answer: (waiting) => (response) => response.writeHead(200, headers).write('[', waiting),
  },
  {
    name: 'for the body of an error',
    answer: (waiting) => (response) => response.writeHead(400).write('{', waiting),
  },
];

const waits = phases.flatMap((phase) => calls.map((call) => ({ phase, ...call })));

test.for(waits)('$name that waits $phase.name ends with the reason', async ({ phase, call }) => {
  const waiting = Promise.withResolvers<void>();
  await using stub = await startStub(phase.answer(waiting.resolve));
  await using opened = openClient(stub.url);
  const reason = new Cancelled('stop');
  const ended = call(opened.client, opened.run.signal);
  const failed = expect(ended).rejects.toBe(reason);
  await waiting.promise;
  opened.run.abort(reason);
  await failed;
  expect(opened.client.requests).toBe(1);
  await stub.idle();
});

test.for(calls)('$name is not begun after the end of the run', async ({ call }) => {
  await using stub = await startStub((response) => response.end('[]'));
  await using opened = openClient(stub.url);
  const reason = new Cancelled('stop');
  opened.run.abort(reason);
  await expect(call(opened.client, opened.run.signal)).rejects.toBe(reason);
  expect(opened.client.requests).toBe(0);
  expect(stub.connections.size).toBe(0);
});

test.for([new Cancelled('stop'), 'a text', { outcome: 'cancelled' }])(
  'a pause ends with the reason %o',
  async (reason) => {
    await using stub = await startStub((response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    const pausing = Promise.withResolvers<void>();
    const clock: Clock = {
      now: systemClock.now,
      sleep: (milliseconds, signal) => {
        pausing.resolve();
        return systemClock.sleep(milliseconds, signal);
      },
    };
    await using opened = openClient(stub.url, { clock, deadline: Number.POSITIVE_INFINITY });
    const failed = expect(opened.client.listProjects('all')).rejects.toBe(reason);
    await pausing.promise;
    opened.run.abort(reason);
    await failed;
    expect(stub.received).toHaveLength(1);
  },
);

test('the machine’s clock ends a pause in time, and none that is over before it begins', async () => {
  const before = systemClock.now();
  await systemClock.sleep(2, new AbortController().signal);
  expect(systemClock.now()).toBeGreaterThan(before);
  const reason = new Cancelled('stop');
  await expect(systemClock.sleep(3_600_000, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('a stream that is read ends with the reason, and its connection with it', async () => {
  await using emulator = await startEmulator({
    key: fakeKey,
    dialect: { deploymentEnds: 'never', buildMs: 0 },
  });
  const project = await emulator.world.createProject();
  await using opened = openClient(emulator.url);
  const { client, run } = opened;
  const { deploymentId } = await client.createDeployment(project.id, {});
  const path = `/v1/projects/${project.id}/deployments/${deploymentId}/events`;
  const stream = follow(path, run.signal);
  const reason = new Cancelled('stop');
  const seen: string[] = [];
  const reading = async () => {
    for await (const event of await client.openEvents(stream)) {
      seen.push(event.data);
      run.abort(reason);
    }
  };
  await expect(reading()).rejects.toBe(reason);
  expect(seen.length).toBeGreaterThan(0);
  await emulator.journal.waitFor(
    ({ operation, endedAt }) => operation === 'readDeploymentEvents' && endedAt !== null,
  );
});

test('a stream that its reader leaves gives its connection up', async () => {
  await using stub = await startStub((response) => {
    response.writeHead(200, headers).write('data: 1\n\ndata: 2\n\n');
  });
  await using opened = openClient(stub.url);
  const { client, run } = opened;
  const stream = follow('/', run.signal);
  for await (const { data } of await client.openEvents(stream)) {
    expect(data).toBe('1');
    break;
  }
  await stub.idle();
});

test('a call with a signal of its own ends with that reason, and others go on', async () => {
  const waiting = Promise.withResolvers<void>();
  const held = Promise.withResolvers<() => void>();
  await using stub = await startStub((response, { url }) => {
    if (url.includes('environment')) waiting.resolve();
    else held.resolve(() => response.end('[]'));
  });
  await using opened = openClient(stub.url);
  const own = new AbortController();
  const reason = new Cancelled('late');
  const projects = opened.client.listProjects('all');
  const environment = opened.client.readEnvironment(projectId, own.signal);
  const failed = expect(environment).rejects.toBe(reason);
  await waiting.promise;
  own.abort(reason);
  await failed;
  (await held.promise)();
  expect(await projects).toEqual([]);
});
