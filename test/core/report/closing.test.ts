import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/core/outcome.ts';
import {
  closingLine,
  describeConfirmation,
  describeRequests,
  nameOf,
  titleOf,
} from '../../../src/core/report/closing.ts';
import type { ConfirmedBy, DeployReport } from '../../../src/core/report/report.ts';
import { trusted } from '../../../src/core/text/safe.ts';
import { deployReport, environmentResult, variableResult } from './builders.ts';

const outcomes: readonly Outcome[] = [
  'succeeded',
  'failed',
  'timed-out',
  'cancelled',
  'unconfirmed',
  'accepted',
  'planned',
  'synced',
  'conflict',
  'skipped',
  'cleaned-up',
];
const confirmations: readonly ConfirmedBy[] = ['stream', 'poll', 'production', 'site', 'answer'];

test('every outcome has a title of its own', () => {
  const titles = outcomes.map(titleOf);
  expect(new Set(titles).size).toBe(outcomes.length);
  for (const title of titles) expect(title).toMatch(/^\p{Extended_Pictographic}\ufe0f? \p{Lu}/u);
});

test.each(outcomes)('the title of %s ends in its name', (outcome) => {
  expect(titleOf(outcome).endsWith(` ${nameOf(outcome)}`)).toBe(true);
});

test('every confirmation has words of its own', () => {
  const words = confirmations.map(describeConfirmation);
  expect(new Set(words).size).toBe(confirmations.length);
});

test.each([
  [0, '0 requests'],
  [1, '1 request'],
  [2, '2 requests'],
])('%s requests are called %s', (requests, words) => {
  expect(describeRequests(requests)).toBe(words);
});

describe('the last line', () => {
  test.each<[string, Partial<DeployReport>, string]>([
    ['of a run', {}, 'Deployed in 12.3s · 3 requests'],
    [
      'of a deployment with variables',
      {
        deployment: { id: trusted('d-1'), status: trusted('ready') },
        environment: environmentResult({ variables: [variableResult('A', 'created')] }),
      },
      'Deployed in 12.3s · deployment d-1 · environment: 1 created · 3 requests',
    ],
    [
      'of a run that was skipped',
      { outcome: 'skipped', skippedReason: 'fork', requests: 0, durationMs: 0 },
      'Skipped in 0.0s · fork · 0 requests',
    ],
    [
      'of a failure',
      { outcome: 'timed-out', durationMs: 1_200_000 },
      'Timed out in 20m 0s · 3 requests',
    ],
  ])('%s', (_name, fields, line) => {
    expect(closingLine(deployReport(fields))).toBe(line);
  });
});
