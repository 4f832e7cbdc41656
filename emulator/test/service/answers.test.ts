import { expect, test } from 'vitest';
import { createDialect } from '../../dialect.ts';
import type { ErrorShape } from '../../index.ts';
import { Jitter } from '../../service/jitter.ts';
import { sendTo, startWorld, type World } from './support.ts';

const hostname = 'www.example.com';
const message = '405: the emulator has no PUT for this path';
const code = 'method_not_allowed';

const shapes: readonly { errorShape: ErrorShape; type: string | undefined; body: unknown }[] = [
  {
    errorShape: 'problem',
    type: 'application/problem+json; charset=utf-8',
    body: { type: 'about:blank', title: 'Method Not Allowed', status: 405, detail: message, code },
  },
  {
    errorShape: 'nested',
    type: 'application/json; charset=utf-8',
    body: { error: { code, message } },
  },
  { errorShape: 'string', type: 'application/json; charset=utf-8', body: { error: message } },
  { errorShape: 'message', type: 'application/json; charset=utf-8', body: { message } },
  {
    errorShape: 'list',
    type: 'application/json; charset=utf-8',
    body: { errors: [{ code, message }] },
  },
  { errorShape: 'text', type: 'text/plain; charset=utf-8', body: message },
  { errorShape: 'html', type: 'text/html; charset=utf-8', body: expect.stringContaining('<h1>') },
  { errorShape: 'empty', type: undefined, body: '' },
];

test.for(shapes)('an error in the shape $errorShape', async ({ errorShape, type, body }) => {
  await using world = await startWorld({ dialect: { errorShape } });
  const answer = await world.send('PUT', '/v1/projects');
  expect(answer.status).toBe(405);
  expect(answer.headers['content-type']).toBe(type);
  expect(answer.headers.allow).toBe('GET, POST');
  expect(answer.json ?? answer.text).toEqual(body);
});

test('each answer carries a request id, unless the dialect has none', async () => {
  await using world = await startWorld({ dialect: { requestIdHeader: 'cf-ray' } });
  const first = await world.send('GET', '/v1/projects');
  const second = await world.send('GET', '/v1/nothing');
  expect([first.headers['cf-ray'], second.headers['cf-ray']]).toEqual(['request-1', 'request-2']);
  world.emulator.dialect.requestIdHeader = null;
  expect(await world.send('GET', '/v1/projects')).not.toHaveProperty('headers.cf-ray');
});

test.for([
  { status: 429, retryAfter: 'seconds', header: /^2$/ },
  { status: 503, retryAfter: 'date', header: / GMT$/ },
  { status: 429, retryAfter: 'none', header: /^undefined$/ },
] as const)('a rate limit of $status with $retryAfter', async ({ status, retryAfter, header }) => {
  const rateLimit = { status, retryAfter, seconds: 2, every: 3 };
  await using world = await startWorld({ dialect: { rateLimit } });
  const answers = [];
  for (let n = 0; n < 6; n += 1) answers.push(await world.send('GET', '/v1/projects'));
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, status, 200, 200, status]);
  expect(String(answers[2]?.headers['retry-after'])).toMatch(header);
});

test('errors echo what was sent, and hostile text, if the dialect says so', async () => {
  const hostileText = '::error::\u001b[31m@everyone';
  await using world = await startWorld({
    dialect: { echoValues: true, hostileText, errorShape: 'message' },
  });
  const { emulator, path, send } = world;
  const body = { name: 'A', value: 'fake secret', preview: true, production: 'yes' };
  const value = await send('POST', `${path}/environment`, { body });
  expect(value.json).toEqual({ message: expect.stringContaining('Received: fake secret ::error') });
  const whole = await send('POST', `${path}/deployments`, { body: { zorp: 1 } });
  expect(whole.json).toEqual({ message: expect.stringContaining('{"zorp":1}') });
  const headers = { 'x-api-key': 'fake key' };
  const key = await sendTo(emulator.url, 'GET', '/v1/projects', { headers });
  expect(key.json).toEqual({ message: expect.stringContaining('fake key') });
});

test('values beyond the samples appear if the dialect says so', async () => {
  await using world = await startWorld({ dialect: { extraFields: true } });
  const { emulator, path, project, send } = world;
  project.setVariable({ name: 'A', value: 'v' });
  emulator.world.connectDomain(hostname);
  emulator.world.registerDomain('example.org');
  const projects = await send('GET', '/v1/projects');
  expect(projects.json).toMatchObject([{ sandboxState: 'hibernating' }]);
  const environment = await send('GET', `${path}/environment`);
  expect(environment.json).toMatchObject({ variables: [{ purpose: 'integration' }] });
  const connected = await send('GET', `/connected-domains/${hostname}`);
  const apex = expect.objectContaining({ type: 'ALIAS', purpose: 'apex', required: false });
  const instructions = expect.arrayContaining([apex]);
  expect(connected.json).toMatchObject({ dcvDelegation: 'partial', instructions });
  const registered = await send('POST', '/domains/example.org/unbind');
  expect(registered.json).toMatchObject({ status: 'transfer_locked', privacyMode: 'proxy' });
});

test.for([
  { lengthUnit: 'codePoints', statuses: [201, 201, 201] },
  { lengthUnit: 'utf16', statuses: [201, 201, 400] },
  { lengthUnit: 'bytes', statuses: [201, 400, 400] },
] as const)('lengths are counted in $lengthUnit', async ({ lengthUnit, statuses }) => {
  await using world = await startWorld({ dialect: { lengthUnit } });
  const values = ['v'.repeat(5120), 'é'.repeat(5120), '😀'.repeat(5120)];
  const answers: number[] = [];
  for (const [index, value] of values.entries()) {
    const body = { name: `V${index}`, value, preview: true, production: true };
    answers.push((await world.send('POST', `${world.path}/environment`, { body })).status);
  }
  expect(answers).toEqual(statuses);
});

test('a base path stands before every path', async () => {
  await using world = await startWorld({ basePath: '/api' });
  const { emulator, path, send } = world;
  expect(emulator.url).toMatch(/\/api$/);
  expect((await send('GET', `${path}/environment`)).status).toBe(200);
  expect(emulator.journal.entries[0]?.path).toBe(`${path}/environment`);
  const origin = new URL(emulator.url).origin;
  const outside = await sendTo(origin, 'GET', '/v1/projects', {
    headers: { 'x-api-key': emulator.key },
  });
  expect(outside.status).toBe(404);
});

test('pauses are the same for one seed, others for another, and within the bound', () => {
  const pauses = (seed: number, operations: readonly string[]) => {
    const jitter = new Jitter(createDialect({ jitterMs: 1000, seed }));
    return operations.map((operation) => jitter.next(operation));
  };
  const race = ['connectDomain', 'assignDomain', 'connectDomain', 'assignDomain'];
  const [connect1, assign1, connect2, assign2] = pauses(7, race);
  expect(pauses(7, race)).toEqual([connect1, assign1, connect2, assign2]);
  expect(pauses(7, race.toSorted())).toEqual([assign1, assign2, connect1, connect2]);
  expect(connect1).not.toEqual(connect2);
  expect(connect1).not.toEqual(assign1);
  expect(pauses(8, race)[0]).not.toEqual(connect1);
  const all = [1, 2, 3, 4, 5].flatMap((seed) => pauses(seed, race));
  for (const { beforeEffect, beforeAnswer } of all) {
    expect(beforeEffect).not.toBe(beforeAnswer);
    for (const pause of [beforeEffect, beforeAnswer]) {
      expect(Number.isInteger(pause) && pause >= 0 && pause <= 1000).toBe(true);
    }
  }
});

/** A seed whose first connection takes effect at once and is answered late, or the other way round. */
function seedFor(first: 'beforeEffect' | 'beforeAnswer', jitterMs: number): number {
  for (let seed = 1; ; seed += 1) {
    const pauses = new Jitter(createDialect({ jitterMs, seed })).next('connectDomain');
    const late = first === 'beforeEffect' ? 'beforeAnswer' : 'beforeEffect';
    if (pauses[first] < jitterMs / 1000 && pauses[late] > jitterMs / 2) return seed;
  }
}

/** Starts to connect a domain. */
function connect({ send }: World) {
  return send('POST', '/connected-domains', { body: { hostname } });
}

test('an answer may come long after its effect', async () => {
  const jitterMs = 60_000;
  const seed = seedFor('beforeEffect', jitterMs);
  await using world = await startWorld({ dialect: { jitterMs, seed } });
  const { emulator, send } = world;
  const answer = connect(world);
  await expect.poll(() => emulator.world.domains.all, { timeout: 20_000 }).toHaveLength(1);
  emulator.dialect.jitterMs = 0;
  expect((await send('GET', '/connected-domains')).json).toMatchObject({ domains: [{ hostname }] });
  expect(emulator.journal.of('connectDomain')).toMatchObject([{ status: null }]);
  await Promise.all([expect(answer).rejects.toThrow(), emulator.close()]);
});

test.for([
  { name: 'a latency', dialect: { latencyMs: 60_000 } },
  { name: 'jitter', dialect: { jitterMs: 60_000, seed: seedFor('beforeAnswer', 60_000) } },
])('an effect may come long after its request, by $name', async ({ dialect }) => {
  await using world = await startWorld({ dialect });
  const { emulator, send } = world;
  const answer = connect(world);
  await emulator.journal.waitFor(({ body }) => body !== undefined);
  Object.assign(emulator.dialect, { latencyMs: 0, jitterMs: 0 });
  expect((await send('GET', '/connected-domains')).json).toEqual({ domains: [] });
  await Promise.all([expect(answer).rejects.toThrow(), emulator.close()]);
  expect(emulator.world.domains.all).toEqual([]);
});
