import { expect, it } from 'vitest';
import { runProjects } from '../../src/projects/apply.ts';
import type { ProjectsReport } from '../../src/projects/render.ts';
import { createClient } from '../../src/service/client.ts';
import { reset, startStub } from '../service/stub.ts';
import { startWorld } from '../support/world.ts';

const projectId = 'a1111111-1111-4111-8111-111111111111';

/** Creates a project at a service that answers so, and whose n-th list is this one; the first is before it. */
async function create(
  answer: object | undefined,
  listOf: (n: number) => readonly object[],
): Promise<ProjectsReport> {
  await using world = await startWorld();
  let lists = 0;
  await using stub = await startStub((response, { method }) => {
    if (method === 'GET') return response.end(JSON.stringify(listOf(++lists)));
    return answer === undefined ? reset(response) : response.end(JSON.stringify(answer));
  });
  const { clean, clock, random, signal } = world.host;
  const deadline = clock.now() + 20 * 60_000;
  const options = { baseUrl: stub.url, apiKey: world.emulator.key, userAgent: 'test', deadline };
  const client = createClient({ ...options, clean, clock, random, signal });
  const report = await runProjects({ ...world, client }, { kind: 'create', body: {} });
  await client.close();
  return report;
}

it('an answer without a state is no end: the list is asked', async () => {
  const states = [[], [{ projectId, provisioningState: 'provisioning' }]];
  const ready = [{ projectId, provisioningState: 'ready' }];
  const report = await create({ projectId }, (n) => states[n - 1] ?? ready);
  expect(report).toMatchObject({ outcome: 'succeeded', created: { state: 'ready' } });
});

it('an answer without a state, whose project the list shows to have failed, is a failure', async () => {
  const failed = [{ projectId, provisioningState: 'failed' }];
  const report = await create({ projectId }, (n) => (n === 1 ? [] : failed));
  expect(report).toMatchObject({ outcome: 'failed', created: { state: 'failed' } });
});

it('a state that the list lacks, too, is not asked for again', async () => {
  const report = await create({ projectId }, (n) => (n === 1 ? [] : [{ projectId }]));
  expect(report).toMatchObject({ outcome: 'succeeded', requests: 3 });
});

it.each([
  ['neither answer nor list shows', [{ projectId }]],
  ['the list never shows', []],
])('a state that %s is not waited for', async (_name, list) => {
  const report = await create({ projectId }, (n) => (n === 1 ? [] : list));
  expect(report).toMatchObject({ outcome: 'succeeded', created: { state: '' } });
});

it('a project that is listed late is found after a lost answer', async () => {
  const ready = [{ projectId, provisioningState: 'ready' }];
  const report = await create(undefined, (n) => (n < 4 ? [] : ready));
  expect(report).toMatchObject({ outcome: 'succeeded', created: { projectId } });
});
