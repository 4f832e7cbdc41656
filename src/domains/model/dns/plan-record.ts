import type { DnsRecord } from '../../../contract/dns-record.ts';
import type { Undeclared } from '../../../kernel/change.ts';
import { joinSafe, type SafeText, safe } from '../../../kernel/text/safe.ts';

import type { ZoneProblem } from './check.ts';
import { targetTypes } from './content.ts';
import { describeDifference } from './describe.ts';
import type { Match } from './match.ts';
import { asciiName } from './name.ts';
import { type Difference, differences, type Normal } from './normal.ts';
import {
  type DeclaredRecord,
  isManaged,
  type RecordBody,
  recordTitle,
  type Sanitize,
  shown,
} from './record.ts';

/**
 * The record that a write sends: exactly the fields that the user gave, in the user's spelling, because
 * which fields and spellings the service takes is not shown. Only the type is put in upper case, an empty
 * name is `@`, and names in other scripts are put in punycode, without which they are no DNS names.
 */
function bodyOf(declared: DeclaredRecord): RecordBody {
  const type = declared.type.trim().toUpperCase();
  const name = asciiName(declared.name.trim()) || '@';
  const content = declared.content.trim();
  const isTarget = targetTypes.has(type);
  return { ...declared, type, name, content: isTarget ? asciiName(content) : content };
}

/** What is to be done about one declared record. */
export type RecordPlan = {
  declared: DeclaredRecord;
  /** Its place in the file's list. */
  index: number;
  /** In upper case. */
  type: string;
  /** The full name, in lower case and punycode. */
  name: string;
  /** Why, for a person; cut. */
  reason: SafeText;
} & (
  | { action: 'create'; body: RecordBody }
  | {
      action: 'update';
      observed: DnsRecord;
      id: string;
      body: RecordBody;
      differences: readonly Difference[];
      /** Why the one whose place it takes does not count as the file's; absent if it does. */
      undeclared?: Undeclared;
    }
  | { action: 'none'; observed: DnsRecord }
);

type NormalDeclared = Normal<DeclaredRecord>;
type ObservedRecord = Normal<DnsRecord>;

const problemOf = (declared: NormalDeclared, message: string): ZoneProblem => ({
  index: declared.index,
  message: `${recordTitle(declared)}: ${message}`,
  fault: message,
});

/**
 * A record of the service that a new one may not stand beside, because one of the two is a CNAME. One that
 * the service shows at the apex is no such thing: it can only be answered with its target's addresses there.
 */
function conflictingRecord(
  zone: string,
  { type, name }: NormalDeclared,
  sameName: readonly ObservedRecord[],
): ObservedRecord | undefined {
  if (name === zone) return undefined;
  return sameName.find((other) => (type === 'CNAME') !== (other.type === 'CNAME'));
}

function refuseBeside({ record, type }: ObservedRecord, sanitize: Sanitize): string {
  const fix = isManaged(record)
    ? 'The system manages it: take this one out of the file'
    : 'Nothing is deleted from here: remove it at the service, or take this one out of the file';
  return `the service has ${type} ${shown(record.content, sanitize)} at this name, and a CNAME stands alone. ${fix}`;
}

function planUpdate(
  { declared, observed, ...match }: Extract<Match, { observed: ObservedRecord }>,
  sanitize: Sanitize,
): RecordPlan | ZoneProblem {
  const { record, index, type, name } = declared;
  const common = { declared: record, observed: observed.record, index, type, name };
  const found = differences(declared, observed);
  if (found.length === 0) {
    const by = isManaged(observed.record) ? safe`, and managed by the system` : safe``;
    return { ...common, action: 'none', reason: safe`already as declared${by}` };
  }
  const { id } = observed.record;
  if (!id) {
    const message = `the service shows no id for ${shown(observed.record.content, sanitize)}, so it cannot be updated: change it at the service`;
    return problemOf(declared, message);
  }
  const reason = joinSafe(
    found.map((one) => describeDifference(one, sanitize)),
    '; ',
  );
  const plan = { ...common, action: 'update' as const, id, body: bodyOf(record) };
  return {
    ...plan,
    differences: found,
    reason,
    ...(match.kind === 'undeclared' && { undeclared: match.why }),
  };
}

/**
 * Plans one declared record by what it was matched with.
 *
 * @param zone the registered domain's full name
 * @param sameName all records of the service that have the declared one's name
 * @param sanitize makes what the service shows printable and free of secrets
 * @returns a problem if it cannot be written
 */
export function planRecord(
  zone: string,
  match: Match,
  sameName: readonly ObservedRecord[],
  sanitize: Sanitize,
): RecordPlan | ZoneProblem {
  const { declared } = match;
  if (match.kind === 'refused') return problemOf(declared, match.message);
  if (match.kind !== 'alone') return planUpdate(match, sanitize);
  const other = conflictingRecord(zone, declared, sameName);
  if (other !== undefined) return problemOf(declared, refuseBeside(other, sanitize));
  const { record, index, type, name } = declared;
  const reason = safe`the service had no such record`;
  return { declared: record, index, type, name, action: 'create', body: bodyOf(record), reason };
}
