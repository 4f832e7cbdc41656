import { describe, expect, test } from 'vitest';
import { readStreamEvent, type StreamEvent } from './evaluate.ts';
import { createStatusReader } from './status.ts';

const ours = 'a1111111-1111-4111-8111-111111111111';
const known = createStatusReader({ success: ['open', 'connected', 'message', 'ping'] });

const read = (name: string, data: unknown): StreamEvent =>
  readStreamEvent(name, typeof data === 'string' ? data : JSON.stringify(data), ours, known);

describe('an event is merely called so', () => {
  test.each<[string, string, unknown, StreamEvent]>([
    ['with an empty object', 'done', {}, { observed: { status: 'done', certainty: 'name' } }],
    ['with no data', 'complete', '', { observed: { status: 'complete', certainty: 'name' } }],
    ['with the end mark', 'done', '[DONE]', { observed: { status: 'done', certainty: 'name' } }],
    ['with our id', 'done', { id: ours }, { observed: { status: 'done', certainty: 'name' } }],
    [
      'with an envelope',
      'done',
      { status: 'success', data: [] },
      { observed: { status: 'done', certainty: 'name' } },
    ],
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
      'with the field of a part',
      'completed',
      { step: 'install' },
      { observed: { status: 'completed', certainty: 'part' } },
    ],
    [
      'with the type of a part',
      'error',
      { type: 'log', line: 'not found' },
      { text: 'not found', observed: { status: 'error', certainty: 'part', message: 'not found' } },
    ],
  ])('%s', (_name, name, data, event) => {
    expect(read(name, data)).toEqual(event);
  });

  const ends =
    'succeeded,success,completed,complete,done,finished,deployed,published,failed,failure,error,errored,canceled,cancelled,aborted,timed out,TIMED_OUT,timedOut,superseded,rolled back,rolled-back,expired,rejected';

  test.each(ends.split(','))('in a word that is an end: %s', (name) => {
    expect(read(name, {})).toEqual({ observed: { status: name, certainty: 'name' } });
  });

  test.each(['queued', 'building', 'in_progress'])('in a word of progress: %s', (name) => {
    expect(read(name, {})).toEqual({ observed: { status: name, certainty: 'name' } });
  });

  test.each(['ready', 'live', 'blocked', 'open', 'connected', 'message', 'ping', 'hello'])(
    'but not in a word that may be of the stream: %s',
    (name) => {
      expect(read(name, {})).toEqual({});
      expect(read(name, { deploymentId: ours })).toEqual({});
      expect(read(name, 'Cloning files')).toEqual({ text: 'Cloning files' });
    },
  );
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
    ['a message around', 'log', { data: { message: 'x' }, message: 'Cloning' }, 'Cloning'],
    ['a message in what it wraps', '', { data: { message: 'Cloning' } }, 'Cloning'],
    ['a message in an envelope', '', { data: { message: 'Cloning', result: null } }, 'Cloning'],
    ['broken JSON', '', '{"status":"succeeded"', '{"status":"succeeded"'],
  ])('%s', (_name, name, data, text) => {
    expect(read(name, data)).toEqual({ text });
  });
});

test('the words beside a status are its message, and no line of the log', () => {
  const status = { status: 'failed', message: 'no space' };
  expect(read('deployment', status)).toEqual({ observed: { ...status, certainty: 'status' } });
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
