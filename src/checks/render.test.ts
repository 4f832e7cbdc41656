import { describe, expect, test } from 'vitest';
import { deployReport } from '../../test/support/report/builders.ts';
import { decode } from '../../test/support/report/decode.ts';
import { renderOutcome, renderSummary } from '../deploy/render.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import type { CheckResult } from './result.ts';

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
  test('has one list of all checks, those that failed first', () => {
    const shown = decode(
      render([result(true, 'returned 200'), result(null, 'not run: x'), result(false, 'a 404')]),
    );
    expect(shown).toContain(
      [
        '- ❌ GET /x: a 404 · 12 ms',
        '- ⏭️ GET /x: not run: x · 12 ms',
        '- ✅ GET /x: returned 200 · 12 ms',
      ].join('\n'),
    );
  });

  test('links the whole URL of a check, and says which text is missing', () => {
    const url = 'https://www.example.com/a(b)?c=[d]';
    const explains = unsafeText('returned 200, but the page does not contain "x"');
    const shown = render([
      { ...result(false, 'short'), what: unsafeText(`GET ${url}`), url, explains },
    ]);
    expect(shown).toContain('](https://www.example.com/a%28b%29?c=%5Bd%5D): returned 200, but');
    expect(shown).not.toContain('short');
  });

  test('has none without checks', () => {
    expect(render([])).not.toMatch(/^- [❌⏭✅]/mu);
  });

  test('shows what a site says as words that can do nothing', () => {
    const shown = render([result(false, 'returned 200 | @octocat <img src=x> **b** #1 `x`')]);
    expect(shown).not.toMatch(/<img|\| @octocat|\*\*b\*\*|`x`| #1/);
  });
});
