import { isIPv4 } from 'node:net';
import type { Code } from '../../kernel/code.ts';
import {
  contentToSend,
  type DeclaredRecord,
  differences,
  type FieldName,
  givenFields,
  groupKey,
  isProxied,
  isSameRecord,
  isUnscopedIpv6,
  type Normal,
  type NormalDeclared,
  normalize,
  quotedStrings,
  recordTitle,
  replacedBy,
  shown,
  splitContent,
  targetTypes,
  textReadings,
} from './content.ts';
import { fullName, isInZone, isOneLabel, nameFault, targetReadings } from './name.ts';

/** Something wrong with one declared record. */
export interface ZoneProblem extends RecordFault {
  /** Its index in the file's list. */
  index: number;
  /** With the record's title. */
  message: string;
  /** Without the record's title: one record may be in several zones. */
  fault: string;
}

const typePattern = /^[A-Z][A-Z0-9-]*$/;

/** Why a content can't be sent for a character in it that is not printable. */
function controlFault(content: string): string | undefined {
  const [control] = /\p{Cc}/u.exec(content) ?? [];
  if (control === undefined) return undefined;
  return control === '\t'
    ? 'contains a tab: write a space instead'
    : 'contains a line break or another control character: write the content on one line';
}

function recordFaults(domain: string, normal: NormalDeclared): RecordFault[] {
  const { type, name, record } = normal;
  if (!typePattern.test(type)) {
    const message = `${shown(record.type)} is not a record type: use A, CNAME, TXT, …`;
    return [{ field: 'type', message }];
  }
  const faults: RecordFault[] = [];
  const nameFault = ownNameFault(domain, name);
  if (nameFault !== undefined) faults.push({ field: 'name', message: `its name ${nameFault}` });
  const contentMessage =
    controlFault(contentToSend(type, record.content)) ?? contentFault(domain, normal);
  if (contentMessage !== undefined) faults.push({ field: 'content', message: contentMessage });
  return [...faults, ...fieldFaults(normal), ...replacesFaults(domain, normal)];
}

function codeOf({ field }: RecordFault): Code {
  if (field === 'type' || field === 'name') return 'SD2101';
  return field === 'content' ? 'SD2102' : 'SD2103';
}

function recordNotices(normal: NormalDeclared): string[] {
  const { type, name, record } = normal;
  const title = recordTitle(normal);
  if (!isKnownType(type))
    return [`${title}: this record type is not validated; it is sent unchanged`];
  const { rest } = splitContent(type, record.content);
  const notices: string[] = [];
  if (targetTypes.has(type) && isOneLabel(rest)) {
    notices.push(
      `${title}: its target ${shown(rest)} has no dot, so it may be read as relative to the domain: write the full name`,
    );
  }
  if (type === 'SRV' && !/^(?:_[^.]+|\*)\._[^.]+\./.test(name)) {
    notices.push(`${title}: the name of an SRV record usually starts like _service._tcp`);
  }
  return notices;
}

/**
 * Checks the records of one registered domain in the site file: names, contents and fields of known types, and
 * combinations of records. The section "DNS record" does not list the allowed types, so an unknown one gets a notice.
 *
 * @param domain the registered domain's name
 * @returns the problems in the file's order, because of which nothing is written, and hints
 */
export function checkZone(
  domain: string,
  declared: readonly DeclaredRecord[],
): { problems: (ZoneProblem & { code: Code })[]; notices: string[] } {
  const records = declared.map((record, index) => normalize(domain, record, index));
  const alone = records.flatMap((record) =>
    recordFaults(domain, record).map((fault) => ({ record, code: codeOf(fault), ...fault })),
  );
  const clashes = [
    ...cnameClashes(domain, records),
    ...duplicates(records),
    ...replacesClashes(domain, records),
  ];
  const problems = [...alone, ...clashes.map((clash) => ({ code: 'SD2104' as const, ...clash }))]
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

/** Types that allow the target `.` for none. */
const mayHaveNoTarget = new Set(['MX', 'SRV']);

function targetFault(domain: string, type: string, target: string): string | undefined {
  const text = shown(target);
  if (isIPv4(target) || isUnscopedIpv6(target)) {
    return `points to the address ${text}: use a hostname, or an A or AAAA record for an address`;
  }
  const [reading] = targetReadings(domain, target);
  if (reading === '.' && mayHaveNoTarget.has(type)) return undefined;
  const fault = nameFault(reading);
  return fault === undefined ? undefined : `points to ${text}, which ${fault}`;
}

function textFault(text: string): string | undefined {
  const strings = quotedStrings(text);
  if (strings === undefined && text.startsWith('"')) {
    return 'starts with an unclosed quote: write the text without quotes, or as "one" "two" with \\" for a quote in it';
  }
  const long = strings?.find((string) => string.length > longestString);
  if (long !== undefined) {
    return `has a quoted string of ${long.length} bytes; the limit is ${longestString}: split it as "one" "two", or write it without quotes`;
  }
  if (strings?.some((string) => /[^\0-\xff]/.test(string))) {
    return 'has an escape above \\255, which is not a byte: use three decimal digits up to 255';
  }
  const [{ length }] = textReadings(text);
  return length > longestText
    ? `has a text of ${length} bytes; the limit is ${longestText}`
    : undefined;
}

/**
 * Why a record's content is invalid for its type.
 *
 * @returns undefined if it is valid, or the type is unknown
 */
function contentFault(domain: string, { type, name, record }: NormalDeclared): string | undefined {
  const { rest } = splitContent(type, record.content);
  if (rest.trim() === '') return 'has no content';
  if (type === 'A') {
    if (isIPv4(rest)) return undefined;
    return `has ${shown(rest)}, which is not an IPv4 address: use four decimal numbers from 0 to 255, without leading zeros`;
  }
  if (type === 'AAAA') {
    return isUnscopedIpv6(rest)
      ? undefined
      : `has ${shown(rest)}, which is not an IPv6 address, such as 2001:db8::1`;
  }
  if (type === 'TXT' || type === 'CAA') return textFault(rest.trim());
  if (!targetTypes.has(type)) return undefined;
  if (type === 'CNAME' && targetReadings(domain, rest).includes(name)) return 'points to itself';
  return targetFault(domain, type, rest);
}

/**
 * Why a record's own name is invalid.
 *
 * @returns undefined if it is valid
 */
function ownNameFault(domain: string, name: string): string | undefined {
  const zone = fullName(domain, '@');
  if (!isInZone(zone, name)) {
    return `is not in ${zone}: remove the last dot if the name is relative`;
  }
  return nameFault(name.replace(/^\*(?=\.)/, 'x'));
}

/** A problem of one record, and the field to fix. */
interface RecordFault {
  field?: 'type' | 'name' | 'content' | 'replaces' | FieldName;
  message: string;
}

/** Fields that only some types have. */
const special: readonly FieldName[] = ['priority', 'weight', 'port', 'flags', 'tag'];

/** The checked types and their fields; `true` means required. */
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

/** True if a type's content and fields are checked; for other types only the ranges of numbers are. */
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
    const message = `has the ${field} ${shown(value)}; use a whole number from 0 to ${max}`;
    return isProper ? [] : [{ field, message }];
  });
}

function fittingFaults({ type, fields }: Normal): RecordFault[] {
  const own = fieldsOf.get(type);
  if (own === undefined) return [];
  return special.flatMap((field): RecordFault[] => {
    const isGiven = fields.has(field);
    if (own[field] === true && !isGiven) return [{ field, message: `has no ${field}: add it` }];
    if (own[field] !== undefined || !isGiven) return [];
    const message = `has the field ${field}, which ${type} records don't have: remove it`;
    return [{ field, message }];
  });
}

function contradictions({ type, record }: NormalDeclared): RecordFault[] {
  const given = givenFields(record);
  return [...splitContent(type, record.content).fields].flatMap(
    ([field, inContent]): RecordFault[] => {
      const value = given.get(field);
      if (value === undefined || String(value).toLowerCase() === String(inContent).toLowerCase()) {
        return [];
      }
      const message = `has the ${field} ${shown(value)}, but ${shown(inContent)} in its content: keep one`;
      return [{ field, message }];
    },
  );
}

/** The problems of a record's fields: range, tag, missing, not allowed, or contradictory. */
function fieldFaults(record: NormalDeclared): RecordFault[] {
  return [...valueFaults(record), ...fittingFaults(record), ...contradictions(record)];
}

/** The problems of the record that `replaces` names, which needs no field that it doesn't give. */
function replacesFaults(domain: string, declared: NormalDeclared): RecordFault[] {
  const replaced = replacedBy(domain, declared);
  if (replaced === undefined) return [];
  if (isSame(replaced, declared)) {
    return [{ field: 'replaces', message: 'replaces itself: remove replaces' }];
  }
  const wrongContent = contentFault(domain, replaced);
  const wrongFields = fieldFaults(replaced).filter(
    ({ field }) => field === 'priority' && replaced.fields.has(field),
  );
  const messages = wrongFields.map(({ message }) => message);
  if (wrongContent !== undefined) messages.unshift(wrongContent);
  return messages.map((message) => ({
    field: 'replaces',
    message: `replaces a record that ${message}`,
  }));
}

/** True if a record is the one that another describes by its content and given fields. */
const isSame = (described: Normal, record: Normal): boolean =>
  differences(described, record).length === 0;

/** A conflict of one record with others in the file. */
interface Clash extends RecordFault {
  record: NormalDeclared;
}

/** A CNAME and other records of its name, or one at the apex; unless it is proxied. */
function cnameClashes(domain: string, records: readonly NormalDeclared[]): Clash[] {
  const byName = Map.groupBy(records, ({ name }) => name);
  return records
    .filter(({ type }) => type === 'CNAME')
    .flatMap((record): Clash[] => {
      const isAlone = !isProxied(record);
      if (isAlone && record.name === fullName(domain, '@')) {
        const message =
          'is at the apex, where only a proxied CNAME is allowed: set proxied: true, or use A and AAAA records, or a subdomain';
        return [{ record, message }];
      }
      const others = (byName.get(record.name) ?? []).filter(
        (other) => other !== record && (isAlone || other.type === 'CNAME'),
      );
      if (others.length === 0) return [];
      const types = [...new Set(others.map(({ type }) => type))].sort().join(', ');
      const message = `has the same name as other records (${shown(types)}), but a CNAME must be the only one: keep either it or them`;
      return [{ record, message }];
    });
}

function duplicates(records: readonly NormalDeclared[]): Clash[] {
  const groups = Map.groupBy(
    records.filter(({ type }) => type !== 'CNAME'),
    groupKey,
  );
  return [...groups.values()].flatMap((group) =>
    group.flatMap((record, index): Clash[] => {
      const isTwice = group.slice(0, index).some((other) => isSameRecord(other, record));
      const message = `is declared twice with the content ${shown(record.record.content)}: keep one`;
      return isTwice ? [{ record, message }] : [];
    }),
  );
}

/** Records that replace one that the file declares too, or that another record replaces. */
function replacesClashes(domain: string, records: readonly NormalDeclared[]): Clash[] {
  return [...Map.groupBy(records, groupKey).values()].flatMap((group) => {
    const pairs = group.flatMap((record) => {
      const replaced = replacedBy(domain, record);
      return replaced === undefined ? [] : [{ record, replaced }];
    });
    return pairs.flatMap(({ record, replaced }, index): Clash[] => {
      const content = shown(replaced.record.content);
      const isDeclared = group.some((other) => other !== record && isSame(replaced, other));
      if (isDeclared) {
        const message = `replaces ${content}, which this file declares, too: keep one`;
        return [{ record, field: 'replaces', message }];
      }
      const isTwice = pairs
        .slice(0, index)
        .some((other) => isSame(other.replaced, replaced) || isSame(replaced, other.replaced));
      const message = `replaces ${content}, as another record does: keep one`;
      return isTwice ? [{ record, field: 'replaces', message }] : [];
    });
  });
}

/** A notice for each set of records of one type and name that do not all have the same TTL. */
function ttlNotices(records: readonly NormalDeclared[]): string[] {
  return [...Map.groupBy(records, groupKey).values()].flatMap((group) => {
    const [first] = group;
    const ttls = new Set(group.map(({ fields }) => fields.get('ttl')));
    if (first === undefined || ttls.size < 2) return [];
    return `${recordTitle(first)}: its records have different ttl values; use the same for all`;
  });
}
