import { expect, test } from 'vitest';
import type { ErrorShape } from '../../index.ts';
import { sendTo, startWorld } from './support.ts';

const message = 'The path has no such method.';
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

test('a key without permission for one operation gets 403 there only', async () => {
  await using world = await startWorld({ dialect: { refuse: ['readEnvironment'] } });
  expect((await world.send('GET', `${world.path}/environment`)).status).toBe(403);
  expect((await world.send('GET', '/v1/projects')).status).toBe(200);
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

test('unknown fields and values appear if the dialect says so', async () => {
  await using world = await startWorld({ dialect: { extraFields: true } });
  world.project.setVariable({ name: 'A', value: 'v' });
  const projects = await world.send('GET', '/v1/projects');
  const newField = expect.anything();
  expect(projects.json).toMatchObject([{ newField, sandboxState: 'hibernating' }]);
  const environment = await world.send('GET', `${world.path}/environment`);
  expect(environment.json).toMatchObject({
    newField,
    preview: { newField },
    variables: [{ newField, purpose: 'integration' }],
  });
});

test('a latency holds a request up before it takes effect, and no other request', async () => {
  await using world = await startWorld({ dialect: { latencyMs: 60_000 } });
  const { emulator, send } = world;
  const slow = send('POST', '/v1/projects', { body: {} });
  await emulator.journal.waitFor(({ body }) => body !== undefined);
  emulator.dialect.latencyMs = 0;
  await send('GET', '/v1/projects');
  expect(emulator.journal.entries.map(({ status }) => status)).toEqual([null, 200]);
  expect(emulator.world.projects).toHaveLength(1);
  await Promise.all([expect(slow).rejects.toThrow(), emulator.close()]);
});
