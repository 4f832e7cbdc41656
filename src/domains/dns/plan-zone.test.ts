import { describe, expect, test } from 'vitest';
import {
  declaredRecord,
  domain,
  managedRecord,
  observedRecord,
} from '../../../test/support/dns/builders.ts';
import { writeDnsRecord } from '../../contract/dns-record.ts';
import type { DeclaredRecord } from './content.ts';
import { planZone } from './plan-zone.ts';

const txt = (content: string) => declaredRecord({ type: 'TXT', content });
const shownTxt = (id: string, content: string) => observedRecord({ id, type: 'TXT', content });

/** Who is matched with whom: the declared content, the action, and the observed id. */
const pairs = (plan: ReturnType<typeof planZone>) =>
  plan.records.map((one) => [
    one.declared.content,
    one.action,
    one.action === 'create' ? undefined : one.observed.id,
  ]);

describe('records are matched', () => {
  test('by content, not by order', () => {
    const declared = [txt('a'), txt('b'), txt('c')];
    const observed = [shownTxt('1', 'x'), shownTxt('2', '"c"'), shownTxt('3', '"a"')];
    expect(pairs(planZone(domain, declared, observed))).toEqual([
      ['a', 'none', '3'],
      ['b', 'create', undefined],
      ['c', 'none', '2'],
    ]);
  });

  test('by content where a setting differs', () => {
    const mx = (content: string, priority: number) => ({
      type: 'MX',
      name: '@',
      content,
      priority,
    });
    const declared = [mx('new.example.com', 10), mx('b.example.com', 20)];
    const observed = [
      observedRecord({ id: '1', ...mx('b.example.com.', 10) }),
      observedRecord({ id: '2', ...mx('a.example.com.', 20) }),
    ];
    expect(pairs(planZone(domain, declared, observed))).toEqual([
      ['new.example.com', 'create', undefined],
      ['b.example.com', 'update', '1'],
    ]);
  });

  test('then by the tag of a text, and the rest is created', () => {
    const declared = [txt('v=spf1 -all'), txt('b'), txt('key=c')];
    const observed = [shownTxt('1', 'v=spf1 ~all'), shownTxt('2', 'b2'), shownTxt('3', 'other=c')];
    const plan = planZone(domain, declared, observed);
    expect(pairs(plan)).toEqual([
      ['v=spf1 -all', 'update', '1'],
      ['b', 'create', undefined],
      ['key=c', 'create', undefined],
    ]);
    expect(plan.undeclared.map(({ id }) => id)).toEqual(['2', '3']);
  });

  test('by what replaces names before the only one', () => {
    const declared = [{ ...declaredRecord(), replaces: '198.51.100.2' }];
    const observed = [
      observedRecord({ id: '1', content: '198.51.100.1' }),
      observedRecord({ id: '2', content: '198.51.100.2' }),
    ];
    expect(planZone(domain, declared, observed).records).toMatchObject([
      { action: 'update', id: '2', isUnnamed: false, body: declaredRecord() },
    ]);
  });

  test('and what is left of the customer’s is left in place', () => {
    const observed = [shownTxt('1', 'x'), shownTxt('2', 'a'), shownTxt('3', 'y')];
    const plan = planZone(domain, [txt('a')], observed);
    expect(pairs(plan)).toEqual([['a', 'none', '2']]);
    expect(plan.undeclared.map(({ id }) => id)).toEqual(['1', '3']);
  });

  test('and sorted by name, type and place in the file', () => {
    const declared = [
      txt('b'),
      declaredRecord({ name: 'www' }),
      txt('a'),
      declaredRecord({ name: 'API' }),
      declaredRecord(),
    ];
    const { records } = planZone(domain, declared, []);
    expect(records.map(({ name, type, index }) => `${name} ${type} ${index}`)).toEqual([
      'api.example.com A 3',
      'example.com A 4',
      'example.com TXT 0',
      'example.com TXT 2',
      'www.example.com A 1',
    ]);
  });

  test('and one without an id cannot be updated', () => {
    const plan = planZone(
      domain,
      [txt('a=1')],
      [observedRecord({ type: 'TXT', content: 'a=2', id: null })],
    );
    expect(plan.records).toEqual([]);
    expect(plan.problems).toMatchObject([{ index: 0 }]);
    expect(plan.problems[0]?.message).toContain('TXT example.com: the service reports no id');
  });
});

describe('a write sends', () => {
  test.each<[string, DeclaredRecord, object]>([
    ['what was given', declaredRecord(), { type: 'A', name: '@', content: '203.0.113.10' }],
    [
      'each field that was given',
      { type: 'MX', name: 'a', content: 'm.example.net', priority: 0, comment: '', proxied: false },
      { type: 'MX', name: 'a', content: 'm.example.net', priority: 0, comment: '', proxied: false },
    ],
    [
      'the user’s spelling',
      { type: 'AAAA', name: 'WWW.example.com.', content: '2001:DB8::0001' },
      { type: 'AAAA', name: 'WWW.example.com.', content: '2001:DB8::0001' },
    ],
    [
      'the type in upper case and @ for no name',
      { type: 'txt ', name: ' ', content: 'a\n' },
      { type: 'TXT', name: '@', content: 'a' },
    ],
    [
      'names in punycode',
      { type: 'MX', name: 'Bücher', content: '10 mail.bücher.example.' },
      { type: 'MX', name: 'xn--bcher-kva', content: '10 mail.xn--bcher-kva.example.' },
    ],
    [
      'one space between the words of a zone file',
      { type: 'MX', name: '@', content: '10\tmail.example.com' },
      { type: 'MX', name: '@', content: '10 mail.example.com' },
    ],
    [
      'one space between the four words of a service',
      { type: 'SRV', name: '_sip._tcp', content: '10 \t60  5060\tsip.example.com' },
      { type: 'SRV', name: '_sip._tcp', content: '10 60 5060 sip.example.com' },
    ],
    [
      'white space in quotes as it is',
      { type: 'CAA', name: '@', content: '0  issue\t"ca.example;  account=1"' },
      { type: 'CAA', name: '@', content: '0 issue "ca.example;  account=1"' },
    ],
    [
      'texts in any script',
      { type: 'TXT', name: '@', content: 'grün. ü' },
      { type: 'TXT', name: '@', content: 'grün. ü' },
    ],
  ])('%s', (_name, declared, body) => {
    const [one] = planZone(domain, [declared], []).records;
    expect(one).toMatchObject({ action: 'create' });
    if (one?.action !== 'create') return;
    expect(one.body).toStrictEqual(body);
    expect(writeDnsRecord.parse({ record: one.body }).record).toStrictEqual(body);
  });

  test('the whole record in an update', () => {
    const declared = declaredRecord({ ttl: 60, comment: 'web' });
    const [one] = planZone(domain, [declared], [observedRecord({ comment: 'web' })]).records;
    expect(one).toMatchObject({ action: 'update', id: 'id-1', body: { ...declared } });
  });
});

describe('a record of the system', () => {
  test.each<[string | null | undefined, 'update' | 'create']>([
    ['customer', 'update'],
    ['Customer', 'update'],
    [null, 'update'],
    [undefined, 'update'],
    ['', 'update'],
    ['system', 'create'],
    ['customer-success', 'create'],
  ])('is known by managedBy: %j', (managedBy, action) => {
    const observed = observedRecord({ managedBy, content: '198.51.100.1' });
    const plan = planZone(domain, [declaredRecord()], [observed]);
    expect(plan.records).toMatchObject([{ action }]);
    expect(plan.managed).toEqual(action === 'create' ? [observed] : []);
    expect(plan.undeclared).toEqual([]);
  });

  test('is nothing to do if it is as declared', () => {
    const plan = planZone(domain, [declaredRecord({ name: domain })], [managedRecord()]);
    expect(plan.records).toMatchObject([
      { action: 'none', reason: 'unchanged, managed by the service' },
    ]);
    expect(plan.managed).toEqual([managedRecord()]);
    expect(plan.problems).toEqual([]);
  });

  test('gives way to the customer’s that is as declared', () => {
    const plan = planZone(domain, [declaredRecord()], [managedRecord(), observedRecord()]);
    expect(pairs(plan)).toEqual([['203.0.113.10', 'none', 'id-1']]);
    expect(plan.undeclared).toEqual([]);
  });

  const cname = (content: string) => ({ type: 'CNAME', name: 'www', content });
  const ns = (name: string, content: string) => ({ type: 'NS', name, content });

  test('is not replaced, though replaces names it', () => {
    const declared = [declaredRecord({ name: domain, replaces: '198.51.100.1' })];
    const plan = planZone(domain, declared, [managedRecord({ content: '198.51.100.1' })]);
    expect(plan.records).toEqual([]);
    expect(plan.problems).toMatchObject([
      { message: expect.stringContaining('the service manages the record "198.51.100.1"') },
    ]);
  });

  test.each<[string, DeclaredRecord, DeclaredRecord]>([
    ['with another TTL', declaredRecord(), declaredRecord({ ttl: 60 })],
    ['with a comment', declaredRecord(), declaredRecord({ comment: 'mine' })],
    ['a CNAME', cname('a.example.net'), cname('b.example.net')],
    ['the domain’s NS', ns('@', 'a.example.net'), ns('@', 'b.example.net')],
    [
      'SOA',
      { type: 'SOA', name: '@', content: 'a. b. 1 2 3 4 5' },
      { type: 'SOA', name: '@', content: 'a. b. 9 2 3 4 5' },
    ],
    [
      'with another priority',
      { type: 'MX', name: '@', content: 'm.example.net', priority: 10 },
      { type: 'MX', name: '@', content: 'm.example.net', priority: 20 },
    ],
    ['a CNAME, for an address', cname('a.example.net'), declaredRecord({ name: 'www' })],
    ['an address, for a CNAME', declaredRecord({ name: 'www' }), cname('a.example.net')],
  ])('is never written: %s', (_name, managed, declared) => {
    const observed = [managedRecord(managed), observedRecord({ name: 'other' })];
    const plan = planZone(domain, [declared], observed);
    expect(plan.records).toEqual([]);
    expect(plan.managed).toEqual([managedRecord(managed)]);
    expect(plan.problems).toMatchObject([{ index: 0 }]);
    expect(plan.problems[0]?.message).toContain(`${declared.type} `);
    expect(plan.problems[0]?.message).toContain(managed.content);
    expect(plan.problems[0]?.message).toMatch(/service manages/);
  });

  test('is named with its reason, cleaned', () => {
    const observed = managedRecord({ ...cname('a.b'), managedReason: 'Bound\r\n\u001b[31m site' });
    const [problem] = planZone(domain, [declaredRecord(cname('c.d'))], [observed]).problems;
    expect(problem?.message).toContain('CNAME www.example.com: the service manages');
    expect(problem?.message).toContain('("Bound site")');
  });

  test.each<[string, DeclaredRecord, DeclaredRecord]>([
    ['an address', declaredRecord({ content: '198.51.100.1' }), declaredRecord()],
    ['a text', txt('a'), txt('b')],
    ['NS below the domain', ns('sub', 'a.example.net'), ns('sub', 'b.example.net')],
    [
      'another tag of one CA',
      { type: 'CAA', name: '@', content: 'ca.example', tag: 'issue' },
      { type: 'CAA', name: '@', content: 'ca.example', tag: 'issuewild' },
    ],
    ['a text beside the apex’s CNAME', { ...cname('a.example.net'), name: '@' }, txt('a')],
  ])('has the file’s created beside it: %s', (_name, managed, declared) => {
    const plan = planZone(domain, [declared], [managedRecord(managed)]);
    expect(plan.records).toMatchObject([{ action: 'create' }]);
    expect(plan.problems).toEqual([]);
  });

  test('does not keep the customer’s from being updated', () => {
    const observed = [
      managedRecord({ content: '198.51.100.1' }),
      observedRecord({ content: '198.51.100.2' }),
    ];
    const plan = planZone(domain, [declaredRecord()], observed);
    expect(pairs(plan)).toEqual([['203.0.113.10', 'update', 'id-1']]);
  });
});

describe('a CNAME of the service that the file does not declare', () => {
  test('keeps another record of its name from being made, and the other way round', () => {
    const cname = { type: 'CNAME', name: 'www', content: 'a.example.net' };
    const address = declaredRecord({ name: 'www' });
    for (const [declared, observed] of [
      [address, cname],
      [cname, address],
    ] as const) {
      const plan = planZone(domain, [declared], [observedRecord(observed)]);
      expect(plan.records).toEqual([]);
      expect(plan.undeclared).toHaveLength(1);
      expect(plan.problems[0]?.message).toContain(`has ${observed.type} "${observed.content}"`);
      expect(plan.problems[0]?.message).toContain('delete it on the service');
    }
  });
});

test('a proxied CNAME goes beside others, whichever of them the service has', () => {
  const cname = { type: 'CNAME', name: 'www', content: 'a.example.net', proxied: true };
  const address = declaredRecord({ name: 'www' });
  for (const [declared, observed] of [
    [address, cname],
    [cname, address],
  ] as const) {
    const plan = planZone(domain, [declared], [observedRecord(observed)]);
    expect(plan).toMatchObject({ problems: [], records: [{ action: 'create' }] });
  }
});

test('a CNAME that the file makes a proxied one goes beside others', () => {
  const cname = { type: 'CNAME', name: 'www', content: 'a.example.net' };
  const declared = [{ ...cname, proxied: true }, declaredRecord({ name: 'www' })];
  const plan = planZone(domain, declared, [observedRecord({ ...cname, proxied: false })]);
  expect(plan.problems).toEqual([]);
  expect(plan.records).toMatchObject([{ action: 'create' }, { action: 'update' }]);
});

describe('a TTL that the service keeps', () => {
  const declared = declaredRecord({ name: 'www', proxied: true, ttl: 300 });
  const notice =
    'A www.example.com: ttl: the service keeps 1 for a proxied record; remove ttl from the file';

  test.each<[string, Partial<DeclaredRecord>, 'none' | 'update']>([
    ['nothing else', {}, 'none'],
    ['another change', { content: '203.0.113.99' }, 'update'],
  ])('has a notice beside %s', (_name, fields, action) => {
    const observed = observedRecord({ name: 'www', proxied: true, ttl: 1, ...fields });
    expect(planZone(domain, [declared], [observed])).toMatchObject({
      records: [{ action }],
      notices: [notice],
    });
  });

  test.each<[string, Partial<DeclaredRecord>, object]>([
    ['the file has 1', { ttl: 1 }, { proxied: true, ttl: 1 }],
    ['the record is not proxied', { proxied: false }, { proxied: true, ttl: 1 }],
    ['the service has that of the file', {}, { proxied: true, ttl: 300 }],
  ])('has none where %s', (_name, fields, observed) => {
    const service = observedRecord({ name: 'www', ...observed });
    expect(planZone(domain, [{ ...declared, ...fields }], [service]).notices).toEqual([]);
  });
});
