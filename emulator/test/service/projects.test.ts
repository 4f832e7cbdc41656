import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { DialectOptions } from '../../index.ts';
import { startWorld, type World } from './support.ts';

const run = promisify(execFile);

const shown = z.looseObject({
  projectId: z.uuid(),
  provisioningState: z.string(),
  provisioningError: z.string().nullable(),
  activeMessageId: z.uuid().nullable(),
});

const created = shown.extend({ initialMessageId: z.uuid().nullable() });

/** Creates a project and gives what was answered. */
async function create({ send }: World, body: object = {}) {
  const answer = await send('POST', '/v1/projects', { body });
  expect(answer.status, answer.text).toBe(201);
  return created.parse(answer.json);
}

/** The projects as the service lists them. */
async function list({ send }: World, filter = 'all') {
  return z.array(shown).parse((await send('GET', `/v1/projects?filter=${filter}`)).json);
}

/** The project with this id as the service lists it. */
async function show(world: World, projectId: string) {
  return (await list(world)).find((project) => project.projectId === projectId);
}

test('a created project has a repository with the template and no message', async () => {
  await using world = await startWorld();
  const { projectId, initialMessageId } = await create(world);
  expect(initialMessageId).toBeNull();
  expect(await world.emulator.world.project(projectId).head()).toMatch(/^[0-9a-f]{40}$/);
});

test('the list has the most recently active first', async () => {
  await using world = await startWorld();
  const { emulator, project: first, send } = world;
  const [second] = emulator.world.createProjects(1);
  const body = { name: 'A', value: 'v', preview: true, production: true };
  for (const projectId of [second?.id, first.id]) {
    await send('POST', `/v1/projects/${projectId}/environment`, { body });
    expect((await list(world))[0]).toMatchObject({ projectId });
  }
});

test('filters', async () => {
  await using world = await startWorld();
  const { emulator, project: own, send } = world;
  const [starred, shared] = emulator.world.createProjects(2);
  Object.assign(starred ?? {}, { starred: true });
  Object.assign(shared ?? {}, { createdByUserId: 'somebody-else' });
  const ids = async (query: string) => {
    const listed = z.array(shown).parse((await send('GET', `/v1/projects${query}`)).json);
    return new Set(listed.map(({ projectId }) => projectId));
  };
  expect(await ids('?filter=all')).toEqual(new Set([own.id, starred?.id, shared?.id]));
  expect(await ids('?filter=starred')).toEqual(new Set([starred?.id]));
  expect(await ids('?filter=created')).toEqual(new Set([own.id, starred?.id]));
  expect(await ids('?filter=shared')).toEqual(new Set([shared?.id]));
  expect(await ids('')).toEqual(new Set([own.id, starred?.id, shared?.id]));
  emulator.dialect.defaultFilter = 'starred';
  expect(await ids('')).toEqual(new Set([starred?.id]));
});

test.for<{ name: string; dialect: DialectOptions; state: string; error: string | null }>([
  { name: 'ready', dialect: {}, state: 'ready', error: null },
  {
    name: 'failed',
    dialect: { provisioningEnds: 'failure' },
    state: 'failed',
    error: 'The template could not be copied.',
  },
  {
    name: 'failed, in words of a dialect',
    dialect: {
      provisioningEnds: 'failure',
      provisioningWords: { failed: 'BROKEN' },
      hostileText: '::error::',
    },
    state: 'BROKEN',
    error: 'The template could not be copied. ::error::',
  },
])('a project may be $name in the first answer', async ({ dialect, state, error }) => {
  await using world = await startWorld({ dialect });
  const answered = await create(world);
  expect(answered).toMatchObject({ provisioningState: state, provisioningError: error });
  expect(answered).toMatchObject({ initialMessageId: null, activeMessageId: null });
});

test.for<{ name: string; dialect: DialectOptions; states: [string, string] }>([
  { name: 'becomes ready', dialect: {}, states: ['provisioning', 'ready'] },
  {
    name: 'fails',
    dialect: { provisioningEnds: 'failure' },
    states: ['provisioning', 'failed'],
  },
  {
    name: 'becomes ready in words of a dialect',
    dialect: { provisioningWords: { working: 'COPYING', ready: 'Done' } },
    states: ['COPYING', 'Done'],
  },
])('a project that is provisioned over time $name', async ({ dialect, states }) => {
  await using world = await startWorld({ dialect: { provisionMs: 50, ...dialect } });
  const [first, last] = states;
  const { projectId, provisioningState } = await create(world);
  expect(provisioningState).toBe(first);
  const state = async () => (await show(world, projectId))?.provisioningState;
  await vi.waitFor(async () => expect(await state()).toBe(last), { timeout: 30_000 });
});

test('provisioning may never end, and the first turn waits for it', async () => {
  await using world = await startWorld({ dialect: { turnMs: 0, provisioningEnds: 'never' } });
  const { projectId, provisioningState } = await create(world, { initialPrompt: 'A shop' });
  expect(provisioningState).toBe('provisioning');
  const other = await world.emulator.world.createProject();
  await other.sendMessage({ content: 'a' }).ended;
  expect(await show(world, projectId)).toMatchObject({ provisioningState: 'provisioning' });
  expect(world.emulator.world.project(projectId).messages[0]?.status).toBe('queued');
  await world.emulator.close();
});

test('a prompt becomes the first message, and its turn runs', async () => {
  await using world = await startWorld({ dialect: { turnMs: 0, provisionMs: 20 } });
  const options = { model: 'm', effort: 'high', skillNames: ['s'], idempotencyKey: 'key-1' };
  const answered = await create(world, { initialPrompt: 'A shop', ...options });
  const project = world.emulator.world.project(answered.projectId);
  const [message] = project.messages;
  expect(answered).toMatchObject({
    initialMessageId: message?.id,
    activeMessageId: message?.id,
    sandboxState: 'none',
  });
  expect(message?.request).toEqual({ content: 'A shop', ...options });
  await message?.ended;
  expect(message?.status).toBe('succeeded');
  expect(await project.head()).toBe(message?.commit);
  const { json } = await world.send('GET', `/v1/projects/${project.id}/messages`);
  expect(json).toMatchObject([{ messageId: message?.id, prompt: 'A shop', status: 'succeeded' }]);
  expect(await show(world, project.id)).toMatchObject({ activeMessageId: null });
});

test('the first turn of a project that could not be made fails', async () => {
  await using world = await startWorld({ dialect: { turnMs: 0, provisioningEnds: 'failure' } });
  const { projectId } = await create(world, { initialPrompt: 'A shop' });
  const [message] = world.emulator.world.project(projectId).messages;
  await message?.ended;
  expect(message).toMatchObject({ status: 'failed', commit: null });
});

test('a thousand projects are listed, the most recently active first', async () => {
  await using world = await startWorld({ dialect: { turnMs: 0 } });
  const made = world.emulator.world.createProjects(1000);
  const ids = made.map(({ id }) => id).toReversed();
  expect((await list(world)).map(({ projectId }) => projectId)).toEqual([...ids, world.project.id]);
  const [starred, shared] = made;
  if (!starred || !shared) throw new Error('no projects were made');
  starred.starred = true;
  shared.createdByUserId = 'somebody-else';
  expect(await list(world, 'starred')).toMatchObject([{ projectId: starred.id }]);
  expect(await list(world, 'shared')).toMatchObject([{ projectId: shared.id }]);
  expect(await list(world, 'created')).toHaveLength(1000);
  await shared.sendMessage({ content: 'a' }).ended;
  expect((await list(world))[0]).toMatchObject({ projectId: shared.id });
});

test.for<{ name: string; uses: (world: World, projectId: string) => Promise<unknown> }>([
  {
    name: 'fetched',
    uses: async ({ emulator }, projectId) => {
      const { gitUrl } = emulator.world.project(projectId);
      const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' };
      const { stdout } = await run('git', ['ls-remote', gitUrl, 'refs/heads/main'], { env });
      expect(stdout).toContain(await emulator.world.project(projectId).head());
    },
  },
  {
    name: 'deployed',
    uses: async ({ emulator, send }, projectId) => {
      await send('POST', `/v1/projects/${projectId}/deployments`, { body: {} });
      const project = emulator.world.project(projectId);
      await project.deployments[0]?.ended;
      expect((await fetch(project.sitePathUrl)).status).toBe(200);
    },
  },
  {
    name: 'changed by a turn',
    uses: async ({ emulator }, projectId) => {
      const message = emulator.world.project(projectId).sendMessage({ content: 'a' });
      await message.ended;
      expect(message.status).toBe('succeeded');
    },
  },
])('a project of many gets its repository when it is $name', async ({ uses }) => {
  await using world = await startWorld({ dialect: { turnMs: 0, buildMs: 0 } });
  const [project] = world.emulator.world.createProjects(3);
  await uses(world, project?.id ?? '');
});
