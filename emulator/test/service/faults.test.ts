import { expect, test } from 'vitest';
import type { FaultKind } from '../../index.ts';
import { startWorld, type World } from './support.ts';

const body = { name: 'A', value: 'v', preview: true, production: true };

function create({ path, send }: World) {
  return send('POST', `${path}/environment`, { body });
}

test.for<{ fault: FaultKind; effect: boolean }>([
  { fault: { kind: 'reset-before' }, effect: false },
  { fault: { kind: 'reset-after' }, effect: true },
  { fault: { kind: 'cut-body' }, effect: true },
])('$fault.kind breaks the connection', async ({ fault, effect }) => {
  await using world = await startWorld();
  const handle = world.emulator.faults.add({ method: 'POST', ...fault });
  await expect(create(world)).rejects.toMatchObject({ code: 'ECONNRESET' });
  const entry = await world.emulator.journal.waitFor(({ endedAt }) => endedAt !== null);
  expect(entry).toMatchObject({ effect, status: fault.kind === 'cut-body' ? 201 : null });
  expect(world.project.variables).toHaveLength(effect ? 1 : 0);
  expect(handle.fired).toBe(1);
});

test('late-effect takes effect after the connection is gone', async () => {
  await using world = await startWorld();
  world.emulator.faults.add({ kind: 'late-effect', delayMs: 5 });
  await expect(create(world)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await world.emulator.journal.waitFor(({ effect }) => effect);
  expect(world.project.variables).toHaveLength(1);
});

test('late-effect may answer a status first', async () => {
  await using world = await startWorld();
  world.emulator.faults.add({ kind: 'late-effect', delayMs: 5, status: 504 });
  expect((await create(world)).status).toBe(504);
  await world.emulator.journal.waitFor(({ effect }) => effect);
  expect(world.project.variables).toHaveLength(1);
});

test('twice takes effect two times, and answers the second', async () => {
  await using world = await startWorld({ dialect: { duplicateName: 'allow' } });
  world.emulator.faults.add({ kind: 'twice' });
  const { json } = await create(world);
  expect(json).toMatchObject({ variables: [{ name: 'A' }, { name: 'A' }] });
  expect(world.project.variables).toHaveLength(2);
  expect(world.emulator.journal.entries).toMatchObject([{ effect: true, carriedOut: 2 }]);
});

test.for([{ effect: true }, { effect: false }])(
  'a stall with effect $effect',
  async ({ effect }) => {
    await using world = await startWorld();
    const { emulator, project } = world;
    emulator.faults.add({ kind: 'stall', effect });
    const cancel = new AbortController();
    const stalled = fetch(`${emulator.url}${world.path}/environment`, {
      method: 'POST',
      headers: { 'x-api-key': emulator.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: cancel.signal,
    });
    await emulator.journal.waitFor((entry) => (effect ? entry.effect : entry.body !== undefined));
    cancel.abort();
    await expect(stalled).rejects.toThrow('aborted');
    const entry = await emulator.journal.waitFor(({ endedAt }) => endedAt !== null);
    expect(entry).toMatchObject({ effect, status: null });
    expect(project.variables).toHaveLength(effect ? 1 : 0);
  },
);

test.for<{ fault: FaultKind; status: number; text: RegExp; effect: boolean }>([
  { fault: { kind: 'not-json' }, status: 200, text: /^<!doctype html>/, effect: true },
  {
    fault: { kind: 'status', status: 503, body: 'busy', effect: false },
    status: 503,
    text: /^busy$/,
    effect: false,
  },
  { fault: { kind: 'status', status: 502, effect: true }, status: 502, text: /^$/, effect: true },
  { fault: { kind: 'slow-body', durationMs: 10 }, status: 201, text: /^\{.*\}$/, effect: true },
  { fault: { kind: 'oversized', bytes: 100_000 }, status: 201, text: /^"x{99998}"$/, effect: true },
])('$fault.kind answers $status', async ({ fault, status, text, effect }) => {
  await using world = await startWorld();
  world.emulator.faults.add({ operation: 'createVariable', ...fault });
  const answer = await create(world);
  expect(answer.status).toBe(status);
  expect(answer.text).toMatch(text);
  expect(world.project.variables).toHaveLength(effect ? 1 : 0);
});

test('a fault strikes as often as it says, where it matches, until it is removed', async () => {
  await using world = await startWorld();
  const { emulator, path, send } = world;
  const fault = { kind: 'status', status: 500, effect: false } as const;
  const handle = emulator.faults.add({ ...fault, path: /\/environment$/, after: 1, times: 2 });
  const read = async () => (await send('GET', `${path}/environment`)).status;
  expect((await send('GET', '/v1/projects')).status).toBe(200);
  expect([await read(), await read(), await read(), await read()]).toEqual([200, 500, 500, 200]);
  expect(handle.fired).toBe(2);
  const always = emulator.faults.add({ ...fault, path: '/v1/projects', times: Infinity });
  expect((await send('GET', '/v1/projects?filter=all')).status).toBe(500);
  always.remove();
  expect((await send('GET', '/v1/projects')).status).toBe(200);
  emulator.faults.add(fault);
  emulator.faults.clear();
  expect((await send('GET', '/v1/projects')).status).toBe(200);
});

test('faults strike sites and repositories too', async () => {
  await using world = await startWorld();
  const { emulator, project } = world;
  for (const operation of ['site', 'git']) {
    emulator.faults.add({ operation, kind: 'status', status: 502, effect: false });
  }
  expect((await fetch(project.sitePathUrl)).status).toBe(502);
  const references = `${emulator.url}/git/${project.id}.git/info/refs`;
  expect((await fetch(references)).status).toBe(502);
  expect((await fetch(references)).status).toBe(401);
});

test('a status fault carries headers', async () => {
  await using world = await startWorld();
  const headers = { 'retry-after': '7' };
  world.emulator.faults.add({ kind: 'status', status: 429, headers, effect: false });
  expect((await create(world)).headers['retry-after']).toBe('7');
});
