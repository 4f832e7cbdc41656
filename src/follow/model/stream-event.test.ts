import { describe, expect, test } from 'vitest';
import { readStreamEvent, type StreamEvent } from './evaluate.ts';
import { createStatusReader } from './status.ts';

const ours = 'a1111111-1111-4111-8111-111111111111';
const known = createStatusReader({ success: ['switched'] });

const read = (name: string, data: unknown): StreamEvent =>
  readStreamEvent(name, typeof data === 'string' ? data : JSON.stringify(data), ours, known);

describe('an event says the status of the deployment', () => {
  test.each<[string, string, unknown, string]>([
    ['by a name', 'status', { status: 'building' }, 'building'],
    ['in a word that no table has', 'status', { status: 'odd' }, 'odd'],
    ['under state', 'state', { state: 'ready' }, 'ready'],
    ['by a name of two words', 'status_update', { status: 'ready' }, 'ready'],
    ['by the name of a deployment', 'deployment', { status: 'ready' }, 'ready'],
    ['by a name that agrees with it', 'deployment.rolled-back', { status: 'failed' }, 'failed'],
    ['by a name in one word', 'deploymentStatusChanged', { status: 'ready' }, 'ready'],
    ['by its type', '', { type: 'deployment.status', status: 'ready' }, 'ready'],
    ['by its event', '', { event: 'status', status: 'ready' }, 'ready'],
    ['by its kind, under the usual name', 'message', { kind: 'status', status: 'ready' }, 'ready'],
    ['by the type around it', 'update', { type: 'deployment', data: { status: 'ready' } }, 'ready'],
    ['under our id', 'update', { deploymentId: ours, status: 'ready' }, 'ready'],
    ['under our id, without a name', '', { deploymentId: ours, status: 'ready' }, 'ready'],
    ['under our id in other case', '', { id: ours.toUpperCase(), status: 'ready' }, 'ready'],
    ['in deployment', 'update', { deployment: { id: ours, status: 'ready' } }, 'ready'],
    ['within our id', '', { deploymentId: ours, data: { status: 'ready' } }, 'ready'],
    ['deep within', '', { data: { x: { id: ours, status: 'ready' } } }, 'ready'],
    ['beside its steps', '', { id: ours, status: 'ready', steps: [{ status: 'x' }] }, 'ready'],
    ['in an event of progress that names it', 'progress', { id: ours, status: 'ready' }, 'ready'],
    ['as a bare word under a name', 'status', 'ready', 'ready'],
    ['as a JSON string under a name', 'status', '"ready"', 'ready'],
    ['in a word that the workflow added', 'status', 'switched', 'switched'],
  ])('%s', (_name, name, data, status) => {
    expect(read(name, data)).toEqual({ observed: { status, certainty: 'status' } });
  });

  test('with what went wrong', () => {
    const data = { status: 'failed', error: { message: 'no space' } };
    expect(read('status', data)).toEqual({
      observed: { status: 'failed', message: 'no space', certainty: 'status' },
    });
  });
});

describe('an event only hints at a status', () => {
  test.each<[string, string, unknown]>([
    ['without a name', '', { status: 'ready' }],
    ['without a name, wrapped', '', { data: { status: 'ready' } }],
    ['by the usual name', 'message', { status: 'ready' }],
    ['by a name that may be of anything', 'update', { payload: { state: 'ready' } }],
    ['by a name that is an end', 'done', { status: 'ready' }],
    ['as a bare word without a name', '', 'ready'],
    ['as a bare word under the usual name', 'message', 'ready'],
    ['of something else that has a status', 'sandbox.status', { status: 'ready' }],
    ['of something else, by its type', '', { type: 'project.state', status: 'ready' }],
    ['of something else, by its name', 'connection', { type: 'status', status: 'ready' }],
    ['of a request about the deployment', '', { type: 'deployment.created', status: 'ready' }],
    ['of an end that it contradicts', 'deployment.failed', { status: 'ready' }],
  ])('%s', (_name, name, data) => {
    expect(read(name, data)).toEqual({ observed: { status: 'ready', certainty: 'name' } });
  });

  const ofTheStream = ['open', 'connected', 'ping', 'heartbeat', 'hello', 'subscribed'];

  test.each(ofTheStream)('and speaks of the stream itself: %s', (name) => {
    const observed = { status: 'ready', certainty: 'name' };
    expect(read(name, 'ready')).toEqual({ observed });
    expect(read(name, '"ready"')).toEqual({ observed });
    expect(read(name, { status: 'ready' })).toEqual({ observed });
    expect(read(name, { data: { status: 'ready' } })).toEqual({ observed });
    expect(read('', { type: name, status: 'ready' })).toEqual({ observed });
  });

  test.each(ofTheStream)('unless it names our deployment: %s', (name) => {
    expect(read(name, { deploymentId: ours, status: 'ready' })).toEqual({
      observed: { status: 'ready', certainty: 'status' },
    });
  });
});

test.each<[string, unknown]>([
  ['an object', { type: 'status', status: 'success', data: { phase: 'building' } }],
  ['our deployment', { type: 'status', status: 'success', data: { id: ours, phase: 'building' } }],
  ['a list', { type: 'deployment', status: 'success', deployments: [] }],
  ['nothing', { type: 'deployment', status: 'success', data: null }],
])('the status of an envelope is not read: around %s', (_name, data) => {
  expect(read('status', data)).toEqual({});
});

describe('an event may be about a part', () => {
  test.each<[string, string, unknown]>([
    ['by its name', 'step', { status: 'succeeded' }],
    ['by a compound name', 'build.step.completed', { id: ours, status: 'succeeded' }],
    ['by its type', '', { type: 'task', status: 'succeeded' }],
    ['by its kind', 'update', { kind: 'asset-upload', status: 'succeeded' }],
    ['by its event', 'update', { event: 'check', status: 'succeeded' }],
    ['by a field', 'update', { step: 'build', status: 'succeeded' }],
    ['by a field of what it wraps', 'update', { data: { phase: 2, status: 'succeeded' } }],
    ['though it names the deployment', 'update', { id: ours, stage: 'x', status: 'succeeded' }],
    ['by the type of what it wraps', 'status', { data: { type: 'step', status: 'succeeded' } }],
    ['by the name of a log', 'log', { status: 'succeeded' }],
    ['by the name of a log, though it names it', 'log', { id: ours, status: 'succeeded' }],
    ['by the type of a log', '', { type: 'output', status: 'succeeded' }],
    ['by the name of progress', 'progress', { status: 'succeeded' }],
  ])('%s', (_name, name, data) => {
    expect(read(name, data)).toEqual({ observed: { status: 'succeeded', certainty: 'part' } });
  });

  test.each(['step', 'stage', 'task', 'phase', 'job', 'check', 'build.step.completed'])(
    'and a bare word is a line of its log: %s',
    (name) => {
      expect(read(name, 'succeeded')).toEqual({ text: 'succeeded' });
      expect(read(name, '"succeeded"')).toEqual({ text: 'succeeded' });
    },
  );

  const partFields = ['level', 'logger', 'severity', 'component', 'step', 'stepId', 'step_name'];

  test.each(partFields)('by the field %s, whatever its kind', (field) => {
    const data = { [field]: 'x', status: 'done', message: 'Installed dependencies' };
    const expected = {
      observed: { status: 'done', certainty: 'part', message: 'Installed dependencies' },
      text: 'Installed dependencies',
    };
    expect(read('', data)).toEqual(expected);
    expect(read('status', data)).toEqual(expected);
    expect(read('', { ...data, deploymentId: ours })).toEqual(expected);
    expect(read('', { type: 'deployment.status', data })).toEqual(expected);
  });

  test('and a part within our deployment is none of its statuses', () => {
    expect(read('', { deploymentId: ours, build: { deploymentId: ours, status: 'done' } })).toEqual(
      {},
    );
    expect(read('', { steps: [{ deploymentId: ours, status: 'done' }] })).toEqual({});
  });

  test('and carry a line of the log', () => {
    expect(read('log', { status: 'succeeded', line: 'Built 3 pages' })).toEqual({
      observed: { status: 'succeeded', certainty: 'part' },
      text: 'Built 3 pages',
    });
  });
});
