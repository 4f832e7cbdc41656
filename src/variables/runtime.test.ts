import { expect, test } from 'vitest';
import { environmentResult, variableResult } from '../../test/support/report/builders.ts';
import { describeRuntimes } from './render.ts';
import type { RuntimeState } from './result.ts';

const { runtime: unsaid } = environmentResult();

test.each<[string, Partial<RuntimeState>, string[]]>([
  ['nothing is said', {}, []],
  [
    'all is in use',
    { stale: false, pending: false },
    ['Preview runtime: all variables are in use.', 'Production runtime: all variables are in use.'],
  ],
  [
    'nothing is in use yet',
    { stale: true, pending: true },
    ['Preview and production runtimes: changes take effect with the next deployment.'],
  ],
  [
    'only one waits',
    { pending: true },
    ['Production runtime: changes take effect with the next deployment.'],
  ],
])('%s', (_name, fields, lines) => {
  const variables = [variableResult('A', 'created'), variableResult('B', 'kept')];
  const result = environmentResult({ variables, runtime: { ...unsaid, ...fields } });
  expect(describeRuntimes(result)).toEqual(lines);
});

test.each(['failed', 'not-reached', 'conflict'] as const)(
  'nobody says that all are in use where one is %s',
  (outcome) => {
    const variables = [variableResult('A', 'created'), variableResult('B', outcome)];
    const runtime = { stale: true, pending: false };
    expect(describeRuntimes(environmentResult({ variables, runtime }))).toEqual([
      'Preview runtime: changes take effect with the next deployment.',
    ]);
  },
);

test.each(['failed', 'not-reached', 'conflict'] as const)(
  'nobody says that changes take effect where one is %s and nothing was written',
  (outcome) => {
    const variables = [variableResult('A', 'unchanged'), variableResult('B', outcome)];
    const runtime = { stale: true, pending: true };
    expect(describeRuntimes(environmentResult({ variables, runtime }))).toEqual([]);
  },
);

test('nothing is said of a plan, or of nothing', () => {
  const runtime = { stale: false, pending: false };
  const variables = [variableResult('A', 'created')];
  expect(describeRuntimes(environmentResult({ variables, runtime, isPlanned: true }))).toEqual([]);
  expect(describeRuntimes(environmentResult({ variables: [], runtime }))).toEqual([]);
});
