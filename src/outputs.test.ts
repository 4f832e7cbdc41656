import { expect, test } from 'vitest';
import { published, readResult } from '../test/support/results.ts';
import { type ActionName, actions } from './inputs.ts';
import { describeOutputs, resultJsonSchema } from './outputs.ts';

test('the published schema is the one that the sources give', () => {
  expect(published).toEqual(resultJsonSchema());
});

test.each(Object.keys(actions) as ActionName[])('it has the outputs of %s, described', (action) => {
  const { properties, additionalProperties } = published.anyOf.find(
    (one: { properties: { action?: { const: string } } }) =>
      one.properties.action?.const === action,
  );
  expect(additionalProperties).toBe(false);
  const { error, 'error-code': _code, result: _result, ...described } = describeOutputs(action);
  for (const [name, description] of Object.entries(described)) {
    expect(properties[name]).toMatchObject({ description });
  }
  const besides = ['schema', 'action', 'error', 'problems', 'omitted'];
  expect(Object.keys(properties).sort()).toEqual([...besides, ...Object.keys(described)].sort());
});

const right = { schema: 1, action: 'deploy', outcome: 'succeeded' };

test.each<[string, object]>([
  ['no schema', { schema: undefined }],
  ['another schema', { schema: 2 }],
  ['no outcome', { outcome: undefined }],
  ['an outcome of another action', { action: 'projects', outcome: 'planned' }],
  ['an output of another action', { count: 1 }],
  ['a number as a text', { requests: '1' }],
  ['a boolean as a text', { drift: 'true' }],
  ['JSON as a text', { checks: '[]' }],
  ['null', { url: null }],
  ['a text as an error', { error: 'It failed. (SD3401)' }],
  ['no code of an error', { error: { message: 'It failed.' } }],
])('it refuses %s', (_what, fields) => {
  expect(readResult(JSON.stringify(right))).toEqual(right);
  expect(() => readResult(JSON.stringify({ ...right, ...fields }))).toThrow('as its schema');
});
