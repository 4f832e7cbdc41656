import type { DnsRecord } from '../../../contract/dns-record.ts';
import { digestOf } from '../../../kernel/change.ts';
import { type Normal, normalise } from './normal.ts';
import type { RecordPlan } from './plan-record.ts';

/** The records of a zone that a file declared when it was last applied: of each its id and its mark. */
export type KnownRecords = ReadonlyMap<string, string>;

/** Nothing is remembered. */
export const nothingKnown: KnownRecords = new Map();

/** How much of a digest tells a zone's records apart, in hex digits. */
const markLength = 20;

/**
 * What must be as it was for a record to count as the one that had its id: an id may be given anew. Of a text, beside
 * which others of its name stand for something else, that is its content; of any other record, whose content may have
 * been changed elsewhere, it is not.
 *
 * @returns a mark for each reading of the content
 */
function marksOf({ type, name, fields, readings }: Normal): string[] {
  const own = [type, name, fields.get('tag') ?? null, fields.get('port') ?? null];
  const all = type === 'TXT' ? readings.map((reading) => [...own, reading]) : [own];
  return all.map((facts) => digestOf(facts).slice(0, markLength));
}

/** How a record of the service stands to what is remembered. */
export type Knowledge = 'known' | 'moved' | 'unknown';

/** Whether a record of the service is one that the file declared; `moved`: its id is known, for another text. */
export function knowledgeOf(record: Normal<DnsRecord>, known: KnownRecords): Knowledge {
  const mark = known.get(record.record.id ?? '');
  if (mark === undefined) return 'unknown';
  return marksOf(record).includes(mark) ? 'known' : 'moved';
}

/** What is remembered of which the id tells one record: one that the service shows twice is none that is known. */
export function withoutDoubles(known: KnownRecords, records: readonly DnsRecord[]): KnownRecords {
  const seen = Map.groupBy(records, ({ id }) => id);
  return new Map([...known].filter(([id]) => (seen.get(id)?.length ?? 0) < 2));
}

/**
 * What is to be remembered of a zone after an apply: the records that the file declares now, and no others.
 *
 * @param written the records as the service answered their writes
 */
export function rememberRecords(
  domain: string,
  records: readonly RecordPlan[],
  written: ReadonlyMap<RecordPlan, DnsRecord>,
  known: KnownRecords,
): KnownRecords {
  const next = new Map<string, string>();
  for (const plan of records) {
    const answer = written.get(plan);
    const observed = plan.action === 'create' ? undefined : plan.observed;
    const id = answer?.id ?? observed?.id ?? '';
    const left = answer ?? (plan.action === 'none' ? observed : undefined);
    // One whose write failed is known as well as it was before.
    const mark = left === undefined ? known.get(id) : marksOf(normalise(domain, left, 0))[0];
    if (id !== '' && mark !== undefined) next.set(id, mark);
  }
  return next;
}
