import { describe, expect, test } from 'vitest';
import type { Sha } from '../../../src/contract/commit.ts';
import type { DeployReport } from '../../../src/core/report/report.ts';
import { renderSummary } from '../../../src/core/report/summary.ts';
import { trusted } from '../../../src/core/text/safe.ts';
import { deployReport, environmentResult, variableResult } from './builders.ts';
import { decode } from './decode.ts';

const render = (fields: Partial<DeployReport> = {}) => renderSummary(deployReport(fields));

describe('a summary', () => {
  test('tells the facts of a run', () => {
    const summary = decode(
      render({
        deployment: { id: trusted('d_1'), status: trusted('is|ready') },
        confirmedBy: 'stream',
      }),
    );
    expect(summary).toMatch(/^## ✅ Deployed\n/);
    expect(summary).toContain('| Project | <code>11111111-1111-4111-8111-111111111111</code> |');
    expect(summary).toContain(`| Commit | <code>${'a'.repeat(40)}</code> |`);
    expect(summary).toContain('| Deployment | <code>d_1</code> |');
    expect(summary).toContain("<code>is|ready</code>, seen on the deployment's event stream |");
    expect(summary).toContain('| Time | 12.3s, 3 requests |');
  });

  test.each<[string, Partial<DeployReport>, string]>([
    ["the project's own head", { commit: 'HEAD' }, '| HEAD of its repository |'],
    ['why it was skipped', { outcome: 'skipped', skippedReason: 'fork' }, '<code>fork</code>'],
    ['what went wrong', { outcome: 'failed', error: trusted('No space.') }, '> No space.'],
    [
      'how the environment ended',
      { environment: environmentResult({ variables: [variableResult('A', 'created')] }) },
      '| Environment | 1 created |',
    ],
    [
      'what a clean-up did',
      { outcome: 'cleaned-up', actions: [trusted('a.example is unassigned')] },
      '- a.example is unassigned',
    ],
  ])('says %s', (_name, fields, words) => {
    expect(decode(render(fields))).toContain(words);
  });

  test('draws the phases of a run', () => {
    const summary = render({
      phases: [
        { name: 'environment', start: 0.4, end: 1500.2 },
        { name: 'deployment', start: 1500.2, end: 1500.3 },
      ],
    });
    const chart = /```mermaid\n(.*?)\n```/s.exec(summary)?.[1];
    expect(chart).toMatch(/^gantt\n {2}dateFormat HH:mm:ss.SSS\n/);
    expect(chart).toMatch(/\n {2}Sync environment \(1.5s\) :00:00:00.000, 1500ms\n/);
    expect(chart).toMatch(/\n {2}Deploy \(0.0s\) :00:00:01.500, 1ms$/);
  });

  test.each([
    ['seconds', 10_000, '1second'],
    ['a minute', 60_000, '5second'],
    ['minutes', 300_000, '1minute'],
    ['an hour', 3_600_000, '5minute'],
    ['a day', 86_400_000, '60minute'],
  ])('draws a readable axis for %s', (_name, end, interval) => {
    const summary = render({ phases: [{ name: 'deployment', start: 0, end }] });
    expect(summary).toContain(`\n  tickInterval ${interval}\n`);
  });

  test('leaves out what there is nothing to say about', () => {
    const summary = render();
    for (const words of ['###', 'mermaid', 'undefined', '| Deployment |', '\n- ', '| Preview |']) {
      expect(summary).not.toContain(words);
    }
  });

  test('lets no text from outside do anything', () => {
    const hostile = '</code>|<img src=x>\n# @octocat #12 ![a](https://a.example) `x` <!--';
    const summary = render({
      skippedReason: hostile,
      projectId: hostile,
      commit: hostile as Sha,
      deployment: { id: trusted(hostile), status: trusted(hostile) },
      error: trusted(hostile),
      environment: environmentResult({
        variables: [variableResult(hostile, 'failed', { reason: trusted(hostile) })],
        ambiguous: [{ name: trusted(hostile), reason: trusted(hostile) }],
        undeclared: [trusted(hostile)],
      }),
    });
    expect(summary).not.toMatch(/<img|<!--|!\[|@octocat|[^&]#12|https:|`x`|\n# /);
    const rows = summary.split('\n').filter((line) => line.startsWith('| '));
    for (const row of rows) expect([4, 5]).toContain(row.split('|').length);
  });
});
