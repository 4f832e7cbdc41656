import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../../../src/checks/result.ts';
import { renderOutcome, renderSummary } from '../../../src/deploy/render.ts';
import { unsafeText } from '../../../src/kernel/text/safe.ts';
import { deployReport } from './builders.ts';
import { decode } from './decode.ts';

const result = (passed: boolean | null, seen: string): CheckResult => ({
  what: unsafeText('GET /x'),
  expected: unsafeText('2xx'),
  actual: unsafeText(seen),
  passed,
  milliseconds: 12,
});

const context = {
  marker: { key: 'project', runId: '100', runAttempt: '1' },
  runUrl: 'https://github.com/o/r/actions/runs/100/attempts/1',
};

describe.each<[string, (checks: readonly CheckResult[]) => string]>([
  ['a summary', (checks) => renderSummary(deployReport({ checks, outcome: 'failed' }))],
  ['a comment', (checks) => renderOutcome(deployReport({ checks, outcome: 'failed' }), context)],
])('%s', (_, render) => {
  test('has one table of all checks, those that failed first', () => {
    const shown = decode(
      render([result(true, 'returned 200'), result(null, 'not run: x'), result(false, 'a 404')]),
    );
    expect(shown.replaceAll('<wbr>', '')).toContain(
      [
        '|  | Check | Result | Expected | Time |',
        '| :--- | :--- | :--- | :--- | :--- |',
        '| ❌ | <code>GET /x</code> | a 404 | 2xx | 12 ms |',
        '| ⏭️ | <code>GET /x</code> | not run: x | 2xx | 12 ms |',
        '| ✅ | <code>GET /x</code> | returned 200 | 2xx | 12 ms |',
      ].join('\n'),
    );
  });

  test('has none without checks', () => {
    expect(render([])).not.toContain('Wanted');
  });

  test('shows what a site says as words that can do nothing', () => {
    const shown = render([result(false, 'returned 200 | @octocat <img src=x> **b** #1 `x`')]);
    expect(shown).not.toMatch(/<img|\| @octocat|\*\*b\*\*|`x`| #1/);
  });
});
