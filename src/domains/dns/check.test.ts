import { describe, expect, test } from 'vitest';
import { declaredRecord, domain } from '../../../test/support/dns/builders.ts';
import { checkZone } from './check.ts';
import type { DeclaredRecord } from './content.ts';

const check = (...declared: Partial<DeclaredRecord>[]) =>
  checkZone(domain, declared.map(declaredRecord));

const mx = { type: 'MX', content: 'mail.example.com', priority: 10 };
const srv = {
  type: 'SRV',
  name: '_sip._tcp',
  content: 'sip.example.com',
  priority: 10,
  weight: 5,
  port: 443,
};
const caa = { type: 'CAA', content: 'ca.example', flags: 0, tag: 'issue' };
const txt = (content: string) => ({ type: 'TXT', content });
const naptr = (content: string) => ({ type: 'NAPTR', content });
const cname = (content: string) => ({ type: 'CNAME', name: 'www', content });
const without = (record: Partial<DeclaredRecord>, field: keyof DeclaredRecord) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== field));

describe('one record', () => {
  test.each<[string, Partial<DeclaredRecord>]>([
    ['A', { ttl: 300, comment: 'web', proxied: true }],
    ['AAAA', { type: 'AAAA', content: '2001:db8::1' }],
    ['CNAME', cname('target.example.net.')],
    ['MX', mx],
    ['MX with its priority in front', { type: 'MX', content: '10 mail.example.com' }],
    ['MX of no mail', { ...mx, content: '.', priority: 0 }],
    ['TXT', txt('v=spf1 -all')],
    ['TXT in quotes', txt('"a" "b"')],
    ['TXT that is empty', txt('""')],
    ['TXT with a long text', txt('k'.repeat(4000))],
    ['TXT with quotes in the middle', txt('say "hi" now')],
    ['NS', { type: 'NS', name: 'sub', content: 'ns1.example.net' }],
    ['PTR', { type: 'PTR', name: '1', content: 'host.example.net' }],
    ['SRV', srv],
    ['SRV in one', { type: 'SRV', name: '_sip._tcp', content: '10 5 443 sip.example.com' }],
    ['CAA', caa],
    ['CAA without flags', without(caa, 'flags')],
    ['CAA that allows nobody', { ...caa, content: ';' }],
    ['CAA with a URL', { ...caa, tag: 'iodef', content: 'mailto:security@example.com' }],
    ['MX in place of another', { ...mx, replaces: 'old.example.com' }],
    [
      'MX in place of its other priority',
      { ...mx, replaces: { content: mx.content, priority: 20 } },
    ],
    ['a wildcard', { name: '*.app' }],
    ['a name in another script', { name: 'bücher' }],
    ['a TTL of 0', { ttl: 0 }],
  ])('%s is well', (_name, record) => {
    expect(check(record)).toEqual({ problems: [], notices: [] });
  });

  const tooLong = `${'a'.repeat(64)}.example.com`;

  test.each<[string, Partial<DeclaredRecord>, string, string]>([
    ['without a type', { type: ' ' }, 'type', 'is not a record type'],
    ['of no type', { type: 'A B' }, 'type', 'is not a record type'],
    ['outside the domain', { name: 'www.example.org.' }, 'name', 'not in example.com'],
    ['with a bare last dot', { name: 'www.' }, 'name', 'remove the last dot'],
    ['with a long label', { name: tooLong }, 'name', 'label of 64'],
    ['with a long name', { name: 'a.'.repeat(130) + domain }, 'name', 'the limit is 253'],
    ['with a long wildcard', { name: `*.${'a.'.repeat(121)}${domain}` }, 'name', '255'],
    ['with an empty label', { name: 'a..b' }, 'name', 'empty label'],
    ['with a star in the middle', { name: 'a.*.b' }, 'name', 'letters'],
    ['with a star in a label', { name: 'a*' }, 'name', 'letters'],
    ['without content', { content: ' ' }, 'content', 'no content'],
    ['of text without content', txt(' '), 'content', 'no content'],
    ['with a line break', txt('a\nb'), 'content', 'line break'],
    ['with a tab', txt('a\tb'), 'content', 'contains a tab: write a space instead'],
    ['of a type that is not validated, with a tab', naptr('1\t2'), 'content', 'contains a tab'],
    ['MX with a tab in its name', { ...mx, content: 'mail\texample' }, 'content', 'letters'],
    ['A of a name', { content: 'example.net' }, 'content', 'not an IPv4'],
    ['A of IPv6', { content: '2001:db8::1' }, 'content', 'not an IPv4'],
    ['A of three parts', { content: '203.0.113' }, 'content', 'not an IPv4'],
    ['A in octal', { content: '0203.0.113.10' }, 'content', 'leading zeros'],
    ['A in hex', { content: '0xcb.0.113.10' }, 'content', 'not an IPv4'],
    ['A out of range', { content: '256.0.0.1' }, 'content', 'not an IPv4'],
    ['AAAA of IPv4', { type: 'AAAA', content: '203.0.113.10' }, 'content', 'not an IPv6'],
    ['AAAA with a zone', { type: 'AAAA', content: 'fe80::1%eth0' }, 'content', 'not an IPv6'],
    ['AAAA twice shortened', { type: 'AAAA', content: '1::2::3' }, 'content', 'not an IPv6'],
    ['AAAA with octal', { type: 'AAAA', content: '::ffff:010.1.1.1' }, 'content', 'not an IPv6'],
    ['CNAME to an address', cname('203.0.113.10'), 'content', 'A or AAAA'],
    ['CNAME to an IPv6 address', cname('2001:db8::1'), 'content', 'A or AAAA'],
    ['CNAME to a URL', cname('https://example.net/'), 'content', 'letters'],
    ['CNAME to nothing', cname('.'), 'content', 'empty label'],
    ['CNAME to itself', cname('WWW.example.com.'), 'content', 'itself'],
    ['CNAME to itself, relative', cname('www'), 'content', 'itself'],
    ['MX without priority', without(mx, 'priority'), 'priority', 'has no priority'],
    ['MX with a large one', { ...mx, priority: 65_536 }, 'priority', '0 to 65535'],
    ['MX with two', { ...mx, content: '20 mail.example.com' }, 'priority', 'keep one'],
    ['MX to an address', { ...mx, content: '203.0.113.10' }, 'content', 'A or AAAA'],
    ['MX with a weight', { ...mx, weight: 1 }, 'weight', 'remove it'],
    ['SRV without priority', without(srv, 'priority'), 'priority', 'has no priority'],
    ['SRV without weight', without(srv, 'weight'), 'weight', 'has no weight'],
    ['SRV without port', without(srv, 'port'), 'port', 'has no port'],
    ['SRV with a bad port', { ...srv, port: 70_000 }, 'port', '0 to 65535'],
    ['SRV with a bad weight', { ...srv, weight: -1 }, 'weight', '0 to 65535'],
    ['SRV with half of it', { ...srv, content: '443 sip.example.com' }, 'content', 'letters'],
    ['CAA without a tag', without(caa, 'tag'), 'tag', 'has no tag'],
    ['CAA with another tag', { ...caa, tag: 'isue' }, 'tag', 'issue, issuewild'],
    ['CAA with bad flags', { ...caa, flags: 256 }, 'flags', '0 to 255'],
    ['A with a priority', { priority: 1 }, 'priority', 'remove it'],
    ['TXT with flags', { ...txt('a'), flags: 0 }, 'flags', 'remove it'],
    ['TXT with an open quote', txt('"abc'), 'content', 'starts with an unclosed quote'],
    ['TXT with a text after quotes', txt('"abc" d'), 'content', 'starts with an unclosed quote'],
    ['TXT with a long string', txt(`"${'ü'.repeat(128)}"`), 'content', 'of 256 bytes'],
    ['TXT with an escape of no byte', txt('"\\256"'), 'content', 'not a byte'],
    ['TXT with too much', txt('k'.repeat(65_281)), 'content', '65281 bytes'],
    ['with a negative TTL', { ttl: -1 }, 'ttl', '0 to 2147483647'],
    ['with a huge TTL', { ttl: 2 ** 31 }, 'ttl', '0 to 2147483647'],
    ['that replaces itself', { ...txt('a'), replaces: '"a"' }, 'replaces', 'replaces itself'],
    ['that replaces nothing', { ...txt('a'), replaces: '' }, 'replaces', 'has no content'],
    ['that replaces a name by an address', { replaces: 'a.example' }, 'replaces', 'not an IPv4'],
    [
      'that replaces an address of a priority',
      { replaces: { content: '203.0.113.9', priority: 1 } },
      'replaces',
      "priority, which A records don't have",
    ],
    [
      'that replaces a priority out of range',
      { ...mx, replaces: { content: 'a.example', priority: 70_000 } },
      'replaces',
      '0 to 65535',
    ],
    [
      'that replaces a record with two priorities',
      { ...mx, replaces: { content: '10 a.example', priority: 20 } },
      'replaces',
      'keep one',
    ],
    ['of an unknown type with a bad port', { type: 'URI', port: -1 }, 'port', '65535'],
  ])('%s is refused', (_name, record, field, message) => {
    const { problems } = check({ name: 'fine' }, record);
    expect(problems).toMatchObject([{ index: 1, field }]);
    expect(problems[0]?.message).toContain(message);
  });

  test('is named by type and full name, cleaned', () => {
    const { problems } = check({ name: 'WWW', content: '1.2\u001b[31m\r\n::error::' });
    expect(problems[0]?.message).toMatch(/^A www\.example\.com: /);
    expect(problems[0]?.message).not.toMatch(/\p{Cc}/u);
  });

  test('has all of its problems reported', () => {
    const { problems } = check({ type: 'MX', name: 'a..b', content: '1.2.3.4', ttl: -1 });
    expect(problems.map(({ field }) => field)).toEqual(['name', 'content', 'ttl', 'priority']);
  });

  test.each<[string, Partial<DeclaredRecord>, string]>([
    ['an unknown type', { type: 'alias', content: 'x' }, 'ALIAS example.com: this record type'],
    ['a target without a dot', cname('blog'), '"blog" has no dot'],
    ['a target without a dot, behind a number', { type: 'MX', content: '10 mail' }, '"mail"'],
    ['an SRV of no service', { ...srv, name: 'sip' }, '_service._tcp'],
  ])('has a notice for %s', (_name, record, notice) => {
    const { problems, notices } = check(record);
    expect(problems).toEqual([]);
    expect(notices).toEqual([expect.stringContaining(notice)]);
  });
});

describe('records together', () => {
  test.each<[string, Partial<DeclaredRecord>[], number[], string]>([
    ['a CNAME at the apex', [{ ...cname('a.example.net'), name: 'example.com.' }], [0], 'apex'],
    ['a CNAME beside another type', [{ name: 'www' }, cname('a.example.net')], [1], '"A"'],
    [
      'a CNAME beside an unknown type',
      [{ type: 'X', name: 'WWW.example.com.' }, cname('a.b')],
      [1],
      '"X"',
    ],
    [
      'two CNAMEs',
      [cname('a.example.net'), cname('b.example.net')],
      [0, 1],
      'must be the only one',
    ],
    [
      'two proxied CNAMEs',
      [
        { ...cname('a.example.net'), proxied: true },
        { ...cname('b.example.net'), proxied: true },
      ],
      [0, 1],
      'must be the only one',
    ],
    [
      'a CNAME that is not to be proxied',
      [{ ...cname('a.b'), name: '@', proxied: false }],
      [0],
      'apex',
    ],
    [
      'one that another replaces',
      [txt('old'), { ...txt('new'), replaces: '"old"' }],
      [1],
      'replaces ""old"", which this file declares, too',
    ],
    [
      'two that replace one',
      [
        { ...txt('a'), replaces: 'old' },
        { ...txt('b'), replaces: { content: 'old' } },
      ],
      [1],
      'replaces "old", as another record does',
    ],
    ['the same twice', [{}, { name: 'example.com' }], [1], 'twice'],
    ['the same with another TTL', [{ ttl: 60 }, { ttl: 60, comment: 'x' }], [1], 'twice'],
    ['the same text in quotes', [txt('a b'), txt('"a b"')], [1], 'twice'],
    ['one MX with two priorities', [mx, { ...mx, priority: 20 }], [1], 'twice'],
  ])('%s is refused', (_name, records, indices, message) => {
    const { problems } = check(...records);
    expect(problems.map(({ index }) => index)).toEqual(indices);
    for (const problem of problems) expect(problem.message).toContain(message);
  });

  test.each<[string, Partial<DeclaredRecord>[]]>([
    ['two addresses', [{}, { content: '203.0.113.11' }]],
    ['two tags of one CA', [caa, { ...caa, tag: 'issuewild' }]],
    ['two ports of one host', [srv, { ...srv, port: 444 }]],
    ['other types at the apex', [{}, mx, txt('a'), caa]],
    ['a proxied CNAME at the apex', [{ ...cname('a.example.net'), name: '@', proxied: true }]],
    [
      'a proxied CNAME beside others',
      [{ ...cname('a.example.net'), proxied: true }, { name: 'www' }, { ...txt('a'), name: 'www' }],
    ],
    ['a CNAME and a name below it', [cname('a.example.net'), { name: 'a.www' }]],
  ])('%s are well', (_name, records) => {
    expect(check(...records)).toEqual({ problems: [], notices: [] });
  });

  test('of one name and type have a notice if their TTLs differ', () => {
    const { problems, notices } = check({ ttl: 60 }, { content: '203.0.113.11' });
    expect(problems).toEqual([]);
    expect(notices).toEqual([
      expect.stringContaining('A example.com: its records have different ttl values'),
    ]);
  });

  test('have their problems in the order of the file', () => {
    const { problems } = check(cname('a.b'), { content: 'x' }, cname('c.d'), { content: 'y' });
    expect(problems.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });
});
