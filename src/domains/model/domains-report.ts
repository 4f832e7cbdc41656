import type { Coded } from '../../kernel/catalogue/coded.ts';
import type { DomainChange, PlannedChange } from '../../kernel/change.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import type { SafeText } from '../../kernel/text/safe.ts';
import type { AvailabilityRow } from './availability.ts';
import type { DomainReport } from './domain-report.ts';
import type { DomainStatus } from './domain-state.ts';

/** What became of one write, or would become of it. */
export interface ChangeResult {
  resource: DomainChange['resource'];
  name: SafeText;
  /** What was to be done, such as `create` or `renewal on`. */
  action: string;
  outcome:
    | 'done'
    /** Of a plan. */
    | 'planned'
    | 'failed'
    /** Something before it failed, or the run ended. */
    | 'not-reached'
    /** The service's answer does not say whether it is so. */
    | 'unconfirmed';
  /** Why, in words. */
  reason: SafeText;
  /** True if it failed as another one did, whose reason tells it in full. */
  isRepeated?: true;
}

/** A DNS record in a line, for people, and as a whole. */
export interface ListedRecord {
  domain: SafeText;
  type: SafeText;
  name: SafeText;
  content: SafeText;
  /** Why it is managed by the system; empty if it is not. */
  managed: SafeText;
  /** All its fields as the service shows them, texts of up to 4,000 characters not cut. */
  whole: Readonly<Record<string, unknown>>;
}

/** A connected domain after a run. */
export interface ConnectedReport extends Omit<DomainReport, 'statuses'> {
  /** Each status that it shows. */
  statuses: readonly DomainStatus<SafeText>[];
  /** Empty if it is assigned to none: then its routing is no part of its verification. */
  projectId: SafeText;
}

/** Everything that a run of the domains command has to say. */
export interface DomainsReport {
  outcome: Outcome;
  /** True if nothing was written: `mode: plan`, or a plan that was refused. */
  isPlanned: boolean;
  digest: string;
  changes: readonly PlannedChange[];
  results: readonly ChangeResult[];
  /** How many declared records, and connected domains, are as declared already. */
  unchanged: number;
  connected: readonly ConnectedReport[];
  undeclared: readonly ListedRecord[];
  managed: readonly ListedRecord[];
  availability: readonly AvailabilityRow[];
  /** Why a plan that is only shown would not be applied. */
  refusal?: Coded;
  /** True if the step fails because the service is not as the file says. */
  drifted?: true;
  requests: number;
  unconnected?: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: Coded;
}

/** How many settings of registered domains a report holds: they are set on each apply, and are no changes. */
export function countSettings({ results }: Pick<DomainsReport, 'results'>): number {
  return results.filter(({ resource }) => resource === 'registered-domain').length;
}

/** The report of a run that did nothing yet. */
export function emptyReport(): Omit<DomainsReport, 'outcome' | 'requests' | 'durationMs'> {
  return {
    isPlanned: false,
    digest: '',
    changes: [],
    results: [],
    unchanged: 0,
    connected: [],
    undeclared: [],
    managed: [],
    availability: [],
  };
}
