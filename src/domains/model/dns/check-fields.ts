import { splitContent } from './content.ts';
import type { Normal } from './normal.ts';
import { type DeclaredRecord, type FieldName, givenFields, shown } from './record.ts';

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
