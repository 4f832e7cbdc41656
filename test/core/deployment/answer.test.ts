import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../src/core/deployment/answer.ts';

const ours = 'a1111111-1111-4111-8111-111111111111';
const foreign = 'b2222222-2222-4222-8222-222222222222';

const read = (body: unknown) => readAnswer(body, ours);

describe('the status of our deployment is found', () => {
  test.each<[string, unknown]>([
    ['in the documented shape', { deploymentId: ours, status: 'ready' }],
    ['under an id in other case', { deploymentId: ours.toUpperCase(), status: 'ready' }],
    ['under deployment_id', { deployment_id: ours, status: 'ready' }],
    ['under id', { id: ours, status: 'ready' }],
    ['without any id', { status: 'ready' }],
    ['beside an id of another kind', { id: 'build-7', status: 'ready' }],
    ['beside an id that is a number', { id: 7, status: 'ready' }],
    ['under state', { deploymentId: ours, state: 'ready' }],
    ['under deploymentStatus', { deploymentId: ours, deploymentStatus: 'ready' }],
    ['under status when state stands beside it', { id: ours, state: 'x', status: 'ready' }],
    ['under state when status is empty', { id: ours, status: ' ', state: 'ready' }],
    ['wrapped in deployment', { deployment: { id: ours, status: 'ready' } }],
    ['wrapped in data', { data: { deploymentId: ours, status: 'ready' } }],
    ['wrapped in result, without an id', { result: { status: 'ready' } }],
    ['in a list', [{ id: ours, status: 'ready' }]],
    ['in deployments', { deployments: [{ id: ours, status: 'ready' }] }],
    ['in a list under data', { data: [{ id: ours, status: 'ready' }] }],
    ['in items', { items: [{ id: ours, status: 'ready' }] }],
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
    ['beside fields that nobody knows', { deploymentId: ours, status: 'ready', x: [{ y: 1 }] }],
  ])('%s', (_name, body) => {
    expect(read(body)).toEqual({ status: 'ready' });
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
    expect(read(within)).toEqual({ status: 'ready' });
    const around = {
      deploymentId: ours,
      status: 'ready',
      [layer]: { id: foreign, status: 'failed' },
    };
    expect(read(around)).toEqual({ status: 'ready' });
  });

  test('but a status that names none is read if ours is named beside the other', () => {
    const body = { status: 'ready', deployment: { id: ours }, data: { id: foreign } };
    expect(read(body)).toEqual({ status: 'ready' });
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
    expect(read(body)).toEqual({ status: 'failed', message });
  });
});

test('any JSON is read without a fault, and a list of others never answers', () => {
  const other = fc.record({ id: fc.uuid(), status: fc.constantFrom('ready', 'failed') });
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(other), (value, others) => {
      read(value);
      expect(read({ deployments: others.filter(({ id }) => id !== ours) })).toBeUndefined();
    }),
  );
});
