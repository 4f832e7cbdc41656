import { expect, test } from 'vitest';
import type { CheckResult } from '../../../src/checks/result.ts';
import { sha } from '../../../src/contract/commit.ts';
import { verdict } from '../../../src/deploy/model/verdict.ts';
import { safe } from '../../../src/kernel/text/safe.ts';
import type { DeployReport } from '../../../src/release/model/report.ts';

const commit = sha('c'.repeat(40));
const [from, to] = ['from', 'to'];

const failed = (more: Partial<CheckResult> = {}): CheckResult => ({
  what: safe`GET https://www.example.com/`,
  expected: safe`200`,
  actual: safe`answered 503`,
  passed: false,
  ...more,
});

const swapped = (
  live: string | undefined,
  more: Pick<Partial<DeployReport>, 'outcome' | 'checks'> = {},
): DeployReport => ({
  outcome: 'failed',
  commit,
  release: { stage: 'succeeded' },
  swap: { from, to, domains: [], ...(live !== undefined && { live }) },
  phases: [],
  requests: 1,
  durationMs: 1,
  ...more,
});

test.each<[string, DeployReport, string | undefined]>([
  ['domains that moved', swapped(to, { outcome: 'succeeded' }), commit],
  [
    'domains that moved and stayed, although a check failed',
    swapped(to, { checks: [failed()] }),
    commit,
  ],
  [
    'domains that moved, where a check saw another page',
    swapped(to, { checks: [failed({ lacksCommit: true })] }),
    undefined,
  ],
  ['domains that moved, of a run that was cut off', swapped(to, { outcome: 'cancelled' }), commit],
  [
    'domains that moved back',
    swapped(from, { outcome: 'rolled-back', checks: [failed()] }),
    undefined,
  ],
  ['domains that nobody knows the place of', swapped(undefined), undefined],
])('the commit that is live, with %s', (_, report, live) => {
  expect(verdict(report).live).toBe(live);
});
