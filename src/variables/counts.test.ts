import { describe, expect, test } from 'vitest';
import { environmentResult, variableResult } from '../../test/support/report/builders.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { countVariables, describeCounts, type EnvironmentResult } from './result.ts';

type EnvironmentCounts = ReturnType<typeof countVariables>;

const none: EnvironmentCounts = {
  created: 0,
  replaced: 0,
  retargeted: 0,
  deleted: 0,
  unchanged: 0,
  kept: 0,
  conflicts: 0,
  failed: 0,
  'not-reached': 0,
  undeclared: 0,
};

test.each<[string, Partial<EnvironmentResult>, Partial<EnvironmentCounts>]>([
  ['nothing', {}, {}],
  [
    'one of each',
    {
      variables: [
        variableResult('A', 'created'),
        variableResult('B', 'replaced'),
        variableResult('C', 'unchanged'),
        variableResult('D', 'kept'),
        variableResult('E', 'conflict'),
        variableResult('F', 'failed'),
        variableResult('G', 'not-reached'),
        variableResult('H', 'deleted'),
      ],
    },
    {
      created: 1,
      replaced: 1,
      unchanged: 1,
      kept: 1,
      conflicts: 1,
      failed: 1,
      'not-reached': 1,
      deleted: 1,
    },
  ],
  [
    'a variable that was replaced and retargeted, as both',
    { variables: [variableResult('A', 'replaced', { retargeted: true })] },
    { replaced: 1, retargeted: 1 },
  ],
  [
    'a variable that was only retargeted',
    { variables: [variableResult('A', 'retargeted', { retargeted: true })] },
    { retargeted: 1 },
  ],
  [
    'variables that were not reached, beside the one that stopped the run',
    {
      variables: [
        variableResult('A', 'failed'),
        variableResult('B', 'not-reached'),
        variableResult('C', 'not-reached'),
      ],
    },
    { failed: 1, 'not-reached': 2 },
  ],
  [
    'a variable that is there twice, as a conflict',
    {
      variables: [variableResult('A', 'conflict')],
      ambiguous: [{ name: unsafeText('B'), reason: unsafeText('twice') }],
    },
    { conflicts: 2 },
  ],
  ['undeclared variables', { undeclared: [unsafeText('A'), unsafeText('B')] }, { undeclared: 2 }],
])('counts %s', (_name, result, counts) => {
  expect(countVariables(environmentResult(result))).toEqual({ ...none, ...counts });
});

test('counts nothing where no environment was synced', () => {
  expect(countVariables(undefined)).toEqual(none);
});

describe('the counts in words', () => {
  test.each<[string, Partial<EnvironmentResult> | undefined, string]>([
    ['where there is no result', undefined, 'nothing declared'],
    ['of an empty sync', {}, 'nothing declared'],
    [
      'that are not zero',
      {
        variables: [
          variableResult('A', 'created'),
          variableResult('B', 'created'),
          variableResult('C', 'replaced', { retargeted: true }),
          variableResult('D', 'deleted'),
        ],
        undeclared: [unsafeText('E')],
      },
      '2 created, 1 replaced, 1 retargeted, 1 deleted, 1 only on the service',
    ],
    [
      'of a sync that was cut short',
      {
        variables: [
          variableResult('A', 'failed'),
          variableResult('B', 'not-reached'),
          variableResult('C', 'not-reached'),
        ],
      },
      '1 failed, 2 not reached',
    ],
    ['of one conflict', { variables: [variableResult('A', 'conflict')] }, '1 conflict'],
    [
      'of two conflicts',
      {
        variables: [variableResult('A', 'conflict')],
        ambiguous: [{ name: unsafeText('B'), reason: unsafeText('twice') }],
      },
      '2 conflicts',
    ],
    ['of a plan', { isPlanned: true, variables: [variableResult('A', 'created')] }, '1 to create'],
    ['of an empty plan', { isPlanned: true }, 'nothing declared'],
  ])('%s', (_name, fields, words) => {
    const result = fields === undefined ? undefined : environmentResult(fields);
    expect(describeCounts(result)).toBe(words);
  });
});
