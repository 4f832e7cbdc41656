import { expect, test } from 'vitest';
import { isReadable, published, readResult } from '../test/support/results.ts';
import { type ActionName, actions } from './inputs.ts';
import { describeOutputs, resultJsonSchema } from './outputs.ts';

const right = { schema: 1, action: 'deploy', outcome: 'succeeded' };

test('the published schema is the one that the sources give', () => {
  expect(published).toEqual(resultJsonSchema('input'));
});

test.each(Object.keys(actions) as ActionName[])('it has the outputs of %s, described', (action) => {
  const { properties } = published.anyOf.find(
    (one: { properties: { action?: { const: string } } }) =>
      one.properties.action?.const === action,
  );
  const { error, 'error-code': _code, result: _result, ...described } = describeOutputs(action);
  for (const [name, description] of Object.entries(described)) {
    expect(properties[name]).toMatchObject({ description });
  }
  const besides = ['schema', 'action', 'error', 'problems', 'omitted'];
  expect(Object.keys(properties).sort()).toEqual([...besides, ...Object.keys(described)].sort());
});

test.each<[string, object]>([
  ['a result', { new: 1 }],
  ['its error', { outcome: 'failed', error: { code: 'SD3401', message: 'It failed.', new: 1 } }],
  ['an item of a list', { checks: [{ check: '/', wanted: '200', seen: '200', new: 1 }] }],
  ['an object', { plan: { digest: 'a', changes: [], new: 1 } }],
])('others may read a field that a later version adds to %s; this one writes none', (_, fields) => {
  const later = { ...right, ...fields };
  expect(isReadable(later)).toBe(true);
  expect(() => readResult(JSON.stringify(later))).toThrow('as its schema');
});

test.each<[string, object]>([
  ['no schema', { schema: undefined }],
  ['another schema', { schema: 2 }],
  ['no outcome', { outcome: undefined }],
  ['an outcome of another action', { action: 'projects', outcome: 'planned' }],
  ['a number as a text', { requests: '1' }],
  ['a boolean as a text', { drift: 'true' }],
  ['JSON as a text', { checks: '[]' }],
  ['null', { url: null }],
  ['a text as an error', { error: 'It failed. (SD3401)' }],
  ['no code of an error', { error: { message: 'It failed.' } }],
])('nobody reads %s', (_what, fields) => {
  expect(readResult(JSON.stringify(right))).toEqual(right);
  // Of a failed one, too, which has all that one without an action has.
  for (const outcome of ['succeeded', 'failed']) {
    const error = { code: 'SD3401', message: 'It failed.' };
    const wrong = JSON.stringify({ ...right, outcome, error, ...fields });
    expect(isReadable(JSON.parse(wrong))).toBe(false);
    expect(() => readResult(wrong)).toThrow('as its schema');
  }
});
