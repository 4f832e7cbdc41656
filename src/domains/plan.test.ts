import { describe, expect, it } from 'vitest';
import {
  address,
  clean,
  connected,
  host,
  otherId,
  planOf,
  projectId,
  type Situation,
  shownAs,
} from '../../test/support/domains/builders.ts';
import {
  countChangedDomains,
  describeSetting,
  domainChanges,
  domainsDigest,
  planDomains,
  planProblems,
} from './plan.ts';

const connections = [{ hostname: host('www.example.com'), projectId }];
const old = shownAs(address('www', '192.0.2.1'), 'id-1');

/** A domain to assign, a record to create, one to update, one that is right, and two settings. */
const base: Situation = {
  connections,
  connected: [connected('www.example.com', { projectId: otherId })],
  registration: {
    renewal: true,
    projectId,
    records: [address('www'), address('new'), address('same')],
  },
  records: [old, shownAs(address('same'), 'id-2'), shownAs(address('left'), 'id-3')],
};

const digest = (situation: Situation) => domainsDigest(planOf(situation));

const withRegistration = (fields: Situation['registration']): Situation => ({
  ...base,
  registration: { ...base.registration, ...fields },
});

describe('the changes of a plan', () => {
  it('are unnamed replacements, connected domains, then records; neither settings nor what stays', () => {
    expect(domainChanges(planOf(base), clean).map(({ name, action }) => [name, action])).toEqual([
      ['A www.example.com "203.0.113.10"', 'update'],
      ['www.example.com', 'assign'],
      ['A new.example.com "203.0.113.10"', 'create'],
    ]);
    expect(planOf(base).settings.map(describeSetting)).toEqual([
      'renewal on',
      `bound to project ${projectId}`,
    ]);
  });

  it('hold nothing of the service that is secret', () => {
    const records = [shownAs({ type: 'TXT', name: '@', content: 'k=SECRET' }, 'id-1')];
    const plan = planOf({
      registration: { records: [{ type: 'TXT', name: '@', content: 'k=new' }] },
      records,
    });
    expect(domainChanges(plan, clean)).toMatchObject([
      { reason: 'replaces "k=***", which this file does not name; content: "k=***" → "k=new"' },
    ]);
  });

  it('hold nothing of the file that is secret: neither whole, nor cut', () => {
    const long = `${'x'.repeat(76)}SECRET`;
    const plan = planOf({
      registration: {
        records: [
          { type: 'TXT', name: '@', content: long },
          { type: 'TXT', name: 'new', content: 'SECRET' },
        ],
      },
      records: [shownAs({ type: 'TXT', name: '@', content: 'SECRET' }, 'id-1')],
    });
    expect(JSON.stringify(domainChanges(plan, clean))).not.toContain('SEC');
    expect(domainChanges(plan, clean).map(({ name }) => name)).toEqual([
      `TXT example.com "${'x'.repeat(76)}***"`,
      'TXT new.example.com "***"',
    ]);
  });

  it('name the zone of a record whose full name another zone could hold', () => {
    const registrations = [
      { name: host('example.com'), records: [address('a.sub'), address('www')] },
      { name: host('sub.example.com'), records: [address('a')] },
    ];
    const plan = planDomains(
      { connections: [], registrations },
      { connected: [], records: new Map() },
      clean,
    );
    expect(domainChanges(plan, clean).map(({ name }) => name)).toEqual([
      'A a.sub.example.com "203.0.113.10" in the zone example.com',
      'A www.example.com "203.0.113.10"',
      'A a.sub.example.com "203.0.113.10" in the zone sub.example.com',
    ]);
    expect(countChangedDomains(plan)).toBe(3);
  });

  it.each([
    ['tag', { type: 'CAA', name: '@', content: 'ca.example', tag: 'issue' }, 'issue "ca.example"'],
    ['port', { type: 'SRV', name: '@', content: 'a.example', port: 443 }, '443 "a.example"'],
    ['neither', { type: 'TXT', name: '@', content: 'a' }, '"a"'],
  ])('name each record by what tells it from others: %s', (_, record, says) => {
    const [plan] = planOf({ registration: { records: [record] } }).zones[0]?.plan.records ?? [];
    expect(plan?.title).toBe(`${record.type} example.com ${says}`);
  });
});

const different: readonly (readonly [string, Situation])[] = [
  ['another hostname', { ...base, connections: [{ hostname: host('x.example.com'), projectId }] }],
  [
    'another project',
    { ...base, connections: [{ hostname: host('www.example.com'), projectId: null }] },
  ],
  [
    'another project that it is taken from',
    { ...base, connected: [connected('www.example.com', { projectId: 'elsewhere' })] },
  ],
  ['a domain that is not connected any more', { ...base, connected: [] }],
  ['renewal', withRegistration({ renewal: false })],
  ['binding', withRegistration({ projectId: null })],
  ['the content of a record', withRegistration({ records: [address('www', '203.0.113.99')] })],
  ['a field of a record', withRegistration({ records: [{ ...address('www'), ttl: 60 }] })],
  ['what an update replaces', { ...base, records: [{ ...old, content: '192.0.2.2' }] }],
  ['the record that is updated', { ...base, records: [{ ...old, id: 'id-9' }] }],
];

const two = [...connections, { hostname: host('a.example.com'), projectId }];
const candidates = [old, shownAs(address('www', '192.0.2.9'), 'id-9')];

/** Pairs of situations whose plans do the same. */
const alike: readonly (readonly [string, Situation, Situation])[] = [
  [
    'the order of connected domains in the file',
    { connections: two },
    { connections: two.toReversed() },
  ],
  [
    'how no project is shown',
    { connections, connected: [connected('www.example.com', { projectId: null })] },
    { connections, connected: [connected('www.example.com', { projectId: '' })] },
  ],
  [
    'the order in which the service shows records that may be updated',
    { registration: { records: [address('www')] }, records: candidates },
    { registration: { records: [address('www')] }, records: candidates.toReversed() },
  ],
];

const equal: readonly (readonly [string, Situation])[] = [
  ['the order of the service', { ...base, records: [...(base.records ?? [])].reverse() }],
  [
    'the spelling of the service',
    {
      ...base,
      records: (base.records ?? []).map((one) => ({ ...one, name: `${one.name}.EXAMPLE.com.` })),
    },
  ],
  ['records that are left in place', { ...base, records: (base.records ?? []).slice(0, 2) }],
  [
    'domains that are not declared',
    { ...base, connected: [...(base.connected ?? []), connected('other.example.com')] },
  ],
  [
    'how far a verification is',
    { ...base, connected: [connected('www.example.com', { projectId: otherId, state: 'active' })] },
  ],
  [
    'a record that is as declared already',
    withRegistration({ records: [address('www'), address('new')] }),
  ],
];

describe('the digest of a plan', () => {
  it.each(different)('changes with %s', (_, situation) => {
    expect(digest(situation)).not.toBe(digest(base));
  });

  it.each(equal)('does not change with %s', (_, situation) => {
    expect(digest(situation)).toBe(digest(base));
  });

  it.each(alike)('does not depend on %s', (_, one, other) => {
    expect(digest(one)).toBe(digest(other));
  });

  it('differs where what an update replaces differs beyond what is shown', () => {
    const of = (end: string) =>
      digest({ ...base, records: [{ ...old, content: `${'x'.repeat(100)}${end}` }] });
    expect(of('1')).not.toBe(of('2'));
  });

  it('rests on no key', () => {
    expect(digest(base)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('what cannot be applied', () => {
  it('is told in sentences, one for each record', () => {
    const managed = { managedBy: 'system', managedReason: 'Delegates it.' };
    const plan = planOf({
      registration: {
        records: [
          { type: 'NS', name: '@', content: 'ns.other.example' },
          { type: 'CNAME', name: 'www', content: 'a.example' },
          address('fine'),
        ],
      },
      records: [shownAs({ type: 'NS', name: '@', content: 'ns.a' }, 'id-0', managed), old],
    });
    expect(planProblems(plan)).toEqual([
      expect.stringContaining('NS example.com: the service manages the record "ns.a"'),
      expect.stringContaining('CNAME www.example.com: the service has A "192.0.2.1" at this name'),
    ]);
  });
});
