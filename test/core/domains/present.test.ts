import { describe, expect, it } from 'vitest';
import {
  describeFaults,
  listZones,
  plannedResults,
  reportConnected,
} from '../../../src/core/domains/present.ts';
import type { ChangeResult, ConnectedReport } from '../../../src/core/report/domains-report.ts';
import { address, clean, connected, planOf, projectId, shownAs } from './builders.ts';

const result = (name: string, outcome: ChangeResult['outcome']): ChangeResult => ({
  resource: 'dns-record',
  name,
  action: 'create',
  outcome,
  reason: `because of ${name}`,
});

const domain = (
  hostname: string,
  verification: ConnectedReport['verification'],
  project = projectId,
): ConnectedReport => ({
  hostname,
  verification,
  projectId: project,
  state: '',
  statuses: '',
  records: [],
  errors: [],
});

const minute = 60_000;

describe('what somebody has to know of a run', () => {
  it('is nothing where all is well', () => {
    const results = [result('a', 'done'), result('b', 'planned')];
    const all = { results, connected: [domain('a.example', 'good')] };
    expect(describeFaults(all, minute)).toEqual({ error: undefined, warnings: [] });
  });

  it('is what failed, with the first reason; not what was not reached because of it', () => {
    const results = [result('a', 'done'), result('b', 'failed'), result('c', 'not-reached')];
    expect(describeFaults({ results, connected: [] }, undefined)).toEqual({
      error: '1 of 3 changes failed: b. because of b',
      warnings: [],
    });
  });

  it('names ten of many', () => {
    const results = Array.from({ length: 12 }, (_, index) => result(`n${index}`, 'failed'));
    const { error } = describeFaults({ results, connected: [] }, undefined);
    expect(error).toContain('12 of 12 changes failed: n0, n1, ');
    expect(error).toContain('n9, 2 more. because of n0');
  });

  it('is each write that is unconfirmed, as a warning', () => {
    const results = [result('a', 'unconfirmed'), result('b', 'unconfirmed')];
    expect(describeFaults({ results, connected: [] }, undefined)).toEqual({
      error: undefined,
      warnings: ['a, create: because of a.', 'b, create: because of b.'],
    });
  });

  const pair = [
    domain('bad.example', 'bad'),
    domain('slow.example', 'pending'),
    domain('free.example', 'pending', ''),
    domain('free-bad.example', 'bad', ''),
  ];

  it('is a verification that failed or is pending, of an assigned domain that was followed', () => {
    expect(describeFaults({ results: [], connected: pair }, minute)).toEqual({
      error: 'The verification of bad.example failed: see the summary.',
      warnings: [
        'Not verified after 1m 0s: slow.example. The summary lists the DNS records to make.',
      ],
    });
  });

  it('is no verification where none was followed', () => {
    const none = { error: undefined, warnings: [] };
    expect(describeFaults({ results: [], connected: pair }, undefined)).toEqual(none);
  });
});

describe('a plan as a report has it', () => {
  const managed = { managedBy: 'system', managedReason: 'SECRET reason' };
  const plan = planOf({
    connections: [{ hostname: 'www.example.com', projectId }, { hostname: 'gone.example.com' }],
    connected: [connected('www.example.com', { projectId })],
    registration: { renewal: false, projectId: null, records: [address('new'), address('same')] },
    records: [
      shownAs(address('same'), 'id-1'),
      shownAs({ type: 'TXT', name: 'left', content: 'SECRET' }, 'id-2'),
      shownAs({ type: 'NS', name: '@', content: 'ns.a' }, 'id-3', managed),
      shownAs({ type: 'NS', name: '@', content: 'ns.b' }, 'id-4', { managedBy: 'platform' }),
    ],
  });

  it('has the changes, and the settings, which count as none', () => {
    expect(
      plannedResults(plan).map(({ name, action, outcome }) => [name, action, outcome]),
    ).toEqual([
      ['gone.example.com', 'connect', 'planned'],
      ['A new.example.com "203.0.113.10"', 'create', 'planned'],
      ['example.com', 'renewal off', 'planned'],
      ['example.com', 'bound to no project', 'planned'],
    ]);
    expect(plannedResults(plan).at(-1)?.reason).toContain('counts as no change');
  });

  it('lists what is left in place and what is managed, cleaned, and counts what stays', () => {
    expect(listZones(plan, clean)).toEqual({
      unchanged: 2,
      undeclared: [
        { domain: 'example.com', type: 'TXT', name: 'left', content: '***', managed: '' },
      ],
      managed: [
        { domain: 'example.com', type: 'NS', name: '@', content: 'ns.a', managed: '*** reason' },
        { domain: 'example.com', type: 'NS', name: '@', content: 'ns.b', managed: 'platform' },
      ],
    });
  });

  it('has each declared connected domain as it was last seen, under the name that was asked for', () => {
    const seen = new Map([['www.example.com', connected('<evil>', { projectId: 'SECRET' })]]);
    expect(reportConnected(plan, seen, clean)).toMatchObject([
      { hostname: 'www.example.com', projectId: '***', verification: 'pending', state: 'pending' },
    ]);
  });
});
