import { expect, test } from 'vitest';
import {
  deployReport,
  environmentResult,
  variableResult,
} from '../../../test/support/report/builders.ts';
import { unsafeText } from '../../kernel/text/safe.ts';
import type { DeployReport, Phase } from './report.ts';
import { renderTimeline } from './timeline.ts';

const render = (phases: readonly Phase[], fields: Partial<DeployReport> = {}) =>
  renderTimeline(deployReport({ phases, ...fields })).join('\n\n');

const phase = (name: Phase['name'], start: number, end: number): Phase => ({ name, start, end });

/** What became of a check. */
const check = (passed: boolean | null) => ({
  what: unsafeText('GET https://a.example/'),
  expected: unsafeText('200 to 299'),
  actual: unsafeText('answered 200'),
  passed,
});

test('the parts of a run, in the order of their begin', () => {
  const phases = [
    phase('deployment', 1500.2, 9000),
    phase('environment', 0.4, 1500.2),
    phase('domain', 1500.3, 8000),
  ];
  const environment = environmentResult({ variables: [variableResult('A', 'created')] });
  const markdown = render(phases, { environment, release: { stage: 'succeeded' } });
  const chart = /^### Timeline\n\n```mermaid\n(.*?)\n```$/s.exec(markdown)?.[1];
  expect(chart?.split('\n')).toEqual([
    'gantt',
    '  dateFormat HH:mm:ss.SSS',
    '  axisFormat %M:%S',
    '  tickInterval 1second',
    '  Sync the variables (1.5s) :done, 00:00:00.000, 1500ms',
    '  Deploy (7.5s) :done, 00:00:01.500, 7500ms',
    '  Verify the domain (cut off, 6.5s) :00:00:01.500, 6500ms',
  ]);
});

test.each<[string, Phase['name'], Partial<DeployReport>, string]>([
  [
    'a conflict',
    'environment',
    { environment: environmentResult({ variables: [variableResult('A', 'conflict')] }) },
    'Sync the variables (failed, 9s) :crit',
  ],
  ['variables that were cut off', 'environment', {}, 'Sync the variables (cut off, 9s) :'],
  ['a push that failed', 'push', {}, 'Push the commit (failed, 9s) :crit'],
  ['a push that was not needed', 'push', { pushed: false }, 'Push the commit (9s) :done'],
  [
    'a deployment that failed',
    'deployment',
    { release: { stage: 'failed' } },
    'Deploy (failed, 9s) :crit',
  ],
  ['a deployment whose end nobody saw', 'deployment', {}, 'Deploy (cut off, 9s) :'],
  [
    'a page that passed',
    'verification',
    { checks: [check(true), check(null)] },
    'Check the site (9s) :done',
  ],
  [
    'a page that failed',
    'verification',
    { checks: [check(true), check(false)] },
    'Check the site (failed, 9s) :crit',
  ],
  [
    'a page that was not looked at to its end',
    'verification',
    { checks: [check(null)] },
    'Check the site (cut off, 9s) :',
  ],
])('%s says in colour and in words how it ended', (_name, name, fields, bar) => {
  const other = name === 'push' ? 'deployment' : 'push';
  const phases = [phase(name, 0, 9000), phase(other, 0, 100)];
  expect(render(phases, fields)).toContain(`  ${bar}, 00:00:00.000, 9000ms`.replace(':, ', ':'));
});

test.each<[string, Phase[]]>([
  ['no part', []],
  ['one part', [phase('deployment', 0, 60_000)]],
  ['one part beside nothing', [phase('environment', 0, 49), phase('deployment', 0, 60_000)]],
  ['some seconds', [phase('environment', 0, 100), phase('deployment', 100, 5000)]],
  [
    'a day, which the axis cannot show',
    [phase('environment', 0, 100), phase('deployment', 100, 86_400_000)],
  ],
])('there is no chart of %s', (_name, phases) => {
  expect(render(phases)).toBe('');
});

test.each([
  ['seconds', 10_000, '%M:%S', '1second'],
  ['a minute', 60_000, '%M:%S', '5second'],
  ['minutes', 300_000, '%M:%S', '1minute'],
  ['an hour', 3_600_000, '%H:%M:%S', '5minute'],
  ['hours', 12 * 3_600_000, '%H:%M:%S', '60minute'],
  ['many hours', 23 * 3_600_000, '%H:%M:%S', '120minute'],
])('the axis of %s says the time wholly', (_name, end, format, interval) => {
  const markdown = render([phase('environment', 0, 100), phase('deployment', 0, end)]);
  expect(markdown).toContain(`\n  axisFormat ${format}\n  tickInterval ${interval}\n`);
});
