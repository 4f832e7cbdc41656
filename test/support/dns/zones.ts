import fc from 'fast-check';
import type { DnsRecord } from '../../../src/contract/dns-record.ts';
import type { DeclaredRecord } from '../../../src/domains/dns/content.ts';

/** What a record says, whatever its spelling. */
export interface Truth {
  /** The labels below the domain, in ASCII and in their own script; none for the apex. */
  labels: readonly { ascii: string; own: string }[];
  type: string;
  /** A text, the eight numbers of an IPv6 address, or any other content in its plainest spelling. */
  value: string | number[];
  /** Fields that a zone file writes in front of the content. */
  front: Pick<DeclaredRecord, 'priority' | 'weight' | 'port' | 'flags' | 'tag'>;
  extra: Pick<DeclaredRecord, 'ttl' | 'comment' | 'proxied'>;
}

/** One way to spell records. */
export interface Spelling {
  names: 'relative' | 'full' | 'dotted' | 'loud' | 'own';
  targets: 'plain' | 'dotted' | 'loud';
  texts: 'plain' | 'quoted' | 'split' | 'decimal';
  addresses: 'short' | 'full' | 'loud';
  inFront: boolean;
}

/** A way to spell records, and what a service adds to them. */
export interface Dialect extends Spelling {
  computed: Partial<DnsRecord>;
  /** What becomes of fields that are 0, empty or false. */
  zeros: 'shown' | 'left-out' | 'null';
}

const zone = 'example.com';

function spellName({ labels }: Truth, { names }: Spelling): string {
  const ascii = labels.map((label) => label.ascii);
  const full = [...ascii, zone].join('.');
  if (names === 'full') return full;
  if (names === 'dotted') return `${full}.`;
  if (names === 'loud') return full.toUpperCase();
  return labels.map((label) => (names === 'own' ? label.own : label.ascii)).join('.') || '@';
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

function pieces(text: string): string[] {
  return text.match(/.{1,60}/gsu) ?? [''];
}

function decimal(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `\\${String(byte).padStart(3, '0')}`).join('');
}

function spellText(text: string, { texts }: Spelling): string {
  if (texts === 'split') return pieces(text).map(quote).join(' ');
  if (texts === 'decimal') return `"${decimal(text)}"`;
  const isAmbiguous = text === '' || text !== text.trim() || /^".*"$/s.test(text);
  return texts === 'quoted' || isAmbiguous ? quote(text) : text;
}

function spellAddress(groups: readonly number[], { addresses }: Spelling): string {
  const full = groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
  if (addresses === 'full') return full;
  if (addresses === 'loud') return full.toUpperCase().replaceAll(/\b0+(?=[^:])/g, '');
  return new URL(`http://[${full}]`).hostname.slice(1, -1);
}

function spellTarget(target: string, { targets }: Spelling): string {
  if (targets === 'dotted') return `${target}.`;
  return targets === 'loud' ? target.toUpperCase() : target;
}

function spellValue({ type, value }: Truth, spelling: Spelling): string {
  if (typeof value !== 'string') return spellAddress(value, spelling);
  if (type === 'TXT') return spellText(value, spelling);
  if (type === 'CAA') return spelling.texts === 'plain' ? value : quote(value);
  return type === 'A' ? value : spellTarget(value, spelling);
}

/** Spells a record. It has the fields that were given, and no others. */
export function spell(truth: Truth, spelling: Spelling): DeclaredRecord {
  const { type, front, extra } = truth;
  const value = spellValue(truth, spelling);
  const record = { type, name: spellName(truth, spelling), ...extra };
  if (!spelling.inFront) return { ...record, content: value, ...front };
  return { ...record, content: [...Object.values(front), value].join(' ') };
}

/** A record as a service of a dialect shows it. */
export function answer(written: DeclaredRecord, dialect: Dialect): DnsRecord {
  const record: DnsRecord = { ...dialect.computed, ...written };
  if (dialect.zeros === 'shown') return record;
  for (const field of [
    'ttl',
    'comment',
    'priority',
    'flags',
    'weight',
    'port',
    'proxied',
  ] as const) {
    if (record[field]) continue;
    if (dialect.zeros === 'null') record[field] = null;
    else delete record[field];
  }
  return record;
}

const label = fc.constantFrom(
  { ascii: 'www', own: 'WWW' },
  { ascii: '10', own: '10' },
  { ascii: '_dmarc', own: '_dmarc' },
  { ascii: '*', own: '*' },
  { ascii: 'xn--bcher-kva', own: 'Bücher' },
);
const labels = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.tuple(label) },
);
const target = fc.constantFrom('a.example.net', 'b.example.net', zone, `mail.${zone}`);
const small = fc.constantFrom(0, 1, 10, 443);
const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('"', '\\', ' ', ';', '1'),
      fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
    ),
    maxLength: 200,
  })
  .filter((one) => !/\p{Cc}/u.test(one));
const someText = fc.oneof(fc.constantFrom('v=spf1 -all', 'a\\b', 'say "hi"', 'grün'), text);
const caValue = fc.constantFrom('ca.example', 'other.example; account=Abc', ';');
const tag = fc.constantFrom('issue', 'issuewild');
const groups = fc.array(fc.constantFrom(0, 0, 1, 0xdb8), { minLength: 8, maxLength: 8 });

const value = (
  type: string,
  values: fc.Arbitrary<Truth['value']>,
  front: fc.Arbitrary<Truth['front']> = fc.constant({}),
) => fc.record({ type: fc.constant(type), value: values, front });

const rdata = fc.oneof(
  value('A', fc.constantFrom('203.0.113.10', '203.0.113.11', '198.51.100.1')),
  value('AAAA', groups),
  value('CNAME', target),
  value('NS', target),
  value('PTR', target),
  value('TXT', someText),
  value('MX', target, fc.record({ priority: small })),
  value('SRV', target, fc.record({ priority: small, weight: small, port: small })),
  value('CAA', caValue, fc.record({ flags: fc.constantFrom(0, 128), tag })),
);

const extra = fc.record(
  { ttl: fc.constantFrom(60, 300), comment: fc.constantFrom('', 'web'), proxied: fc.boolean() },
  { requiredKeys: [] },
);

export const anyTruth: fc.Arbitrary<Truth> = fc
  .record({ labels, rdata, extra })
  .map(({ rdata: { type, value: given, front }, ...rest }) => ({
    ...rest,
    type,
    value: given,
    front,
  }));

const spelling = {
  names: fc.constantFrom<Spelling['names'][]>('relative', 'full', 'dotted', 'loud', 'own'),
  targets: fc.constantFrom<Spelling['targets'][]>('plain', 'dotted', 'loud'),
  texts: fc.constantFrom<Spelling['texts'][]>('plain', 'quoted', 'split', 'decimal'),
  addresses: fc.constantFrom<Spelling['addresses'][]>('short', 'full', 'loud'),
  inFront: fc.boolean(),
};

export const anySpelling: fc.Arbitrary<Spelling> = fc.record(spelling);

export const anyDialect: fc.Arbitrary<Dialect> = fc.record({
  ...spelling,
  computed: fc.constantFrom<Partial<DnsRecord>[]>(
    {},
    { ttl: 3600, comment: null, proxied: false, createdBy: 'somebody' },
    { ttl: 1, comment: 'made here', proxied: true },
  ),
  zeros: fc.constantFrom<Dialect['zeros'][]>('shown', 'left-out', 'null'),
});
