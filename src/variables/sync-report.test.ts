import { describe, expect, test } from 'vitest';
import {
  environmentResult,
  plannedChange,
  variableResult,
} from '../../test/support/report/builders.ts';
import { decode } from '../../test/support/report/decode.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { closeSync, describeSync, renderSync, type SyncReport } from './env-sync.ts';
import type { EnvironmentResult } from './result.ts';

const projectId = '11111111-1111-4111-8111-111111111111';
const digest = 'd'.repeat(64);

/** The report of a sync that ended well unless told otherwise. */
const report = (fields: Partial<SyncReport> = {}): SyncReport => ({
  outcome: 'synced',
  projectId,
  requests: 2,
  durationMs: 1234,
  ...fields,
});

const created = environmentResult({
  digest,
  variables: [variableResult('A', 'created')],
  changes: [plannedChange('A', 'create')],
  runtime: { stale: false, pending: undefined },
});

test.each<[string, Partial<SyncReport>, string]>([
  ['a sync', { environment: created }, 'Synced in 1.2s · variables: 1 created'],
  [
    'a plan',
    { outcome: 'planned', environment: { ...created, isPlanned: true }, requests: 1 },
    'Planned in 1.2s · variables: 1 to create',
  ],
  ['a failure before anything was read', { outcome: 'failed' }, 'Failed in 1.2s'],
  ['a skipped run', { outcome: 'skipped', requests: 0 }, 'Skipped'],
  [
    'a conflict',
    {
      outcome: 'conflict',
      environment: environmentResult({ variables: [variableResult('A', 'conflict')] }),
    },
    'Conflict in 1.2s · variables: 1 conflict',
  ],
])('the last line of %s', (_name, fields, line) => {
  expect(closeSync(report(fields))).toBe(line);
});

const changed = { changedElsewhere: true } as const;

test.each<[string, Partial<EnvironmentResult>, Partial<SyncReport>]>([
  [
    'Drift: A changed outside this action',
    { variables: [variableResult('A', 'replaced', changed)] },
    {},
  ],
  [
    'Drift: A, B, C and 1 more changed outside this action',
    { variables: ['A', 'B', 'C', 'D'].map((name) => variableResult(name, 'replaced', changed)) },
    {},
  ],
  [
    'Drift: A changed outside this action · 1 to add, 1 to change',
    { variables: [variableResult('A', 'replaced', changed), variableResult('B', 'created')] },
    {},
  ],
  [
    'Drift of variables: 1 to add',
    { variables: [variableResult('B', 'created')] },
    { drifted: true },
  ],
  ['Variables: 1 to add', { variables: [variableResult('B', 'created')] }, {}],
])('the first line of a plan is: %s', (title, fields, more) => {
  const environment = environmentResult({ ...fields, isPlanned: true });
  expect(describeSync(report({ outcome: 'planned', environment, ...more }))).toBe(title);
});

describe('the summary', () => {
  test('of a sync has its facts, its digest and each variable', () => {
    const summary = decode(renderSync(report({ environment: created })));
    expect(summary).toMatch(/^## ✅ Variables: 1 changed\n\nTook 1.2s\n/);
    expect(summary).toContain(`- Project: <code>${projectId}</code>`);
    expect(summary).toContain('- Requests to the service: 2');
    expect(summary).toContain(`- Plan digest: <code>${digest}</code>`);
    expect(summary).toContain('| <code>A</code> | created: because |');
    expect(summary).toContain('- Preview runtime: all variables are in use.\n');
  });

  test('of a plan speaks of what would happen', () => {
    const environment = { ...created, isPlanned: true };
    const summary = renderSync(report({ outcome: 'planned', environment }));
    expect(decode(summary)).toMatch(/^## 📋 Variables: 1 to add\n/);
    expect(summary).toContain('```diff\n@@ variables @@\n+ A\n```');
  });

  test('of a failure says what went wrong, and shows no plan that was never made', () => {
    const summary = decode(
      renderSync(
        report({ outcome: 'failed', error: diagnose('SD9003', unsafeText('No permission.')) }),
      ),
    );
    expect(summary).toContain('\n\n> No permission. (SD9003)\n\n');
    expect(summary).not.toMatch(/Digest|\| Variable|undefined/);
  });

  test('of a failure counts what failed', () => {
    const variables = [variableResult('A', 'created'), variableResult('B', 'failed')];
    const environment = environmentResult({ variables });
    const summary = renderSync(report({ outcome: 'failed', environment }));
    expect(summary).toMatch(/^## ❌ Variables: 1 of 2 failed\n/);
  });

  test('lets no text from outside do anything', () => {
    const hostile = '</code>|<img src=x> # @octocat [a](https://a.example) `x` <!--';
    const environment = environmentResult({
      digest: hostile,
      variables: [variableResult(hostile, 'failed', { reason: unsafeText(hostile) })],
    });
    const summary = renderSync(
      report({ projectId: hostile, error: diagnose('SD9003', unsafeText(hostile)), environment }),
    );
    expect(summary).not.toMatch(/<img|<!--|\]\(|@octocat|https:|`x`/);
  });
});
