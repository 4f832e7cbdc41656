import type { Dialect } from '../../dialect.ts';
import { applyDialect } from '../apply-dialect.ts';
import { spellContent } from './contents.ts';
import { spellName } from './names.ts';
import { shuffled } from './order.ts';
import type { EmulatedDnsRecord, RecordFields } from './record.ts';
import type { RegisteredDomain } from './registered-domain.ts';
import { quote } from './txt.ts';

/** A DNS record as the service answers it (section "DNS record"). */
export function describeRecord(
  { id, managedReason, ...written }: EmulatedDnsRecord,
  domain: string,
  dialect: Dialect,
): unknown {
  const { managedWords, hostileText } = dialect;
  const spelled = {
    ...dialect.recordDefaults,
    ...written,
    ...ownTtl(written, dialect),
    name: spellName(written.name, domain, dialect),
    content: spellContent(written, dialect),
  };
  return applyDialect(dialect, {
    ...(dialect.fieldsInContent ? foldIn(spelled) : spelled),
    id,
    managedBy: managedReason === null ? managedWords.customer : managedWords.system,
    managedReason:
      managedReason === null || hostileText === null
        ? managedReason
        : `${managedReason} ${hostileText}`,
  });
}

/** The TTL that a dialect has in place of the one that was given. */
function ownTtl({ ttl, proxied }: RecordFields, { ownTtls }: Dialect): { ttl?: number } {
  if (ownTtls === 'if-proxied' && proxied === true) return { ttl: 1 };
  return ownTtls === 'below-60' && ttl !== undefined ? { ttl: Math.max(60, ttl) } : {};
}

/** All records of a domain as the service answers them. */
export function describeRecords({ name, records }: RegisteredDomain, dialect: Dialect): object {
  const { recordOrder, seed } = dialect;
  const ordered = recordOrder === 'created' ? records : shuffled(records, seed, ({ id }) => id);
  const described = ordered.map((record) => describeRecord(record, name, dialect));
  return Object.assign({ records: described }, applyDialect(dialect, {}));
}

type FoldableRecord = Omit<RecordFields, 'comment'>;

/** The fields that stand in front of the content, where a dialect has them there. */
const inFront: ReadonlyMap<string, readonly (keyof FoldableRecord)[]> = new Map([
  ['MX', ['priority']],
  ['SRV', ['priority', 'weight', 'port']],
  ['CAA', ['flags', 'tag']],
]);

function foldIn(record: FoldableRecord): object {
  const names = inFront.get(record.type);
  if (names === undefined) return record;
  const front = names.flatMap((name) => record[name] ?? []);
  const content = record.type === 'CAA' ? quote(record.content) : record.content;
  const kept = Object.entries(record).filter(([field]) => !names.some((name) => name === field));
  return { ...Object.fromEntries(kept), content: [...front, content].join(' ') };
}
