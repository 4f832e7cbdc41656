import type { DnsRecord } from '../contract/dns-record.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import type { LedgerKeeper, OpenLedger } from '../ledger/ledger-keeper.ts';
import type { DeclaredZone } from '../ledger/model/ledger.ts';
import {
  type KnownRecords,
  nothingKnown,
  type RecordPlan,
  rememberRecords,
} from './dns/plan-record.ts';
import type { DomainsPlan } from './plan.ts';

/** Where the records that a site file declared are stored. */
export interface MemoryRequest {
  ledgers: LedgerKeeper;
  /** The project of the ledger; empty: none. */
  projectId: string;
  /** The site file's path. */
  file: string;
}

/** The records as returned by their writes. */
export type Written = Map<RecordPlan, DnsRecord>;

/** The records that a site file declared when it was last applied. */
export interface RecordMemory {
  known(domain: string): KnownRecords;
  /** Why no records are known; undefined if the ledger was read. */
  problem: SafeText | undefined;
  /** Starts to save the records that the file declares now. */
  keep(plan: DomainsPlan, written: Written): void;
}

const nothing: RecordMemory = {
  known: () => nothingKnown,
  problem: safe`No ledger is kept.`,
  keep: () => undefined,
};

const byId = ([a]: [string, string], [b]: [string, string]): number =>
  Number(a > b) - Number(a < b);

function memoryIn({ ledger, problem, save }: OpenLedger, file: string): RecordMemory {
  const before = ledger.zones ?? [];
  const own = before.filter((zone) => zone.file === file);
  const others = before.filter((zone) => zone.file !== file);
  const known: RecordMemory['known'] = (domain) =>
    new Map(own.find((zone) => zone.domain === domain)?.records);
  return {
    known,
    problem,
    keep: ({ zones }, written) => {
      const now = zones.map(({ domain, plan }): DeclaredZone => {
        const next = rememberRecords(domain, plan.records, written, known(domain));
        return { file, domain, records: [...next].sort(byId) };
      });
      const next = [...others, ...now.filter(({ records }) => records.length > 0)];
      if (JSON.stringify(next) !== JSON.stringify(before)) save({ zones: next });
    },
  };
}

/** @throws the run's signal's reason */
export async function openMemory(request: MemoryRequest | undefined): Promise<RecordMemory> {
  if (request === undefined) return nothing;
  const { ledgers, projectId, file } = request;
  return memoryIn(await ledgers.open(projectId), file);
}
