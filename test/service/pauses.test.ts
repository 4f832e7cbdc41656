import type { OutgoingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { type RateLimit, startEmulator } from '../../emulator/index.ts';
import { startStub } from './stub.ts';
import { failureOf, fakeClock, fakeKey, openClient } from './support.ts';

test.for([
  { random: 0, pauses: [0, 0, 0, 0] },
  { random: 0.5, pauses: [250, 500, 1000, 2000] },
  { random: 1, pauses: [500, 1000, 2000, 4000] },
])('pauses double, with full jitter: $random', async ({ random, pauses }) => {
  await using stub = await startStub((response) => response.writeHead(500).end());
  await using opened = openClient(stub.url, { random: () => random });
  await failureOf(opened.client.listProjects('all'));
  expect(opened.clock.pauses).toEqual(pauses);
});

// The clock of a test starts at 2030-01-01T00:00:00Z; the pause that nobody asks for is 250 ms.
test.for([
  { header: '7', pause: 7000 },
  { header: ' 7 ', pause: 7000 },
  { header: '0', pause: 250 },
  { header: '0.2', pause: 250 },
  { header: '0.5', pause: 500 },
  { header: '-5', pause: 250 },
  { header: '3599', pause: 3_599_000 },
  { header: 'Tue, 01 Jan 2030 00:00:05 GMT', pause: 5000 },
  { header: 'Tuesday, 01-Jan-30 00:00:06 GMT', pause: 6000 },
  { header: 'Mon, 31 Dec 2029 23:59:59 GMT', pause: 250 },
  { header: 'Sat, 01 Jan 0001 00:00:00 GMT', pause: 250 },
  { header: '1970-01-01T00:00:00Z', pause: 250 },
  { header: 'Fri, 99 Zzz 2030 25:61:61 GMT', pause: 250 },
  { header: '', pause: 250 },
  { header: 'later', pause: 250 },
  { header: 'Infinity', pause: 250 },
])('Retry-After "$header" is a pause of $pause ms', async ({ header, pause }) => {
  await using stub = await startStub((response, _, n) => {
    if (n === 1) response.writeHead(429, { 'retry-after': header });
    response.end('[]');
  });
  await using opened = openClient(stub.url);
  await opened.client.listProjects('all');
  expect(opened.clock.pauses).toEqual([pause]);
});

// The run of a test ends in an hour.
test.for(['3600', '9'.repeat(30), '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'Retry-After "%s" is past the end of the run, so nothing is waited for or sent again',
  async (header) => {
    await using stub = await startStub((response) => {
      response.writeHead(429, { 'retry-after': header }).end();
    });
    await using opened = openClient(stub.url);
    const error = await failureOf(opened.client.listProjects('all'));
    expect(error.status).toBe(429);
    expect(opened.clock.pauses).toEqual([]);
    expect(stub.received).toHaveLength(1);
  },
);

test('a longer Retry-After wins over every pause of ours, and only where it is given', async () => {
  await using stub = await startStub((response, _, n) => {
    response.writeHead(503, n % 2 === 1 ? { 'retry-after': '60' } : {}).end();
  });
  await using opened = openClient(stub.url);
  const error = await failureOf(opened.client.listProjects('all'));
  expect(opened.clock.pauses).toEqual([60_000, 500, 60_000, 2000]);
  expect(error.pauseAfter(500)).toBe(60_000);
});

test.for<RateLimit['retryAfter']>(['seconds', 'date', 'none'])(
  'a rate limit that tells its end by %s is passed',
  async (retryAfter) => {
    const rateLimit: RateLimit = { status: 429, retryAfter, seconds: 30, every: 2 };
    await using emulator = await startEmulator({ key: fakeKey, dialect: { rateLimit } });
    const clock = { ...fakeClock(), now: () => Date.now() };
    await using opened = openClient(emulator.url, { clock, deadline: Number.POSITIVE_INFINITY });
    for (let n = 0; n < 3; n += 1) await opened.client.listProjects('all');
    const asked = retryAfter === 'none' ? [250, 250] : [30_000, 30_000];
    expect(clock.pauses).toHaveLength(2);
    for (const [index, pause] of clock.pauses.entries()) {
      // A date has whole seconds, and some of the time is gone when it is read.
      expect(pause).toBeLessThanOrEqual(asked[index] ?? 0);
      expect(pause).toBeGreaterThan((asked[index] ?? 0) - 10_000);
    }
  },
);

const seconds = (text: string): OutgoingHttpHeaders => ({ 'retry-after': text });

test.for<{ name: string; left: number; headers: OutgoingHttpHeaders; pauses: number[] }>([
  { name: 'a pause before it is begun', left: 1001, headers: seconds('1'), pauses: [1000] },
  { name: 'a pause up to it is not', left: 1000, headers: seconds('1'), pauses: [] },
  { name: 'a pause past it is not', left: 999, headers: seconds('1'), pauses: [] },
  { name: 'the first pause past it is the end', left: 800, headers: {}, pauses: [250, 500] },
  { name: 'nothing is repeated after it', left: -1, headers: seconds('0'), pauses: [] },
])('at the deadline: $name', async ({ left, headers, pauses }) => {
  await using stub = await startStub((response) => response.writeHead(429, headers).end());
  const clock = fakeClock();
  await using opened = openClient(stub.url, { clock, deadline: clock.now() + left });
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error.status).toBe(429);
  expect(clock.pauses).toEqual(pauses);
  expect(stub.received).toHaveLength(pauses.length + 1);
});
