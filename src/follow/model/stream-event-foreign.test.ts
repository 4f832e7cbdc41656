import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStreamEvent, type StreamEvent } from './evaluate.ts';
import { createStatusReader } from './status.ts';

const ours = 'a1111111-1111-4111-8111-111111111111';
const foreign = 'b2222222-2222-4222-8222-222222222222';
const known = createStatusReader();

const read = (name: string, data: unknown): StreamEvent =>
  readStreamEvent(name, JSON.stringify(data), ours, known);

test('an id of the event itself does not hide a status of ours', () => {
  const data = { deploymentId: ours, status: 'succeeded' };
  const event = { id: foreign, type: 'deployment.succeeded', data };
  expect(read('', event).observed).toEqual({ status: 'succeeded', certainty: 'status' });
});

describe('nothing is read of an event that names another deployment', () => {
  test.each<[string, string, unknown]>([
    ['beside a status', 'status', { deploymentId: foreign, status: 'failed' }],
    ['under id', '', { id: foreign, status: 'failed' }],
    ['beside a status within', '', { deployment: { id: foreign, status: 'failed' } }],
    ['around a status', '', { deploymentId: foreign, data: { status: 'failed' } }],
    ['and whose name is a status', 'error', { deploymentId: foreign }],
    ['deep within', 'status', { status: 'ready', x: { y: [{ deployment_id: foreign }] } }],
    [
      'beside ours, which has no status',
      'status',
      { data: { id: foreign, status: 'ready' }, deployment: { id: ours } },
    ],
    ['and is a line of a log', 'log', { deploymentId: foreign, line: 'x' }],
  ])('%s', (_name, name, data) => {
    expect(read(name, data)).toEqual({});
  });

  const layers = ['deployment', 'data', 'payload', 'result'];

  test.each(layers)('in %s, and has a status around it', (layer) => {
    expect(read('status', { status: 'ready', [layer]: { deploymentId: foreign } })).toEqual({});
    expect(read('status', { status: 'ready', [layer]: { id: foreign } })).toEqual({});
    expect(read('done', { message: 'x', [layer]: { deploymentId: foreign } })).toEqual({});
  });

  test.each(layers)('around %s, and has a status in it', (layer) => {
    expect(read('status', { id: foreign, [layer]: { status: 'ready' } })).toEqual({});
  });

  const pairs = layers.flatMap((one) =>
    layers.filter((other) => other !== one).map((other) => [one, other] as const),
  );

  test.each(pairs)('in %s, and has a status in %s', (one, other) => {
    const data = { [one]: { deploymentId: foreign }, [other]: { status: 'ready' } };
    expect(read('status', data)).toEqual({});
  });
});

const status = fc.constantFrom('ready', 'failed', 'success', 'building');
const field = fc.constantFrom('data', 'deployment', 'deployments', 'payload', 'x');
const kind = fc.constantFrom('', 'status', 'deployment', 'deployment.status', 'done', 'log');
const layer = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), status, kind, field);

test('no event that names another deployment, at any depth, proves anything of ours', () => {
  fc.assert(
    fc.property(kind, fc.array(layer, { maxLength: 7 }), status, (name, layers, state) => {
      const event = layers.reduce<object>(
        (within, [rest, around, type, key]) => ({ ...rest, type, status: around, [key]: within }),
        { deploymentId: foreign, status: state },
      );
      const { observed } = read(name, event);
      if (layers.length <= 4) expect(observed).toBeUndefined();
      expect(observed?.certainty).not.toBe('status');
      expect(observed?.status ?? name).toBe(name);
    }),
  );
});

test('no event is a fault', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (name, value) => {
      expect(read(name, value)).toBeTypeOf('object');
    }),
  );
});
