import type { Code } from '../../kernel/code.ts';
import {
  groupKey,
  isIpv4,
  isIpv6,
  isSameRecord,
  type Normal,
  normalise,
  quotedStrings,
  splitContent,
  targetTypes,
  textReadings,
} from './content.ts';
import { fullName, isInZone, isOneLabel, nameFault, targetReadings } from './name.ts';
import { type DeclaredRecord, type FieldName, givenFields, recordTitle, shown } from './record.ts';

type NormalDeclared = Normal<DeclaredRecord>;

/** Something wrong with one declared record. */
export interface ZoneProblem extends RecordFault {
  /** Its place in the file's list. */
  index: number;
  /** Names the record, what is wrong and what to do. */
  message: string;
  /** The same without the record's name: one record may stand in several zones. */
  fault: string;
}

/** Something wrong with one declared record, found without asking the service. */
export interface CheckedProblem extends ZoneProblem {
  code: Code;
}

/** What a look at a file's records finds, before any request. */
export interface ZoneCheck {
  /** In the file's order. Nothing may be written while there are any. */
  problems: CheckedProblem[];
  /** What a person should know, and what does not stop the run. */
  notices: string[];
}

const typePattern = /^[A-Z][A-Z0-9-]*$/;
const control = /\p{Cc}/u;

function recordFaults(domain: string, normal: NormalDeclared): RecordFault[] {
  const { type, name, record } = normal;
  if (!typePattern.test(type)) {
    const message = `${shown(record.type)} is no type of record: write A, CNAME, TXT, …`;
    return [{ field: 'type', message }];
  }
  const faults: RecordFault[] = [];
  const nameFault = ownNameFault(domain, name);
  if (nameFault !== undefined) faults.push({ field: 'name', message: `its name ${nameFault}` });
  const contentMessage = control.test(record.content.trim())
    ? 'holds a line break or another control character: write its content in one line'
    : contentFault(domain, normal);
  if (contentMessage !== undefined) faults.push({ field: 'content', message: contentMessage });
  return [...faults, ...fieldFaults(normal)];
}

/** Its code: by the part of the record that is wrong. */
function codeOf({ field }: RecordFault): Code {
  if (field === 'type' || field === 'name') return 'SD2101';
  return field === 'content' ? 'SD2102' : 'SD2103';
}

function recordNotices(normal: NormalDeclared): string[] {
  const { type, name, record } = normal;
  const title = recordTitle(normal);
  if (!isKnownType(type)) return [`${title}: this type is not checked here; it is sent as it is`];
  const { rest } = splitContent(type, record.content);
  const notices: string[] = [];
  if (targetTypes.has(type) && isOneLabel(rest)) {
    notices.push(
      `${title}: its target ${shown(rest)} has no dot, so the service may take it as relative to the domain or as it is: write the full name`,
    );
  }
  if (type === 'SRV' && !/^(?:_[^.]+|\*)\._[^.]+\./.test(name)) {
    notices.push(`${title}: the name of an SRV record usually starts like _service._tcp`);
  }
  return notices;
}

/**
 * Checks the records of one registered domain in the site file: names, contents and fields of known types,
 * and what stands together. Which types and fields the service allows is not shown (section "DNS record"),
 * so a type that is not known here passes with a notice.
 *
 * @param domain the registered domain's name
 */
export function checkZone(domain: string, declared: readonly DeclaredRecord[]): ZoneCheck {
  const records = declared.map((record, index) => normalise(domain, record, index));
  const alone = records.flatMap((record) =>
    recordFaults(domain, record).map((fault) => ({ record, code: codeOf(fault), ...fault })),
  );
  const together = clashes(domain, records).map((clash) => ({ code: 'SD2104' as const, ...clash }));
  const problems = [...alone, ...together]
    .map(({ record, message, ...fault }) => ({
      ...fault,
      index: record.index,
      message: `${recordTitle(record)}: ${message}`,
      fault: message,
    }))
    .sort((a, b) => a.index - b.index);
  return { problems, notices: [...records.flatMap(recordNotices), ...ttlNotices(records)] };
}

const longestString = 255;
/** A record's data has at most 65,535 bytes, and each string takes one more for its length. */
const longestText = 65_280;

/** Types that may say, by the target `.`, that there is none. */
const mayHaveNoTarget = new Set(['MX', 'SRV']);

function targetFault(domain: string, type: string, target: string): string | undefined {
  const text = shown(target);
  if (isIpv4(target) || isIpv6(target)) {
    return `points at the address ${text}: give the name of a host (an address goes in an A or AAAA record)`;
  }
  const [reading] = targetReadings(domain, target);
  if (reading === '.' && mayHaveNoTarget.has(type)) return undefined;
  const fault = nameFault(reading);
  return fault === undefined ? undefined : `points at ${text}, which ${fault}`;
}

function textFault(text: string): string | undefined {
  const strings = quotedStrings(text);
  if (strings === undefined && text.startsWith('"')) {
    return 'starts with a quote that does not end its string: write the text without quotes, or as "one" "two" with \\" for a quote in it';
  }
  const long = strings?.find((string) => string.length > longestString);
  if (long !== undefined) {
    return `has a string of ${long.length} bytes in quotes; a string has at most ${longestString}: split it as "one" "two", or write it without quotes`;
  }
  if (strings?.some((string) => /[^\0-\xff]/.test(string))) {
    return 'has an escape above \\255, which is no byte: write three decimal digits up to 255';
  }
  const [{ length }] = textReadings(text);
  return length > longestText
    ? `has a text of ${length} bytes; at most ${longestText} fit in a record`
    : undefined;
}

/**
 * What is wrong with a record's content, by its type.
 *
 * @returns undefined if nothing is, or the type is not known
 */
export function contentFault(
  domain: string,
  { type, name, record }: Normal<DeclaredRecord>,
): string | undefined {
  const { rest } = splitContent(type, record.content);
  if (rest.trim() === '') return 'has no content';
  if (type === 'A') {
    if (isIpv4(rest)) return undefined;
    return `has ${shown(rest)}, which is no IPv4 address: write four decimal numbers from 0 to 255, without leading zeros`;
  }
  if (type === 'AAAA') {
    return isIpv6(rest)
      ? undefined
      : `has ${shown(rest)}, which is no IPv6 address: write it like 2001:db8::1`;
  }
  if (type === 'TXT' || type === 'CAA') return textFault(rest.trim());
  if (!targetTypes.has(type)) return undefined;
  if (type === 'CNAME' && targetReadings(domain, rest).includes(name)) return 'points at itself';
  return targetFault(domain, type, rest);
}

/**
 * What is wrong with a record's own name.
 *
 * @returns undefined if nothing is
 */
export function ownNameFault(domain: string, name: string): string | undefined {
  const zone = fullName(domain, '@');
  if (!isInZone(zone, name)) {
    return `is not in ${zone}: leave the last dot off if the name is relative`;
  }
  return nameFault(name.replace(/^\*(?=\.)/, 'x'));
}

/** Something wrong with one record, and the field that is to be mended. */
export interface RecordFault {
  field?: 'type' | 'name' | 'content' | FieldName;
  message: string;
}

/** Fields that only some types have. */
const special: readonly FieldName[] = ['priority', 'weight', 'port', 'flags', 'tag'];

/** The types that are checked, and the fields of each: a `true` stands for one that must be given. */
const fieldsOf: ReadonlyMap<string, Partial<Readonly<Record<FieldName, boolean>>>> = new Map([
  ['A', {}],
  ['AAAA', {}],
  ['CAA', { tag: true, flags: false }],
  ['CNAME', {}],
  ['MX', { priority: true }],
  ['NS', {}],
  ['PTR', {}],
  ['SRV', { priority: true, weight: true, port: true }],
  ['TXT', {}],
]);

const caaTags: readonly string[] = [
  'issue',
  'issuewild',
  'issuemail',
  'issuevmc',
  'iodef',
  'contactemail',
  'contactphone',
];

const largest: ReadonlyMap<FieldName, number> = new Map([
  ['priority', 65_535],
  ['weight', 65_535],
  ['port', 65_535],
  ['flags', 255],
  ['ttl', 2 ** 31 - 1],
]);

/** True if a type's content and fields are checked; of other types only the numbers' ranges are. */
export function isKnownType(type: string): boolean {
  return fieldsOf.has(type);
}

function valueFaults({ type, fields }: Normal): RecordFault[] {
  return [...fields].flatMap(([field, value]): RecordFault[] => {
    if (type === 'CAA' && field === 'tag' && !caaTags.includes(String(value))) {
      const message = `has the tag ${shown(value)}; known tags are ${caaTags.join(', ')}`;
      return [{ field, message }];
    }
    const max = largest.get(field);
    if (max === undefined) return [];
    const isProper = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
    if (isProper) return [];
    return [
      {
        field,
        message: `has the ${field} ${shown(value)}; it must be a whole number from 0 to ${max}`,
      },
    ];
  });
}

function fittingFaults({ type, fields }: Normal): RecordFault[] {
  const own = fieldsOf.get(type);
  if (own === undefined) return [];
  return special.flatMap((field): RecordFault[] => {
    const isGiven = fields.has(field);
    if (own[field] === true && !isGiven) return [{ field, message: `has no ${field}: add it` }];
    if (own[field] === undefined && isGiven) {
      return [{ field, message: `has a ${field}, which no ${type} record has: leave it out` }];
    }
    return [];
  });
}

function contradictions({ type, record }: Normal<DeclaredRecord>): RecordFault[] {
  const given = givenFields(record);
  return [...splitContent(type, record.content).fields].flatMap(
    ([field, inContent]): RecordFault[] => {
      const value = given.get(field);
      if (value === undefined || String(value).toLowerCase() === String(inContent).toLowerCase()) {
        return [];
      }
      const message = `has the ${field} ${shown(value)}, and ${shown(inContent)} in its content: keep one of them`;
      return [{ field, message }];
    },
  );
}

/** What is wrong with a record's fields: range, tag, missing, out of place, or given twice and differently. */
export function fieldFaults(record: Normal<DeclaredRecord>): RecordFault[] {
  return [...valueFaults(record), ...fittingFaults(record), ...contradictions(record)];
}

/** Something wrong with one record of a file because of the others. */
interface Clash {
  record: NormalDeclared;
  message: string;
}

function besideCname(domain: string, records: readonly NormalDeclared[]): Clash[] {
  const byName = Map.groupBy(records, ({ name }) => name);
  return records
    .filter(({ type }) => type === 'CNAME')
    .flatMap((record): Clash[] => {
      if (record.name === fullName(domain, '@')) {
        const message =
          'is at the apex, where a CNAME may not stand: use A and AAAA records, or a subdomain';
        return [{ record, message }];
      }
      const others = (byName.get(record.name) ?? []).filter((other) => other !== record);
      if (others.length === 0) return [];
      const types = [...new Set(others.map(({ type }) => type))].sort().join(', ');
      const message = `stands beside other records of its name (${shown(types)}); a CNAME stands alone: keep either it or them`;
      return [{ record, message }];
    });
}

function duplicates(records: readonly NormalDeclared[]): Clash[] {
  const groups = Map.groupBy(
    records.filter(({ type }) => type !== 'CNAME'),
    groupKey,
  );
  return [...groups.values()].flatMap((group) =>
    group.flatMap((record, place): Clash[] => {
      const isTwice = group.slice(0, place).some((other) => isSameRecord(other, record));
      const message = `is declared twice with the content ${shown(record.record.content)}: keep one of them`;
      return isTwice ? [{ record, message }] : [];
    }),
  );
}

/** What is wrong between the records of one file: a CNAME beside others or at the apex, and duplicates. */
export function clashes(domain: string, records: readonly NormalDeclared[]): Clash[] {
  return [...besideCname(domain, records), ...duplicates(records)];
}

/** A notice for each set of records of one type and name that do not all have the same TTL. */
export function ttlNotices(records: readonly NormalDeclared[]): string[] {
  return [...Map.groupBy(records, groupKey).values()].flatMap((group) => {
    const [first] = group;
    const ttls = new Set(group.map(({ fields }) => fields.get('ttl')));
    if (first === undefined || ttls.size < 2) return [];
    return `${recordTitle(first)}: its records do not all have the same ttl; resolvers expect one for all of them`;
  });
}
