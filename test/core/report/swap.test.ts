import { describe, expect, it, test } from 'vitest';
import { swapLines } from '../../../src/blue-green/render.ts';
import { describeRun } from '../../../src/deploy/model/title.ts';
import type { Outcome } from '../../../src/kernel/outcome.ts';
import { safe, unsafeText } from '../../../src/kernel/text/safe.ts';
import type { DeployReport, SwappedDomain, SwapReport } from '../../../src/release/model/report.ts';

const from = '11111111-1111-4111-8111-111111111111';
const to = '22222222-2222-4222-8222-222222222222';
const hostname = unsafeText('www.example.com');

const swapOf = (state: SwappedDomain['state'], more: Partial<SwapReport> = {}): SwapReport => ({
  from,
  to,
  domains: [{ hostname, state }],
  ...more,
});

const failedCheck = { what: safe`GET x`, expected: safe`200`, actual: safe`500`, passed: false };

const passedCheck = { ...failedCheck, actual: safe`200`, passed: true };

type ReportOfSwap = Extract<DeployReport, { rollback?: never }>;

const report = (
  outcome: Outcome,
  swap: SwapReport,
  more: Partial<ReportOfSwap> = {},
): DeployReport => ({
  outcome,
  swap,
  release: { stage: 'succeeded' as const },
  phases: [],
  requests: 1,
  durationMs: 1,
  ...more,
});

test.each<[Outcome, SwapReport, Partial<ReportOfSwap>, string]>([
  ['succeeded', swapOf('moved', { live: to }), {}, 'The site is live'],
  [
    'rolled-back',
    swapOf('moved-back', { live: from }),
    { checks: [failedCheck, passedCheck] },
    'The site was switched back to its former project: 1 check failed',
  ],
  [
    'failed',
    swapOf('stays', { live: from }),
    { checks: [failedCheck] },
    'The site is unchanged: 1 check failed at the preview',
  ],
  ['failed', swapOf('stays', { live: from }), {}, 'The site is unchanged: no domain was moved'],
  [
    'failed',
    swapOf('moved-back', { live: from }),
    {},
    'The site is unchanged: not all of its domains could be moved',
  ],
  [
    'failed',
    swapOf('gone'),
    {},
    'The site is deployed, and its domains may be on different projects',
  ],
  [
    'failed',
    swapOf('moved', { live: to }),
    { checks: [failedCheck] },
    'The site is deployed, and its domains moved, but 1 check failed',
  ],
  [
    'failed',
    swapOf('moved', { live: to }),
    { checks: [{ ...failedCheck, lacksCommit: true }] },
    'The site is deployed according to the service, and its domains moved, but 1 check failed',
  ],
  [
    'cancelled',
    swapOf('moved-back', { live: from }),
    {},
    'The site is unchanged: canceled, and its domains moved back',
  ],
  [
    'cancelled',
    swapOf('stays', { live: from }),
    {},
    'The site is unchanged: canceled before its domains moved',
  ],
  [
    'timed-out',
    swapOf('gone'),
    {},
    'The site: timed out, and its domains may be on different projects',
  ],
  [
    'timed-out',
    swapOf('moved', { live: to }),
    {},
    'The site is deployed, but timed out before it was confirmed live',
  ],
  ['failed', swapOf('stays'), { release: { stage: 'failed' } }, 'The site failed to deploy'],
])('a swap that %s is called what it is (%#)', (outcome, swap, more, title) => {
  expect(describeRun(report(outcome, swap, more))).toBe(title);
});

describe('the lines of a swap', () => {
  it('say which project is live and idle, before and now, and what each domain did', () => {
    const domains = [
      { hostname, state: 'moved', gap: 420, isUnverified: true },
      { hostname: unsafeText('b.example.com'), state: 'stays' },
    ] as const;
    expect(swapLines({ swap: { from, to, live: to, reconciled: from, domains } })).toEqual([
      'An interrupted move was completed first: the domains were assigned to 11111111…',
      'Live: project 22222222… (before: 11111111…)',
      'Idle: project 11111111… (before: 22222222…)',
      'www.example.com: moved from 11111111… to 22222222…; without a project for at most 0.4s; not verified yet',
    ]);
  });

  it('say so of what stayed, came back, or is lost', () => {
    expect(swapLines({ swap: swapOf('moved-back', { live: from }) })).toEqual([
      'Live: project 11111111…, as before',
      'Idle: project 22222222…',
      'www.example.com: moved to 22222222… and back to 11111111…',
    ]);
    expect(swapLines({ swap: swapOf('gone') })[0]).toBe(
      'Live: unknown, the domains may be on different projects (before: 11111111…)',
    );
    expect(swapLines({})).toEqual([]);
  });
});
