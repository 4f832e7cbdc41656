import { describe, expect, test } from 'vitest';
import { createStatusReader } from '../../../src/core/deployment/status.ts';
import { readStreamEvent, type StreamEvent } from '../../../src/core/deployment/stream-event.ts';

const ours = 'a1111111-1111-4111-8111-111111111111';
const known = createStatusReader(['switched'], []);

const read = (name: string, data: unknown): StreamEvent =>
  readStreamEvent(name, typeof data === 'string' ? data : JSON.stringify(data), ours, known);

describe('an event says the status of the deployment', () => {
  test.each<[string, string, unknown, string]>([
    ['without a name', '', { status: 'building' }, 'building'],
    ['by a name', 'status', { status: 'building' }, 'building'],
    ['in a word that no table has', 'status', { status: 'odd' }, 'odd'],
    ['under state', 'state', { state: 'ready' }, 'ready'],
    ['under our id', 'update', { deploymentId: ours, status: 'ready' }, 'ready'],
    ['under our id in other case', '', { id: ours.toUpperCase(), status: 'ready' }, 'ready'],
    ['in deployment', 'update', { deployment: { id: ours, status: 'ready' } }, 'ready'],
    ['in data', 'update', { type: 'deployment', data: { status: 'ready' } }, 'ready'],
    ['in payload', 'update', { payload: { state: 'ready' } }, 'ready'],
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

describe('an event is merely called so', () => {
  test.each<[string, string, unknown, StreamEvent]>([
    ['with an empty object', 'done', {}, { observed: { status: 'done', certainty: 'name' } }],
    ['with no data', 'complete', '', { observed: { status: 'complete', certainty: 'name' } }],
    ['with the end mark', 'done', '[DONE]', { observed: { status: 'done', certainty: 'name' } }],
    [
      'with a text',
      'error',
      'connection lost',
      {
        text: 'connection lost',
        observed: { status: 'error', certainty: 'name', message: 'connection lost' },
      },
    ],
    [
      'with a text in JSON',
      'error',
      { message: 'no space' },
      {
        text: 'no space',
        observed: { status: 'error', certainty: 'name', message: 'no space' },
      },
    ],
    [
      'as a bare word without a name',
      '',
      'done',
      { observed: { status: 'done', certainty: 'name' } },
    ],
  ])('%s', (_name, name, data, event) => {
    expect(read(name, data)).toEqual(event);
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
    ['by the name of a log', 'log', { status: 'succeeded' }],
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

  test('and carry a line of the log', () => {
    expect(read('log', { status: 'succeeded', line: 'Built 3 pages' })).toEqual({
      observed: { status: 'succeeded', certainty: 'part' },
      text: 'Built 3 pages',
    });
  });
});

describe('an event is a line of the log', () => {
  test.each<[string, string, unknown, string]>([
    ['plain', '', 'Cloning files', 'Cloning files'],
    ['plain, under a name', 'log', 'Cloning files', 'Cloning files'],
    ['a status word in the log', 'log', 'failed', 'failed'],
    ['a JSON string', '', '"Cloning files"', 'Cloning files'],
    ['a message', '', { message: 'Cloning' }, 'Cloning'],
    ['a text', '', { text: 'Cloning' }, 'Cloning'],
    ['a line', '', { line: 'Cloning' }, 'Cloning'],
    ['a log', '', { log: 'Cloning' }, 'Cloning'],
    ['a delta', 'chunk', { delta: 'Cloning' }, 'Cloning'],
    ['a message within', 'log', { data: { status: '', message: 'x' }, text: 'Cloning' }, 'Cloning'],
    ['broken JSON', '', '{"status":"succeeded"', '{"status":"succeeded"'],
  ])('%s', (_name, name, data, text) => {
    expect(read(name, data)).toEqual({ text });
  });
});

describe('an event says nothing', () => {
  test.each<[string, string, unknown]>([
    ['for it is empty', '', ''],
    ['for it is white space', 'ping', '  '],
    ['for it is the end mark', '', '[DONE]'],
    ['for it is an empty object', 'heartbeat', {}],
    ['for it holds no status and no text', '', { percent: 40 }],
  ])('%s', (_name, name, data) => {
    expect(read(name, data)).toEqual({});
  });
});
