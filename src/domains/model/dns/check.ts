import type { Code } from '../../../kernel/catalogue/code.ts';
import { contentFault, ownNameFault } from './check-content.ts';
import { fieldFaults, isKnownType, type RecordFault } from './check-fields.ts';
import { clashes, ttlNotices } from './check-together.ts';
import { splitContent, targetTypes } from './content.ts';
import { isOneLabel } from './name.ts';
import { type Normal, normalise } from './normal.ts';
import { type DeclaredRecord, recordTitle, shown } from './record.ts';

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

/** Its entry in the catalogue: by the part of the record that is wrong. */
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
