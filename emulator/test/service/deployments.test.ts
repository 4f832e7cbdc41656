import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createDialect } from '../../dialect.ts';
import { type DialectOptions, startEmulator } from '../../index.ts';
import { deploy, startWorld } from './support.ts';

const unknownCommit = 'f'.repeat(40);

test('a deployment of HEAD is queued', async () => {
  await using world = await startWorld({ dialect: { buildMs: 60_000 } });
  const { path, project, send } = world;
  const body = { idempotencyKey: 'key-1' };
  const created = await send('POST', `${path}/deployments`, { body });
  const [deployment] = project.deployments;
  expect(created.json).toEqual({ deploymentId: deployment?.id, status: 'queued' });
  expect(deployment).toMatchObject({ endedAt: null, idempotencyKey: 'key-1' });
  expect(deployment?.commit).toBe(await project.head());
});

test('a deployment goes through its steps and ends', async () => {
  await using world = await startWorld({ dialect: { buildMs: 30 } });
  const { history, endedAt } = await deploy(world);
  const words = history.map(({ status }) => status);
  expect(words).toEqual(['queued', 'building', 'publishing', 'succeeded']);
  expect(endedAt).toBe(history.at(-1)?.at);
});

test.for<{ name: string; dialect: DialectOptions; end: string; live: boolean }>([
  { name: 'success', dialect: { deploymentEnds: 'success' }, end: 'READY', live: true },
  { name: 'failure', dialect: { deploymentEnds: 'failure' }, end: 'Rolled-Back', live: false },
  {
    name: 'a function',
    dialect: { deploymentEnds: () => 'failure' },
    end: 'Rolled-Back',
    live: false,
  },
])('the words of a dialect, ending by $name', async ({ dialect, end, live }) => {
  const deploymentWords = {
    queued: 'WAITING',
    steps: ['zorp'],
    success: 'READY',
    failure: 'Rolled-Back',
  };
  await using world = await startWorld({ dialect: { buildMs: 0, deploymentWords, ...dialect } });
  const { history } = await deploy(world);
  expect(history.map(({ status }) => status)).toEqual(['WAITING', 'zorp', end]);
  const site = await fetch(world.project.sitePathUrl);
  expect(site.status).toBe(live ? 200 : 503);
});

test('a failed deployment keeps the old site', async () => {
  await using world = await startWorld({ dialect: { buildMs: 0 } });
  await deploy(world);
  world.emulator.dialect.deploymentEnds = 'failure';
  expect((await deploy(world)).status).toBe('failed');
  expect((await fetch(world.project.sitePathUrl)).status).toBe(200);
});

test('a deployment that never ends stays in its last step', async () => {
  await using world = await startWorld({ dialect: { buildMs: 0, deploymentEnds: 'never' } });
  const { path, project, send } = world;
  await send('POST', `${path}/deployments`, { body: {} });
  const [deployment] = project.deployments;
  await expect.poll(() => deployment?.status).toBe('publishing');
  await world.emulator.close();
  expect(deployment).toMatchObject({ status: 'publishing', endedAt: null });
});

test('a deployment of an unknown commit may fail', async () => {
  const unknownVersionId = 'accept-and-fail';
  await using world = await startWorld({ dialect: { unknownVersionId, buildMs: 0 } });
  expect((await deploy(world, { versionId: unknownCommit })).status).toBe('failed');
});

test('overlapping deployments: each for itself, or refused', async () => {
  await using world = await startWorld({ dialect: { deploymentEnds: 'never' } });
  const { emulator, path, send } = world;
  const start = async () => (await send('POST', `${path}/deployments`, { body: {} })).status;
  expect([await start(), await start()]).toEqual([202, 202]);
  emulator.dialect.overlappingDeployments = '409';
  expect(await start()).toBe(409);
});

test.for([
  { idempotency: 'ignore', statuses: [202, 202], deployments: 2 },
  { idempotency: 'conflict', statuses: [202, 409], deployments: 1 },
  { idempotency: { forgetAfterMs: 60_000 }, statuses: [202, 202], deployments: 1 },
  { idempotency: { forgetAfterMs: 0 }, statuses: [202, 202], deployments: 2 },
] as const)('a repeated idempotency key: $idempotency', async (expected) => {
  const { idempotency, statuses, deployments } = expected;
  await using world = await startWorld({ dialect: { idempotency } });
  const { path, project, send } = world;
  const body = { idempotencyKey: 'key-1' };
  const answers = [];
  for (let n = 0; n < 2; n += 1) answers.push(await send('POST', `${path}/deployments`, { body }));
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  expect(project.deployments).toHaveLength(deployments);
});

test('a refused request does not use its idempotency key up', async () => {
  await using world = await startWorld();
  const { path, project, send } = world;
  const start = async (versionId: string) => {
    const body = { versionId, idempotencyKey: 'key-1' };
    return (await send('POST', `${path}/deployments`, { body })).status;
  };
  expect([await start(unknownCommit), await start(await project.head())]).toEqual([404, 202]);
});

const finished = await startWorld({ dialect: { buildMs: 0 } });
afterAll(() => finished[Symbol.asyncDispose]());
const { id } = await deploy(finished);

/** Reads the progress of a finished deployment in a dialect. */
function readIn(dialect: DialectOptions, below = '') {
  Object.assign(finished.emulator.dialect, createDialect(dialect));
  return finished.send('GET', `${finished.path}/deployments/${id}${below}`);
}

const status = { status: 'succeeded' };
const foreign = { status: 'succeeded' };

test.for([
  { statusShape: 'flat', json: status },
  { statusShape: 'nested', json: { deployment: status } },
  { statusShape: 'data', json: { data: status } },
  { statusShape: 'list', json: [status] },
  { statusShape: 'foreign-first', json: [foreign, status] },
] as const)('a status in the shape $statusShape', async ({ statusShape, json }) => {
  const answer = await readIn({ statusShape, hostileText: '::x' });
  expect(answer.json).toMatchObject(json);
  expect(answer.text).toContain(id);
  expect(answer.text).toContain('::x');
});

test.for([
  { offers: 'both', poll: 200, stream: 200 },
  { offers: 'poll', poll: 200, stream: 404 },
  { offers: 'stream', poll: 404, stream: 200 },
  { offers: 'neither', poll: 404, stream: 404 },
] as const)('progress is offered by $offers', async ({ offers, poll, stream }) => {
  expect((await readIn({ offers })).status).toBe(poll);
  expect((await readIn({ offers }, '/events')).status).toBe(stream);
});

test.for([404, 405, 403, 'html200'] as const)('progress is refused by %s', async (refusal) => {
  const answer = await readIn({ offers: 'neither', notOfferedStatus: refusal });
  expect(answer.status).toBe(refusal === 'html200' ? 200 : refusal);
  if (refusal === 'html200') expect(answer.text).toContain('<!doctype html>');
});

test('progress is offered late', async () => {
  expect((await readIn({ offeredAfterMs: 60_000 })).status).toBe(404);
  expect((await readIn({ offeredAfterMs: 0 })).status).toBe(200);
});

test('two emulators share nothing', async () => {
  await using world = await startWorld();
  await using other = await startEmulator();
  world.emulator.dialect.stream.logLines.push('a line');
  expect(other.dialect.stream.logLines).toEqual([]);
  expect(() => other.world.project(world.project.id)).toThrow('The project was not found.');
  expect(z.string().parse(other.key)).not.toBe(world.emulator.key);
});
