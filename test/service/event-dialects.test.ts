import { expect, test } from 'vitest';
import { type StreamDialect, startEmulator } from '../../emulator/index.ts';
import { failureOf, fakeKey, follow, openClient, readStream } from './support.ts';

const words = ['queued', 'building', 'publishing', 'succeeded'];

test.for<{ name: string; stream: Partial<StreamDialect>; retries?: number[]; oversized?: number }>([
  { name: 'as it is by default', stream: {} },
  { name: 'with comments', stream: { comments: true, heartbeatMs: 1 } },
  { name: 'with a byte order mark', stream: { bom: true } },
  { name: 'with CR LF', stream: { crlf: true } },
  { name: 'split at every byte', stream: { splitBytes: 1 } },
  {
    name: 'split at every third byte, with all of it',
    stream: { splitBytes: 3, bom: true, crlf: true, comments: true },
  },
  { name: 'with CR LF split at every byte', stream: { splitBytes: 1, crlf: true, bom: true } },
  { name: 'with a retry', stream: { retryMs: 1234 }, retries: [1234] },
  { name: 'after an oversized event', stream: { oversizedFrameBytes: 1_500_000 }, oversized: 1 },
  {
    name: 'after an oversized event in small pieces',
    stream: { oversizedFrameBytes: 1_100_000, splitBytes: 30_000 },
    oversized: 1,
  },
])('a stream $name', async ({ stream, retries = [], oversized = 0 }) => {
  await using emulator = await startEmulator({ key: fakeKey, dialect: { buildMs: 6, stream } });
  const project = await emulator.world.createProject();
  await using opened = openClient(emulator.url);
  const { deploymentId } = await opened.client.createDeployment(project.id, {});
  const path = `/v1/projects/${project.id}/deployments/${deploymentId}/events`;
  const heard = await readStream(opened.client, path);
  const expected = words.map((status, index) => ({
    name: 'status',
    data: JSON.stringify({ deploymentId, status }),
    lastEventId: String(index + 1),
  }));
  expect(heard).toEqual({ events: expected, retries, oversized });
});

test.for<{ shape: StreamDialect['shape']; names: string[] }>([
  { shape: 'json', names: ['status', 'status', 'status', 'status'] },
  { shape: 'data-only', names: ['', '', '', ''] },
  { shape: 'name-only', names: words },
  { shape: 'nested', names: ['deployment', 'deployment', 'deployment', 'deployment'] },
  { shape: 'typed', names: ['', '', '', ''] },
])('events in the shape "$shape" keep their names', async ({ shape, names }) => {
  const stream = { shape, endWithDone: true };
  await using emulator = await startEmulator({ key: fakeKey, dialect: { buildMs: 0, stream } });
  const project = await emulator.world.createProject();
  await using opened = openClient(emulator.url);
  const { deploymentId } = await opened.client.createDeployment(project.id, {});
  const path = `/v1/projects/${project.id}/deployments/${deploymentId}/events`;
  const { events } = await readStream(opened.client, path);
  expect(events.map(({ name }) => name)).toEqual([...names, '']);
  expect(events.at(-1)).toEqual({ name: '', data: '[DONE]', lastEventId: '4' });
});

test.for<StreamDialect['dropBy']>(['end', 'reset'])(
  'a stream that drops by %s is resumed after the last event',
  async (dropBy) => {
    const stream = { dropBy, dropAfterEvents: 3 };
    await using emulator = await startEmulator({ key: fakeKey, dialect: { buildMs: 0, stream } });
    const project = await emulator.world.createProject();
    await using opened = openClient(emulator.url);
    const { client, run } = opened;
    const { deploymentId } = await client.createDeployment(project.id, {});
    await project.deployments[0]?.ended;
    const path = `/v1/projects/${project.id}/deployments/${deploymentId}/events`;
    const open = follow(path, run.signal);
    const seen: string[] = [];
    const read = async () => {
      for await (const { lastEventId } of await client.openEvents(open)) {
        seen.push(lastEventId);
        open.lastEventId = lastEventId;
      }
    };
    if (dropBy === 'end') await read();
    else expect(await failureOf(read())).toMatchObject({ fault: 'broken', mayHaveArrived: true });
    // A reset may overtake events; what was seen is a beginning all the same.
    expect(['1', '2', '3']).toEqual(expect.arrayContaining(seen));
    emulator.dialect.stream.dropAfterEvents = null;
    await read();
    expect(seen).toEqual(['1', '2', '3', '4']);
  },
);
