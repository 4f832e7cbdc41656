import { fullName } from './name.ts';
import { groupKey, isSameRecord, type Normal } from './normal.ts';
import { type DeclaredRecord, recordTitle, shown } from './record.ts';

type NormalDeclared = Normal<DeclaredRecord>;

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
