import { describe, expect, test } from 'vitest';
import { variableResult } from '../../test/support/report/builders.ts';
import { checkLines } from '../checks/result.ts';
import { sha } from '../contract/commit.ts';
import { domainLines } from '../domains/result.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { logEntries } from '../step/open-service.ts';
import type { Progress } from '../step/step.ts';
import { describeVariable, doneLines, planLines, variableLines } from '../variables/render.ts';
import type { VariableOutcome } from '../variables/result.ts';
import type { LogEntry } from './log-entry.ts';

const commit = sha('c'.repeat(40));

test.each<[string, Progress, LogEntry[]]>([
  [
    'the start with a commit',
    { type: 'started', projectId: 'p', commit },
    [{ kind: 'line', text: `Project p ← commit ${commit}` }],
  ],
  [
    "the start at the project's own head",
    { type: 'started', projectId: 'p', commit: 'HEAD' },
    [{ kind: 'line', text: "Project p ← its repository's HEAD" }],
  ],
  [
    'the start of what deploys nothing',
    { type: 'started', projectId: 'p' },
    [{ kind: 'line', text: 'Project p' }],
  ],
  [
    'a plan of one variable',
    {
      type: 'lines',
      entries: planLines({
        writes: 1,
        deletions: 0,
        unchanged: 0,
        left: 0,
        ambiguous: 0,
        undeclared: [],
      }),
    },
    [{ kind: 'group', text: 'Variables: 1 to write' }],
  ],
  [
    'a plan of several',
    {
      type: 'lines',
      entries: planLines({
        writes: 0,
        deletions: 4,
        unchanged: 2,
        left: 1,
        ambiguous: 2,
        undeclared: [unsafeText('A'), unsafeText('B'), unsafeText('C')],
      }),
    },
    [
      {
        kind: 'group',
        text: 'Variables: 4 to delete, 2 duplicate names, 1 changed since the last run, 2 unchanged, 3 only on the service, kept',
      },
    ],
  ],
  [
    'a plan that has nothing to do',
    {
      type: 'lines',
      entries: planLines({
        writes: 0,
        deletions: 0,
        unchanged: 2,
        left: 0,
        ambiguous: 0,
        undeclared: [unsafeText('A')],
      }),
    },
    [{ kind: 'line', text: 'Variables: 2 unchanged, 1 only on the service, kept' }],
  ],
  [
    'a plan of nothing at all',
    {
      type: 'lines',
      entries: planLines({
        writes: 0,
        deletions: 0,
        unchanged: 0,
        left: 0,
        ambiguous: 0,
        undeclared: [],
      }),
    },
    [],
  ],
  ['the end of nothing', { type: 'lines', entries: doneLines(0, true) }, []],
  [
    'the end of a plan, which takes no time',
    { type: 'lines', entries: doneLines(0, false) },
    [{ kind: 'group-end', text: '' }],
  ],
  [
    'a variable that did not change',
    { type: 'lines', entries: variableLines(variableResult('A', 'unchanged'), false) },
    [],
  ],
  [
    'a variable that was written',
    { type: 'lines', entries: variableLines(variableResult('A', 'created'), false) },
    [{ kind: 'line', text: '+ created     A: because' }],
  ],
  [
    'a variable that a plan would write',
    { type: 'lines', entries: variableLines(variableResult('A', 'created'), true) },
    [{ kind: 'line', text: '+ to create   A: because' }],
  ],
  [
    'a preview domain',
    {
      type: 'lines',
      entries: domainLines({
        hostname: unsafeText('a.example'),
        verification: 'pending',
        statuses: unsafeText('state pending'),
        elapsed: 1200,
      }),
    },
    [{ kind: 'line', text: 'Domain a.example is not verified yet (state pending) after 1.2s' }],
  ],
  [
    'a domain that is verified',
    {
      type: 'lines',
      entries: domainLines({
        hostname: unsafeText('a.example'),
        verification: 'good',
        statuses: unsafeText('state active'),
        elapsed: 0,
      }),
    },
    [{ kind: 'line', text: 'Domain a.example is verified' }],
  ],
  [
    'a domain that failed',
    {
      type: 'lines',
      entries: domainLines({
        hostname: unsafeText('a.example'),
        verification: 'bad',
        statuses: unsafeText('state failed'),
        elapsed: 0,
      }),
    },
    [{ kind: 'line', text: 'Domain a.example failed its verification (state failed)' }],
  ],
  [
    'a preview domain without a status',
    {
      type: 'lines',
      entries: domainLines({
        hostname: unsafeText('a.example'),
        verification: 'pending',
        statuses: unsafeText(''),
        elapsed: 0,
      }),
    },
    [{ kind: 'line', text: 'Domain a.example is not verified yet (no status reported)' }],
  ],
  [
    'the end of a sync that took no time worth telling',
    { type: 'lines', entries: doneLines(49, false) },
    [{ kind: 'group-end', text: '' }],
  ],
  [
    'the end of a sync',
    { type: 'lines', entries: doneLines(1234, false) },
    [
      { kind: 'line', text: 'done in 1.2s' },
      { kind: 'group-end', text: '' },
    ],
  ],
  [
    'an accepted deployment',
    { type: 'deployment-accepted', deploymentId: unsafeText('d') },
    [{ kind: 'line', text: 'Deployment d' }],
  ],
  [
    'a status',
    { type: 'status', status: unsafeText('building'), elapsed: 1234 },
    [{ kind: 'line', text: '   1.2s  building', status: 'building' }],
  ],
  [
    'a status with a message',
    {
      type: 'status',
      status: unsafeText('failed'),
      message: unsafeText('no space'),
      elapsed: 125_000,
    },
    [{ kind: 'line', text: '  2m 5s  failed: no space', status: 'failed' }],
  ],
  [
    'a heartbeat',
    { type: 'heartbeat', status: unsafeText('building'), elapsed: 30_000 },
    [{ kind: 'line', text: '    30s  still building', status: 'building' }],
  ],
  [
    "the build's log",
    { type: 'build-log', text: unsafeText('x') },
    [{ kind: 'build-log', text: 'x' }],
  ],
  [
    'a page',
    {
      type: 'lines',
      entries: checkLines(unsafeText('GET https://a.example'), unsafeText('answers 404'), 0),
    },
    [{ kind: 'line', text: 'Check GET https://a.example: answers 404' }],
  ],
  ['a note', { type: 'note', text: unsafeText('x') }, [{ kind: 'line', text: 'x' }]],
  [
    'a warning',
    { type: 'warning', diagnostic: diagnose('SD5003', unsafeText('x')) },
    [{ kind: 'warning', diagnostic: diagnose('SD5003', 'x') }],
  ],
])('%s', (_name, progress, entries) => {
  expect(logEntries(progress)).toEqual(entries);
});

describe('a line for a variable', () => {
  const done: VariableOutcome[] = ['created', 'replaced', 'retargeted', 'deleted', 'unchanged'];
  const undone: VariableOutcome[] = ['kept', 'conflict', 'failed', 'not-reached'];
  const lineOf = (outcome: VariableOutcome) => describeVariable(variableResult('NAME', outcome));

  test.each([...done, ...undone])('that was %s says name, outcome and why', (outcome) => {
    const word = outcome.replace('-', ' ');
    expect(lineOf(outcome)).toMatch(new RegExp(`^\\S ${word} +NAME: because$`));
  });

  test('begins with another mark if it needs a look', () => {
    const marks = (outcomes: readonly VariableOutcome[]) =>
      new Set(outcomes.map((outcome) => lineOf(outcome).charAt(0)));
    expect(marks(done).isDisjointFrom(marks(undone))).toBe(true);
  });

  test.each<[VariableOutcome, boolean, boolean, string]>([
    ['replaced', true, false, '~ replaced    A and retargeted: because'],
    ['replaced', false, false, '~ replaced    A: because'],
    ['retargeted', true, false, '~ retargeted  A: because'],
    ['replaced', true, true, '~ to replace  A and to retarget: because'],
    ['replaced', false, true, '~ to replace  A: because'],
    ['retargeted', true, true, '~ to retarget A: because'],
  ])('%s (targets changed: %s, of a plan: %s) is "%s"', (outcome, retargeted, isPlanned, line) => {
    expect(describeVariable(variableResult('A', outcome, { retargeted }), isPlanned)).toBe(line);
  });
});
