import { describe, expect, it, test } from 'vitest';
import { diagnose } from '../kernel/diagnostic.ts';
import { safe } from '../kernel/text/safe.ts';
import { listOutput, outputTexts, planOutput, type RunResult, resultJson } from './outputs.ts';

const result: RunResult = {
  action: 'deploy',
  outputs: {
    outcome: 'failed',
    url: undefined,
    'project-id': '',
    drift: false,
    requests: 0,
    checks: [{ check: '##[error]', held: undefined }],
  },
  error: diagnose('SD3401', safe`It failed`),
};

describe('a result', () => {
  it('is data, in which what has nothing to say is absent', () => {
    expect(JSON.parse(resultJson(result))).toStrictEqual({
      schema: 1,
      action: 'deploy',
      outcome: 'failed',
      drift: false,
      requests: 0,
      checks: [{ check: '##[error]' }],
      error: { code: 'SD3401', message: 'It failed.' },
    });
  });

  it('gives the texts of all outputs', () => {
    expect(outputTexts(result)).toStrictEqual({
      outcome: 'failed',
      url: '',
      'project-id': '',
      drift: 'false',
      requests: '0',
      checks: '[{"check":"\\u0023#[error]"}]',
      error: 'It failed. (SD3401)',
      'error-code': 'SD3401',
      result: resultJson(result),
    });
    const passed = outputTexts({ action: 'deploy', outputs: { outcome: 'succeeded' } });
    expect(passed).toMatchObject({ error: '', 'error-code': '' });
  });

  it('is cut to 256 kB as an output: of its fields, the longest are left out', () => {
    const outputs = {
      outcome: 'synced',
      plan: { digest: 'a', changes: [] },
      domains: listOutput(['b'.repeat(200_000)]),
      undeclared: listOutput(['c'.repeat(100_000)]),
      availability: listOutput(['é'.repeat(120_000)]),
    } as const;
    const long = { action: 'domains', outputs };
    const { domains, availability, ...others } = JSON.parse(resultJson(long));
    const text = outputTexts(long)['result'] ?? '';
    expect(JSON.parse(text)).toEqual({ ...others, omitted: ['availability', 'domains'] });
    const fitting = {
      ...long,
      outputs: { ...outputs, availability: undefined, domains: undefined },
    };
    expect(outputTexts(fitting)['result']).not.toContain('omitted');
    expect(domains).toEqual(outputs.domains);
    expect(availability).toEqual(outputs.availability);
  });
});

test('a plan has nothing where there was nothing before', () => {
  const plan = planOutput('a', [
    {
      type: 'domain',
      resource: 'connected-domain',
      name: safe`www.example.com`,
      action: 'assign',
      reason: safe``,
      project: { from: null, to: safe`p` },
      differences: [{ field: 'ttl', from: null, to: 60 }],
    },
  ]);
  const [change] = JSON.parse(JSON.stringify(plan)).changes;
  expect(change).toMatchObject({ project: { to: 'p' }, differences: [{ field: 'ttl', to: 60 }] });
  expect(JSON.stringify(change)).not.toContain('null');
});
