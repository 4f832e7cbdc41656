import { describe, expect, test } from 'vitest';
import { declaredRecord, domain, observedRecord } from '../../../test/support/dns/builders.ts';
import type { DnsRecord } from '../../contract/dns-record.ts';
import { checkZone } from './check.ts';
import { type DeclaredRecord, isAsDeclared } from './content.ts';
import { planZone } from './plan-zone.ts';

type Row = [name: string, declared: Partial<DeclaredRecord>, observed: Partial<DnsRecord>];

const long = 'k'.repeat(300);
const mx = { type: 'MX', content: 'mail.example.com', priority: 10 };
const srv = { type: 'SRV', name: '_sip._tcp', content: 'sip.example.com' };
const srvFields = { priority: 10, weight: 5, port: 443 };
const caa = { type: 'CAA', content: 'ca.example', flags: 0, tag: 'issue' };
const aaaa = (content: string) => ({ type: 'AAAA', content });
const txt = (content: string) => ({ type: 'TXT', content });
const cname = (content: string) => ({ type: 'CNAME', name: 'www', content });
const https = (content: string) => ({ type: 'HTTPS', content });

/** Spellings of one record that a naive comparison would update for ever. */
const same: Row[] = [
  ...['ALIAS', 'ANAME', 'DNAME'].map(
    (type): Row => [
      `the target of ${type} in capitals, with a dot`,
      { type, name: 'x', content: 'Target.Example.net.' },
      { type, name: 'x', content: 'target.example.net' },
    ],
  ),
  [
    'a key in pieces',
    { type: 'DNSKEY', content: '257 3 13 abcDEF==' },
    { type: 'DNSKEY', content: '257 3 13 abc DEF==' },
  ],
  [
    'a key without numbers, in pieces',
    { type: 'OPENPGPKEY', content: 'abcDEF==' },
    { type: 'OPENPGPKEY', content: 'abc DEF==' },
  ],
  ['a name in full', { name: 'www' }, { name: 'www.example.com' }],
  ['a name in full with a dot, in capitals', { name: 'www' }, { name: 'WWW.Example.COM.' }],
  ['the apex in full', { name: '@' }, { name: 'example.com' }],
  ['the apex as @', { name: 'example.com.' }, { name: '@' }],
  ['the apex as nothing', { name: '@' }, { name: '' }],
  ['a name in punycode', { name: 'bücher' }, { name: 'xn--bcher-kva.example.com.' }],
  ['an escaped wildcard', { name: '*' }, { name: '\\052.example.com.' }],
  ['a type in lower case', { type: 'a' }, { type: 'A' }],
  ['white space around', { content: ' 203.0.113.10 ' }, {}],
  ['IPv6 in full', aaaa('2001:db8::1'), aaaa('2001:0DB8:0000:0000:0000:0000:0000:0001')],
  ['IPv6 with zeros', aaaa('2001:db8:0:0:1::1'), aaaa('2001:db8::1:0:0:1')],
  ['IPv6 with IPv4 in it', aaaa('::ffff:192.0.2.1'), aaaa('::FFFF:C000:0201')],
  ['a target with a dot', cname('target.example.net'), cname('target.example.net.')],
  ['a target in capitals', cname('Target.Example.net.'), cname('target.example.net')],
  ['a target in punycode', cname('bücher.example'), cname('xn--bcher-kva.example.')],
  ['the apex as target', cname('@'), cname('example.com.')],
  ['a target without a dot, as it is', cname('blog'), cname('blog.')],
  ['a target without a dot, as relative', cname('blog'), cname('blog.example.com')],
  [
    'an NS with a dot',
    { type: 'NS', name: 'sub', content: 'ns.example.net' },
    { type: 'NS', name: 'sub', content: 'NS.example.net.' },
  ],
  [
    'a PTR with a dot',
    { type: 'PTR', name: '1', content: 'a.example.net' },
    { type: 'PTR', name: '1', content: 'a.example.net.' },
  ],
  ['a quoted text', txt('v=spf1 -all'), txt('"v=spf1 -all"')],
  ['an unquoted text', txt('"v=spf1 -all"'), txt('v=spf1 -all')],
  ['a text in strings', txt(long), txt(`"${long.slice(0, 255)}" "${long.slice(255)}"`)],
  ['a text in other strings', txt('"ab" "c"'), txt('"a""bc"')],
  ['a text with quotes in it', txt('say "hi" now'), txt('"say \\"hi\\" now"')],
  ['a text with backslashes', txt('a\\b'), txt('"a\\\\b"')],
  ['a text with a backslash and a line’s end', txt('a\\b\n'), txt('"a\\\\b"')],
  ['an unquoted text with escapes', txt('"a;b"'), txt('a\\;b')],
  ['a text with decimal escapes', txt('grün'), txt('"gr\\195\\188n"')],
  ['an unquoted text with decimal escapes', txt('grün'), txt('gr\\195\\188n')],
  ['spaces at a text’s edge', txt('" a "'), txt(' a ')],
  ['an empty text', txt('""'), txt('')],
  ['MX with the priority in front', mx, { type: 'MX', content: '10 mail.example.com.' }],
  ['MX with the priority in both', mx, { ...mx, content: '10 mail.example.com.' }],
  ['MX declared with it in front', { type: 'MX', content: '10 mail.example.com' }, mx],
  [
    'MX with it in front, and a computed one',
    { type: 'MX', content: '10 mail.example.com' },
    { type: 'MX', content: '10 mail.example.com', priority: 0 },
  ],
  ['MX of no mail', { type: 'MX', content: '.', priority: 0 }, { type: 'MX', content: '0 .' }],
  ['MX whose 0 is left out', { ...mx, priority: 0 }, { type: 'MX', content: 'mail.example.com' }],
  ['SRV in one', { ...srv, ...srvFields }, { ...srv, content: '10 5 443 SIP.example.com.' }],
  [
    'SRV with the priority apart',
    { ...srv, ...srvFields },
    { ...srv, content: '5 443 sip.example.com', priority: 10 },
  ],
  [
    'SRV declared in one',
    { ...srv, content: '10 5 443 sip.example.com' },
    { ...srv, ...srvFields },
  ],
  ['CAA in one', caa, { type: 'CAA', content: '0 issue "ca.example"' }],
  ['CAA in one without quotes', caa, { type: 'CAA', content: '0 issue ca.example' }],
  [
    'CAA without flags, in one',
    { type: 'CAA', content: 'ca.example', tag: 'issue' },
    { type: 'CAA', content: 'issue "ca.example"' },
  ],
  [
    'CAA declared in one',
    { type: 'CAA', content: '0 issue "ca.example"' },
    { ...caa, content: '"ca.example"' },
  ],
  ['CAA in other cases', { ...caa, tag: 'Issue' }, { ...caa, content: 'CA.example.' }],
  [
    'CAA with parameters',
    { ...caa, content: 'ca.example;account=Abc' },
    { ...caa, content: '"ca.example; account=Abc"' },
  ],
  [
    'CAA with computed flags',
    { type: 'CAA', content: 'ca.example', tag: 'issue' },
    { ...caa, flags: 128 },
  ],
  ['a computed TTL', {}, { ttl: 300 }],
  ['a computed priority', {}, { priority: 7 }],
  ['computed proxying and comment', {}, { proxied: true, comment: 'made by a person' }],
  ['an empty comment as null', { comment: '' }, { comment: null }],
  ['no proxying as null', { proxied: false }, { proxied: null }],
  ['unknown fields', {}, { zoneTag: 'x' }],
  [
    'an unknown type',
    { type: 'ALIAS', content: 'host.example.net' },
    { type: 'alias', content: 'host.example.net.' },
  ],
  [
    'an unknown type in words',
    { type: 'TLSA', content: '3 1 1 ABCD' },
    { type: 'TLSA', content: '3  1 1 ABCD' },
  ],
  [
    'SOA',
    { type: 'SOA', content: 'ns1.example.com. h.example.com. 1 2 3 4 5' },
    { type: 'SOA', content: 'ns1.example.com h.example.com 1 2 3 4 5' },
  ],
  ['MX with zeros in front of its number', mx, { type: 'MX', content: '010 mail.example.com.' }],
  ['CAA with an empty parameter', caa, { ...caa, content: '"ca.example;"' }],
  ['CAA that allows nobody', { ...caa, content: ';' }, { ...caa, content: '""' }],
  ['HTTPS with quotes', https('1 . alpn=h3'), https('1 . alpn="h3"')],
  ['HTTPS without quotes', https('1 . alpn="h3,h2"'), https('1 . ALPN=h3,h2')],
  [
    'HTTPS in another order',
    https('1 . alpn=h3 ipv4hint=192.0.2.1 port=8443'),
    https('1 . port="8443" alpn="h3" ipv4hint="192.0.2.1"'),
  ],
  [
    'HTTPS with a target',
    https('1 Pool.example.net alpn=h2'),
    https('01  pool.example.net. alpn=h2'),
  ],
  [
    'HTTPS with addresses',
    https('1 . ipv6hint=2001:db8::1,2001:db8::2'),
    https('1 . ipv6hint="2001:0db8:0:0::1,2001:DB8::2"'),
  ],
  [
    'HTTPS with keys that have no order',
    https('1 . mandatory=alpn,port alpn=h2 port=0443'),
    https('1 . alpn="h2" mandatory="port,alpn" port=443'),
  ],
  [
    'HTTPS with a key without a value',
    https('1 . no-default-alpn'),
    https('1 . no-default-alpn=""'),
  ],
  [
    'HTTPS with the priority apart',
    https('1 . alpn=h3'),
    { type: 'HTTPS', content: '. alpn="h3"', priority: 1 },
  ],
  [
    'HTTPS declared with it apart',
    { type: 'HTTPS', content: 'pool.example.net', priority: 0 },
    https('0 pool.example.net.'),
  ],
  [
    'SVCB',
    { type: 'SVCB', content: '1 a.example.net port=53 alpn=dot' },
    { type: 'SVCB', content: '1 a.example.net. alpn="dot" port="53"' },
  ],
  [
    'URI',
    { type: 'URI', content: '10 1 "https://example.net/"' },
    { type: 'URI', content: '10 1 https://example.net/' },
  ],
  [
    'NAPTR',
    { type: 'NAPTR', content: '100 10 U E2U+sip !^.*$!sip:a@example.net! .' },
    { type: 'NAPTR', content: '100 10 "U" "E2U+sip" "!^.*$!sip:a@example.net!" .' },
  ],
  [
    'TLSA in other cases and parts',
    { type: 'TLSA', content: '3 1 1 ABCDEF' },
    { type: 'TLSA', content: '03 1 1 abc def' },
  ],
  ['SSHFP', { type: 'SSHFP', content: '4 2 ABCD' }, { type: 'SSHFP', content: '4 2 abcd' }],
  ['DS', { type: 'DS', content: '12345 13 2 ABCD' }, { type: 'DS', content: '12345 13 2 ab cd' }],
  ['a comment with space around', { comment: ' web ' }, { comment: 'web' }],
  ['an automatic TTL', { ttl: 1 }, { ttl: 1 }],
  ['a TTL that a proxied record has not', { proxied: true, ttl: 300 }, { proxied: true, ttl: 1 }],
  ['a TTL of what others proxied', { ttl: 300 }, { proxied: true, ttl: 1 }],
];

describe('the same record, spelled in another way', () => {
  test.each(same)('%s', (_name, given, shown) => {
    const [declared, observed] = [declaredRecord(given), observedRecord(given)];
    const answer = { ...observedRecord(), name: observed.name, ...shown };
    expect(checkZone(domain, [declared]).problems).toEqual([]);
    const { records, undeclared } = planZone(domain, [declared], [answer]);
    expect(records).toMatchObject([{ action: 'none' }]);
    expect(undeclared).toEqual([]);
    expect(isAsDeclared(domain, declared, answer)).toBe(true);
  });
});

const changed: [...Row, reason: string][] = [
  ['address', {}, { content: '198.51.100.1' }, 'content: "198.51.100.1" → "203.0.113.10"'],
  ['IPv6 address', aaaa('2001:db8::1'), aaaa('2001:db8::10'), 'content'],
  ['case of a text', txt('k=A'), txt('"k=a"'), 'content: ""k=a"" → "k=A"'],
  [
    'case in an unknown type',
    { type: 'OPENPGPKEY', content: 'mQENBF' },
    { type: 'OPENPGPKEY', content: 'mqenbf' },
    'content: "mqenbf" → "mQENBF"',
  ],
  [
    'character of a long text, around which it is cut',
    txt(`k=${long}b and more`),
    txt(`k=${long}a and more`),
    `content: "…${'k'.repeat(16)}a and more" → "…${'k'.repeat(16)}b and more"`,
  ],
  ['white space, which is not shown', txt('k=a  b'), txt('k=a b'), 'different in a hidden part'],
  ['space in a text', txt('k=a b'), txt('"k=ab"'), 'content'],
  ['quotes stored in a text', txt('"k=a"'), txt('"k=\\"a\\""'), 'content'],
  [
    'target below the domain',
    cname('a.example.net'),
    cname('a.example.net.example.com'),
    'content',
  ],
  ['TTL', { ttl: 300 }, {}, 'ttl: 3600 → 300'],
  ['TTL that is not shown', { ttl: 300 }, { ttl: null }, 'ttl: none → 300'],
  ['comment', { comment: 'web' }, {}, 'comment: none → "web"'],
  ['proxying', { proxied: true }, {}, 'proxied: false → true'],
  ['priority', mx, { ...mx, priority: 20 }, 'priority: 20 → 10'],
  ['priority in front', mx, { type: 'MX', content: '20 mail.example.com' }, 'priority: 20 → 10'],
  ['flags', { ...caa, flags: 128 }, caa, 'flags: 0 → 128'],
  [
    'CAA parameters',
    { ...caa, content: 'ca.example;account=A' },
    { ...caa, content: 'ca.example;account=a' },
    'content',
  ],
  ['CAA tag', caa, { ...caa, tag: 'issuewild' }, 'tag: "issuewild" → "issue"'],
  ['port', { ...srv, ...srvFields }, { ...srv, ...srvFields, port: 80 }, 'port: 80 → 443'],
  ['alpn', https('1 . alpn=h3'), https('1 . alpn=h2'), 'content'],
  ['order of alpn', https('1 . alpn=h3,h2'), https('1 . alpn="h2,h3"'), 'content'],
  ['priority of HTTPS', https('1 . alpn=h3'), https('2 . alpn=h3'), 'priority: 2 → 1'],
  ['case of an ech key', https('1 . ech=AbC='), https('1 . ech="abc="'), 'content'],
  [
    'words in quotes',
    { type: 'HINFO', content: '"a b" c' },
    { type: 'HINFO', content: 'a "b c"' },
    'content',
  ],
  [
    'proxying and TTL',
    { proxied: false, ttl: 300 },
    { proxied: true, ttl: 1 },
    'ttl: 1 → 300; proxied: true → false',
  ],
  ['TTL of a proxied record that has its own', { ttl: 60 }, { proxied: true, ttl: 300 }, 'ttl'],
  ['automatic TTL', { ttl: 300 }, { ttl: 1 }, 'ttl: 1 → 300'],
  [
    'weight and TTL',
    { ...srv, ...srvFields, ttl: 60 },
    { ...srv, ...srvFields, weight: 6 },
    'weight: 6 → 5; ttl: 3600 → 60',
  ],
];

describe('another', () => {
  test.each(changed)('%s is a change', (_name, given, shown, reason) => {
    const declared = declaredRecord(given);
    const answer = observedRecord({ name: declared.name, ...shown });
    const { records } = planZone(domain, [declared], [answer]);
    expect(records).toMatchObject([{ action: 'update', id: 'id-1' }]);
    expect(records[0]?.reason).toContain(reason);
    expect(isAsDeclared(domain, declared, answer)).toBe(false);
  });

  test.each<Row>([
    ['name', { name: 'www' }, {}],
    ['type', txt('203.0.113.10'), {}],
  ])('%s is another record', (_name, given, shown) => {
    const [declared, answer] = [declaredRecord(given), observedRecord(shown)];
    const { records, undeclared } = planZone(domain, [declared], [answer]);
    expect(records).toMatchObject([{ action: 'create' }]);
    expect(undeclared).toEqual([answer]);
    expect(isAsDeclared(domain, declared, answer)).toBe(false);
  });

  test('content that others wrote is cleaned and cut in the reason', () => {
    const answer = observedRecord({ type: 'TXT', content: `k=a\r\n\u001b[31m${'x'.repeat(500)}` });
    const { records } = planZone(domain, [declaredRecord(txt('k=b'))], [answer]);
    expect(records[0]?.reason).toMatch(
      /^replaces "k=a x+…", which this file does not name; content: "k=a x+…" → "k=b"$/,
    );
    expect(records[0]?.reason.length).toBeLessThan(240);
  });
});
