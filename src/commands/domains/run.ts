import type { DeclaredDomains } from '../../core/domains/declared.ts';
import type { DesiredVariable } from '../../core/environment/desired.ts';
import type { ConflictPolicy } from '../../core/environment/variable-plan.ts';
import type { Gates } from '../../core/gate.ts';
import type { DomainsReport } from '../../core/report/domains-report.ts';
import type { LedgerKeeper } from '../environment/ledger-keeper.ts';
import type { Run } from '../run.ts';

/** What the domains command is asked to do. Everything has been checked. */
export interface DomainsRequest {
  declared: DeclaredDomains;
  /** The variables that the site file declares for a project; absent if it declares none. */
  environment?: {
    projectId: string;
    variables: readonly DesiredVariable[];
    ledgers: LedgerKeeper;
    /** What to do about a variable that changed elsewhere. */
    onConflict: ConflictPolicy;
  };
  /** Names to check for availability and price. */
  check: readonly string[];
  /** The most that a checked name may cost, in US dollars. */
  maxPrice: number | undefined;
  planOnly: boolean;
  gates: Gates;
  /** True if the site file must change nothing: it is not merged. */
  guarded: boolean;
  /** Follow the verification of connected domains for so many milliseconds; undefined: do not. */
  follow: number | undefined;
}

/** The report so far. */
export type Report = Omit<DomainsReport, 'requests' | 'durationMs'>;

/** A run that is under way. */
export interface Managing extends Run {
  request: DomainsRequest;
  report: Report;
}
