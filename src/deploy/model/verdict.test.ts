import { expect, test } from 'vitest';
import type { CheckResult } from '../../checks/result.ts';
import { sha } from '../../contract/commit.ts';
import { safe } from '../../kernel/text/safe.ts';
import type { DeployReport } from './report.ts';
import { verdict } from './verdict.ts';

const commit = sha('c'.repeat(40));

const failed = (more: Partial<CheckResult> = {}): CheckResult => ({
  what: safe`GET https://www.example.com/`,
  expected: safe`200`,
  actual: safe`answered 503`,
  passed: false,
  ...more,
});

const deployed = (more: Pick<Partial<DeployReport>, 'outcome' | 'checks'>): DeployReport => ({
  outcome: 'failed',
  commit,
  release: { stage: 'succeeded' },
  phases: [],
  requests: 1,
  durationMs: 1,
  ...more,
});

test.each<[string, DeployReport, string | undefined]>([
  ['a deployment that succeeded', deployed({ outcome: 'succeeded' }), commit],
  ['a deployment of which a check failed', deployed({ checks: [failed()] }), commit],
  [
    'a deployment of which a check saw another page',
    deployed({ checks: [failed({ lacksCommit: true })] }),
    undefined,
  ],
  ['a deployment of a run that was cut off', deployed({ outcome: 'cancelled' }), commit],
])('the commit that is live, with %s', (_, report, live) => {
  expect(verdict(report).live).toBe(live);
});
