import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { startStub, startTcpStub } from './stub.ts';
import {
  emptyEnvironment,
  failureOf,
  fakeKey,
  follow,
  newVariable,
  openClient,
  projectId,
} from './support.ts';

// The time-outs belong to the HTTP library, whose timers are driven here; sockets stay real. Once for all
// tests, because the library keeps one timer for all of its pools.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterAll(() => {
  vi.useRealTimers();
});

/** Milliseconds that pass at once. */
const step = 100;

test('an answer that does not come in 30 s is given up', async () => {
  const asked = Promise.withResolvers<void>();
  await using stub = await startStub(() => asked.resolve());
  await using opened = openClient(stub.url);
  const failing = failureOf(opened.client.createVariable(projectId, newVariable));
  await asked.promise;
  await expectEndAfter(30_000, failing);
  const error = await failing;
  expect(error).toMatchObject({ fault: 'timeout', effect: 'unknown', mayHaveArrived: true });
  expect(error.message).toMatch(/: no response in 30s$/);
  expect(stub.received).toHaveLength(1);
  await stub.idle();
});

test('a body that stops for 30 s is given up', async () => {
  const begun = Promise.withResolvers<void>();
  await using stub = await startStub((response) => response.write('{', () => begun.resolve()));
  await using opened = openClient(stub.url);
  const failing = failureOf(opened.client.createVariable(projectId, newVariable));
  await begun.promise;
  await expectEndAfter(30_000, failing);
  const error = await failing;
  expect(error).toMatchObject({ fault: 'timeout', mayHaveArrived: true });
  expect(error.message).toMatch(/: the response stopped midway$/);
  await stub.idle();
});

test('a read that stalls is repeated', async () => {
  await using emulator = await startEmulator({ key: fakeKey });
  await using opened = openClient(emulator.url);
  emulator.faults.add({ kind: 'stall', effect: false, times: 2 });
  const reading = opened.client.listProjects('all');
  await expectEndAfter(60_000, reading);
  expect(await reading).toEqual([]);
  expect(opened.client.requests).toBe(3);
});

test('a connection that does not open in 10 s is given up, and nothing was sent', async () => {
  // It accepts and never says a word, so that the TLS handshake never ends.
  await using stub = await startTcpStub((socket) => socket.resume());
  await using opened = openClient(stub.url.replace('http:', 'https:'));
  const failing = failureOf(opened.client.createVariable(projectId, newVariable));
  await expectEndAfter(50_000, failing);
  const error = await failing;
  expect(error).toMatchObject({ fault: 'connect', effect: 'none', mayHaveArrived: false });
  expect(opened.client).toMatchObject({ requests: 0, unconnected: 5 });
  await stub.idle();
});

test('a stream may be silent for longer than an answer', async () => {
  const begun = Promise.withResolvers<void>();
  await using stub = await startStub((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': hello\n\n', () => begun.resolve());
  });
  await using opened = openClient(stub.url);
  const { client, run } = opened;
  const stream = follow('/', run.signal);
  const failing = failureOf(Array.fromAsync(await client.openEvents(stream)));
  await begun.promise;
  await expectEndAfter(60_000, failing);
  expect(await failing).toMatchObject({ fault: 'timeout' });
  await stub.idle();
});

test('an answer that comes late, but in time, is read', async () => {
  const asked = Promise.withResolvers<() => void>();
  await using stub = await startStub((response) =>
    asked.resolve(() => response.end(emptyEnvironment)),
  );
  await using opened = openClient(stub.url);
  const reading = opened.client.readEnvironment(projectId);
  const answer = await asked.promise;
  await vi.advanceTimersByTimeAsync(28_000);
  answer();
  expect(await reading).toEqual({ variables: [] });
  expect(stub.received).toHaveLength(1);
});

/**
 * Lets time pass, with turns of the event loop for the sockets, until a call has ended, which must be after
 * about so many milliseconds. Sockets need turns of their own, so that only a much longer time is too long.
 */
async function expectEndAfter(milliseconds: number, call: Promise<unknown>): Promise<void> {
  let settled = false;
  const end = () => {
    settled = true;
  };
  call.then(end, end);
  let passed = 0;
  while (!settled && passed < milliseconds * 10) {
    await vi.advanceTimersByTimeAsync(step);
    passed += step;
    await nextTurn();
  }
  expect(settled).toBe(true);
  expect(passed).toBeGreaterThanOrEqual(milliseconds * 0.8);
}
