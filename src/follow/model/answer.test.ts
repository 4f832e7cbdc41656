import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer } from './evaluate.ts';

const ours = 'a1111111-1111-4111-8111-111111111111';
const foreign = 'b2222222-2222-4222-8222-222222222222';

const read = (body: unknown) => readAnswer(body, ours);

describe('the status of our deployment, by its name, is found', () => {
  test.each<[string, unknown]>([
    ['in the documented shape', { deploymentId: ours, status: 'ready' }],
    ['under an id in other case', { deploymentId: ours.toUpperCase(), status: 'ready' }],
    ['under deployment_id', { deployment_id: ours, status: 'ready' }],
    ['under id', { id: ours, status: 'ready' }],
    ['under state', { deploymentId: ours, state: 'ready' }],
    ['under deploymentStatus', { deploymentId: ours, deploymentStatus: 'ready' }],
    ['under status when state stands beside it', { id: ours, state: 'x', status: 'ready' }],
    ['under state when status is empty', { id: ours, status: ' ', state: 'ready' }],
    ['wrapped in deployment', { deployment: { id: ours, status: 'ready' } }],
    ['wrapped in data', { data: { deploymentId: ours, status: 'ready' } }],
    ['under a field that nobody knows', { x: { y: { deploymentId: ours, status: 'ready' } } }],
    ['in a list', [{ id: ours, status: 'ready' }]],
    ['in deployments', { deployments: [{ id: ours, status: 'ready' }] }],
    ['in a list under data', { data: [{ id: ours, status: 'ready' }] }],
    ['in items', { items: [{ id: ours, status: 'ready' }] }],
    [
      'as deep as it is looked for',
      { data: { result: { items: [{ id: ours, state: 'ready' }] } } },
    ],
    [
      'in a list behind another deployment',
      [null, 7, { id: foreign, status: 'failed' }, { id: ours, status: 'ready' }],
    ],
    [
      'in a list beside a status of the list itself',
      { status: 'failed', deployments: [{ id: ours, status: 'ready' }] },
    ],
    [
      'within, although the answer has a status of its own',
      { status: 'error', data: { deploymentId: ours, status: 'ready' } },
    ],
    [
      'two levels within an answer that succeeded',
      { status: 'success', data: { deployment: { id: ours, status: 'ready' } } },
    ],
    [
      'within, although the answer repeats the id beside a status of its own',
      { deploymentId: ours, status: 'error', data: { id: ours, status: 'ready' } },
    ],
    [
      'in a list, although the answer repeats the id beside a status of its own',
      { deploymentId: ours, status: 'error', deployments: [{ id: ours, status: 'ready' }] },
    ],
    ['beside what it wraps', { id: ours, status: 'ready', result: { url: 'x' } }],
    ['beside fields that nobody knows', { deploymentId: ours, status: 'ready', x: [{ y: 1 }] }],
    [
      'beside its parts, which name it too',
      { deploymentId: ours, status: 'ready', builds: [{ deploymentId: ours, status: 'failed' }] },
    ],
  ])('%s', (_name, body) => {
    expect(read(body)).toEqual({ status: 'ready', isNamed: true });
  });
});

describe('a status is read that names no deployment', () => {
  test.each<[string, unknown]>([
    ['without any id', { status: 'ready' }],
    ['beside an id of another kind', { id: 'build-7', status: 'ready' }],
    ['beside an id that is a number', { id: 7, status: 'ready' }],
    ['wrapped in result', { result: { status: 'ready' } }],
    ['wrapped twice', { data: { deployment: { status: 'ready' } } }],
    ['in an answer that has a status of its own', { status: 'success', data: { state: 'ready' } }],
    ['within an object that names ours', { deploymentId: ours, data: { status: 'ready' } }],
    ['beside a wrapper without anything in it', { deployment: { status: 'ready' }, result: null }],
    ['beside fields that nobody knows', { status: 'ready', x: { y: [1, 'two', null] } }],
  ])('%s', (_name, body) => {
    expect(read(body)).toEqual({ status: 'ready', isNamed: false });
  });

  test('and so is that of a fault in an answer that arrived', () => {
    const message = 'no such deployment yet';
    expect(read({ status: 'error', message })).toEqual({
      status: 'error',
      message,
      isNamed: false,
    });
  });
});

describe('the status of an envelope is not that of a deployment', () => {
  const wrappers = ['deployment', 'data', 'result', 'payload', 'response'];
  const lists = ['deployments', 'items', 'results', 'data'];

  test.each(wrappers)('around an object under %s', (name) => {
    expect(read({ status: 'success', [name]: { phase: 'building' } })).toBeUndefined();
    expect(read({ status: 'success', [name]: { id: ours, phase: 'building' } })).toBeUndefined();
    expect(read({ status: 'success', [name]: null })).toBeUndefined();
  });

  test.each(lists)('around a list under %s', (name) => {
    expect(read({ status: 'success', [name]: [] })).toBeUndefined();
    expect(read({ status: 'success', [name]: [{ status: 'ready' }] })).toBeUndefined();
    expect(read({ status: 'success', [name]: [{ id: ours }] })).toBeUndefined();
    const others = [{ id: foreign, status: 'ready' }];
    expect(read({ status: 'success', [name]: others })).toBeUndefined();
  });

  test('around our deployment, under a name that nobody knows', () => {
    expect(read({ status: 'success', x: { y: { id: ours, phase: 'building' } } })).toBeUndefined();
  });

  test('and of two wrapped objects none is the one', () => {
    const body = { deployment: { state: 'building' }, result: { status: 'success' } };
    expect(read(body)).toBeUndefined();
  });
});

describe('a part of our deployment is not the deployment', () => {
  test.each(['steps', 'tasks', 'jobs', 'checks', 'assets', 'stages'])('in %s', (parts) => {
    const entries = [{ deploymentId: ours, status: 'completed' }];
    expect(read({ [parts]: entries })).toBeUndefined();
    expect(read({ deploymentId: ours, [parts]: entries })).toBeUndefined();
    expect(read({ data: { id: ours, [parts]: entries } })).toBeUndefined();
  });

  test('under a name that nobody knows, within what names it', () => {
    const build = { deploymentId: ours, status: 'succeeded' };
    expect(read({ id: ours, phase: 'publishing', build })).toBeUndefined();
    expect(read({ data: { id: ours, builds: [build] } })).toBeUndefined();
  });
});

describe('nothing is found', () => {
  test.each<[string, unknown]>([
    ["in another deployment's answer", { deploymentId: foreign, status: 'ready' }],
    ['under another id', { id: foreign, status: 'ready' }],
    ['in another deployment that is wrapped', { deployment: { id: foreign, status: 'ready' } }],
    ["in a list of others'", { deployments: [{ id: foreign, status: 'ready' }] }],
    ['in a list whose entries name no deployment', [{ status: 'ready' }]],
    ['when a documented id is another, of any form', { deploymentId: 'other', status: 'ready' }],
    ['in our deployment without a status', { deploymentId: ours }],
    ['in a status that is no string', { deploymentId: ours, status: { name: 'ready' } }],
    ['in an empty status', { deploymentId: ours, status: '' }],
    ['in an empty list', { deployments: [] }],
    ['in an empty object', {}],
    ['in null', null],
    ['in a string', 'ready'],
    ['in a number', 200],
    ['in nothing', undefined],
  ])('%s', (_name, body) => {
    expect(read(body)).toBeUndefined();
  });
});

describe('of an answer that names another deployment and not ours, nothing is found', () => {
  const layers = ['deployment', 'data', 'result'];

  test.each(layers)('in %s, with a status around it', (layer) => {
    expect(read({ status: 'ready', [layer]: { deploymentId: foreign } })).toBeUndefined();
    expect(read({ status: 'ready', [layer]: { id: foreign } })).toBeUndefined();
  });

  test.each(layers)('around %s, with a status in it', (layer) => {
    expect(read({ deploymentId: foreign, [layer]: { status: 'ready' } })).toBeUndefined();
  });

  test.each(layers)('but %s is read if it names ours', (layer) => {
    const within = { id: foreign, [layer]: { deploymentId: ours, status: 'ready' } };
    expect(read(within)).toEqual({ status: 'ready', isNamed: true });
    const around = {
      deploymentId: ours,
      status: 'ready',
      [layer]: { id: foreign, status: 'failed' },
    };
    expect(read(around)).toEqual({ status: 'ready', isNamed: true });
  });

  test('nor is a status that names none, if ours is named beside the other', () => {
    const body = { status: 'ready', deployment: { id: ours }, data: { id: foreign } };
    expect(read(body)).toBeUndefined();
  });

  test('under a name that nobody knows', () => {
    expect(read({ status: 'ready', x: [{ y: { deployment_id: foreign } }] })).toBeUndefined();
  });
});

describe('what the service says beside the status', () => {
  test.each<[string, object, string]>([
    ['an error', { error: 'no space' }, 'no space'],
    ['a message of an error', { error: { message: 'no space', code: 'E1' } }, 'no space'],
    ['a code of an error', { error: { code: 'E1' } }, 'E1'],
    ['an errorMessage', { errorMessage: 'no space' }, 'no space'],
    ['a failureReason', { failureReason: 'no space' }, 'no space'],
    ['a reason', { reason: 'no space' }, 'no space'],
    ['a message', { message: 'no space' }, 'no space'],
    ['an error before a message', { message: 'sorry', error: 'no space' }, 'no space'],
  ])('%s', (_name, fields, message) => {
    const body = { deploymentId: ours, status: 'failed', ...fields };
    expect(read(body)).toEqual({ status: 'failed', message, isNamed: true });
  });
});

describe('an answer that is too large to be looked through', () => {
  const deep = (value: unknown) => ({ a: { b: { c: { d: { e: value } } } } });

  test('is read where it names our deployment', () => {
    const body = { deploymentId: ours, status: 'ready', ...deep({}) };
    expect(read(body)).toEqual({ status: 'ready', isNamed: true });
    const many = Array.from({ length: 10_000 }, () => ({}));
    expect(read([body, ...many])).toEqual({ status: 'ready', isNamed: true });
  });

  test('is not read where it does not', () => {
    expect(read({ status: 'ready', ...deep({}) })).toBeUndefined();
    expect(
      read({ status: 'ready', x: Array.from({ length: 10_000 }, () => ({})) }),
    ).toBeUndefined();
    expect(read(deep({ deploymentId: ours, status: 'ready' }))).toBeUndefined();
  });

  test('is not looked into without end', () => {
    const body = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    expect(read(body)).toBeUndefined();
    expect(read({ status: 'ready', body })).toBeUndefined();
  });
});

test('of any JSON that names another deployment and not ours, nothing is found', () => {
  const status = fc.constantFrom('ready', 'failed', 'success', 'building');
  const field = fc.constantFrom('data', 'deployment', 'deployments', 'items', 'result', 'x');
  const layer = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), status, field, fc.boolean());
  fc.assert(
    fc.property(fc.array(layer, { maxLength: 7 }), status, (layers, state) => {
      const body = layers.reduce<unknown>(
        (within, [rest, around, name, isListed]) => ({
          ...rest,
          status: around,
          [name]: isListed ? [rest, within] : within,
        }),
        { deploymentId: foreign, status: state },
      );
      expect(read(body)).toBeUndefined();
      expect(read([body])).toBeUndefined();
    }),
  );
});

test('no JSON is a fault', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      expect(read(body)?.isNamed ?? false).toBe(false);
    }),
  );
});
