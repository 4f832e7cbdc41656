import { describe, expect, it } from 'vitest';
import {
  address,
  clean,
  connected,
  host,
  planOf,
  projectId,
  shownAs,
} from '../../test/support/domains/builders.ts';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import { type DomainsPlan, domainChanges } from './plan.ts';
import {
  type ChangeResult,
  type ConnectedReport,
  changeLines,
  countUnchanged,
  describeFaults,
  listRecord,
  plannedResults,
  reportConnected,
} from './result.ts';

const result = (name: string, outcome: ChangeResult['outcome']): ChangeResult => ({
  resource: 'dns-record',
  name: unsafeText(name),
  action: 'create',
  outcome,
  reason: unsafeText(`what happened to ${name}`),
  ...(outcome === 'failed' && {
    cause: diagnose('SD3001', unsafeText(`what happened to ${name}`)),
  }),
});

const domain = (
  hostname: string,
  verification: ConnectedReport['verification'],
  project: string = projectId,
): ConnectedReport => ({
  hostname: unsafeText(hostname),
  verification,
  projectId: unsafeText(project),
  state: unsafeText(''),
  statuses: [],
  records: [],
  errors: [],
});

const minute = 60_000;

/** The records of a plan that are left in place, or managed, as they are reported. */
const listed = ({ zones }: DomainsPlan, which: 'undeclared' | 'managed') =>
  zones.flatMap(({ domain, plan }) =>
    plan[which].map((record) => listRecord(domain, record, clean)),
  );

describe('what somebody has to know of a run', () => {
  it('is nothing where all is well', () => {
    const results = [result('a', 'done'), result('b', 'planned')];
    const all = { results, connected: [domain('a.example', 'good')] };
    expect(describeFaults(all, minute)).toEqual({ error: undefined, warnings: [] });
  });

  it('is what failed, with the first reason; not what was not reached because of it', () => {
    const results = [result('a', 'done'), result('b', 'failed'), result('c', 'not-reached')];
    expect(describeFaults({ results, connected: [] }, undefined)).toEqual({
      error: { code: 'SD3001', text: '1 of 3 writes failed: b. what happened to b.' },
      warnings: [],
    });
  });

  it('has the reason of the first that has one of its own', () => {
    const { cause: _, ...same } = result('a', 'failed');
    const results = [same, result('b', 'failed')];
    expect(describeFaults({ results, connected: [] }, undefined).error).toEqual({
      code: 'SD3001',
      text: '2 of 2 writes failed: a, b. what happened to b.',
    });
  });

  it('names ten of many', () => {
    const results = Array.from({ length: 12 }, (_, index) => result(`n${index}`, 'failed'));
    const { error } = describeFaults({ results, connected: [] }, undefined);
    expect(error?.text).toContain('12 of 12 writes failed: n0, n1, ');
    expect(error?.text).toContain('n9, 2 more. what happened to n0');
  });

  it('is each write that is unconfirmed, as a warning', () => {
    const results = [result('a', 'unconfirmed'), result('b', 'unconfirmed')];
    expect(describeFaults({ results, connected: [] }, undefined)).toEqual({
      error: undefined,
      warnings: [
        { code: 'SD6104', text: 'Could not confirm "create" for a: what happened to a.' },
        { code: 'SD6104', text: 'Could not confirm "create" for b: what happened to b.' },
      ],
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
      error: {
        code: 'SD6102',
        text: 'Verification failed for bad.example; see the summary.',
      },
      warnings: [
        {
          code: 'SD6103',
          text: 'Not verified after 1m: slow.example. The summary lists the DNS records to create.',
        },
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
    connections: [
      { hostname: host('www.example.com'), projectId },
      { hostname: host('gone.example.com') },
    ],
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
      plannedResults(plan, domainChanges(plan, clean)).map(({ name, action, outcome }) => [
        name,
        action,
        outcome,
      ]),
    ).toEqual([
      ['gone.example.com', 'connect', 'planned'],
      ['A new.example.com "203.0.113.10"', 'create', 'planned'],
      ['example.com', 'renewal off', 'planned'],
      ['example.com', 'bound to no project', 'planned'],
    ]);
    expect(plannedResults(plan, domainChanges(plan, clean)).at(-1)?.reason).toContain(
      "each time, because the service doesn't report it",
    );
  });

  it('has the whole reason of a record that the file does not name, and the differences of others', () => {
    const text = (name: string, content: string) => ({ type: 'TXT', name, content });
    const changed = planOf({
      registration: { records: [text('one', 'k=new'), { ...text('two', 'k=same'), ttl: 600 }] },
      records: [
        shownAs(text('one', 'k=old'), 'id-1'),
        shownAs({ ...text('two', 'k=same'), ttl: 300 }, 'id-2'),
      ],
    });
    const results = plannedResults(changed, domainChanges(changed, clean));
    expect(results.map(({ name, reason, isUnnamed }) => [name, reason, isUnnamed])).toEqual([
      [
        'TXT one',
        'replaces "k=old", which this file does not name; content: "k=old" → "k=new"',
        true,
      ],
      ['TXT two.example.com "k=same"', 'ttl: 300 → 600', undefined],
    ]);
  });

  it.each([
    ['+ to create', { resource: 'dns-record', action: 'create' }],
    ['+ to connect', { resource: 'connected-domain', action: 'connect' }],
    ['~ to update', { resource: 'dns-record', action: 'update' }],
    ['! to update', { resource: 'dns-record', action: 'update', isUnnamed: true }],
    ['- to unassign', { resource: 'connected-domain', action: 'clear' }],
    [
      '* to set      a: bound to project p (why)',
      { resource: 'registered-domain', action: safe`bound to project p` },
    ],
    [
      '* to set      a: bound to no project (why)',
      { resource: 'registered-domain', action: safe`bound to no project` },
    ],
  ] as const)('a plan is logged with the signs of the summary: %s', (line, change) => {
    const result = { ...change, name: safe`a`, outcome: 'planned', reason: safe`why` } as const;
    const [entry] = changeLines(result);
    expect(entry).toMatchObject({ kind: 'line', text: expect.stringContaining(line) });
  });

  it('lists what is left in place and what is managed, cleaned, and counts what stays', () => {
    expect(countUnchanged(plan)).toBe(2);
    expect(listed(plan, 'undeclared')).toMatchObject([
      { domain: 'example.com', type: 'TXT', name: 'left', content: '***', managed: '' },
    ]);
    expect(listed(plan, 'managed')).toMatchObject([
      { domain: 'example.com', type: 'NS', name: '@', content: 'ns.a', managed: '*** reason' },
      { domain: 'example.com', type: 'NS', name: '@', content: 'ns.b', managed: 'platform' },
    ]);
  });

  it('has a connected domain as it was last seen, under the name that was asked for', () => {
    const seen = connected('<evil>', { projectId: 'SECRET' });
    expect(reportConnected('www.example.com', seen, clean)).toMatchObject({
      hostname: 'www.example.com',
      projectId: '***',
      verification: 'pending',
      state: 'pending',
    });
  });

  it('has each record that is left in place whole, with its own fields', () => {
    const content = 'x'.repeat(3000);
    const record = { type: 'MX', name: '@', content, priority: 10, ttl: 60 };
    const one = planOf({
      registration: { records: [] },
      records: [shownAs(record, 'id-1', { comment: 'SECRET' })],
    });
    const [left] = listed(one, 'undeclared');
    expect(left?.whole).toEqual({
      ...record,
      id: 'id-1',
      managedBy: 'customer',
      comment: '***',
    });
    expect(left?.content.length).toBe(500);
  });

  it('judges the routing of no domain that is assigned to none', () => {
    const good = { state: 'active', ownershipStatus: 'verified', certificateStatus: 'issued' };
    const of = (fields: Partial<ConnectedDomain>) => {
      const domain = connected('www.example.com', {
        ...good,
        routingStatus: 'unassigned',
        ...fields,
      });
      return reportConnected('www.example.com', domain, clean);
    };
    expect(of({ projectId: null })).toMatchObject({
      verification: 'good',
      statuses: [
        { of: 'state', status: 'active' },
        { of: 'ownership', status: 'verified' },
        { of: 'certificate', status: 'issued' },
      ],
    });
    expect(of({ projectId })).toMatchObject({ verification: 'pending' });
  });

  it('has all DNS records to create, whole', () => {
    const instructions = Array.from({ length: 12 }, (_, index) => ({
      type: 'TXT',
      name: `n${index}.example.com`,
      value: `SECRET${'x'.repeat(2000)}`,
    }));
    const seen = connected('www.example.com', { instructions });
    const { records } = reportConnected('www.example.com', seen, clean);
    expect(records).toHaveLength(12);
    expect(records[0]?.value).toBe(`***${'x'.repeat(2000)}`);
  });
});
