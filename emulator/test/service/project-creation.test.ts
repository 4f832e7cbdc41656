import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type DialectOptions, startEmulator } from '../../index.ts';
import { sendTo, startWorld, type World } from './support.ts';

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

test.for([
  { idempotency: 'replay', statuses: [201, 201], projects: 1 },
  { idempotency: 'ignore', statuses: [201, 201], projects: 2 },
  { idempotency: 'conflict', statuses: [201, 409], projects: 1 },
] as const)('a repeated idempotency key: $idempotency', async (expected) => {
  const { idempotency, statuses, projects } = expected;
  await using world = await startWorld({ dialect: { idempotency, turnMs: 0 } });
  const body = { initialPrompt: 'A shop', idempotencyKey: 'key-1' };
  const post = () => world.send('POST', '/v1/projects', { body });
  const answers = await Promise.all([post(), post()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(statuses);
  const made = world.emulator.world.projects.filter(({ id }) => id !== world.project.id);
  expect(made.map(({ messages }) => messages.length)).toEqual(Array(projects).fill(1));
});

test.for<{ name: string; body: object; dialect?: DialectOptions; status: number }>([
  { name: 'without a body', body: {}, status: 201 },
  { name: 'with a prompt of 10,000', body: { initialPrompt: 'p'.repeat(10_000) }, status: 201 },
  { name: 'with a prompt of 10,001', body: { initialPrompt: 'p'.repeat(10_001) }, status: 400 },
  { name: 'with an empty prompt', body: { initialPrompt: '' }, status: 400 },
  { name: 'with a long model', body: { model: 'm'.repeat(65) }, status: 400 },
  { name: 'with an empty effort', body: { effort: '' }, status: 400 },
  { name: 'with three skills', body: { skillNames: ['a', 'b', 'c'] }, status: 201 },
  { name: 'with four skills', body: { skillNames: ['a', 'b', 'c', 'd'] }, status: 400 },
  { name: 'with a skill that is a number', body: { skillNames: [1] }, status: 400 },
  { name: 'with files', body: { attachmentIds: [] }, status: 400 },
  { name: 'with a name', body: { name: 'shop' }, status: 400 },
])('a project $name is answered $status', async ({ body, dialect, status }) => {
  const options = { turnMs: 0, messageEnds: 'failure', ...dialect } as const;
  await using emulator = await startEmulator({ dialect: options });
  const headers = { 'x-api-key': emulator.key };
  const answer = await sendTo(emulator.url, 'POST', '/v1/projects', { body, headers });
  expect(answer.status, answer.text).toBe(status);
  expect(emulator.world.projects).toHaveLength(status === 201 ? 1 : 0);
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
