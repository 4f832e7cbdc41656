import type { Outcome } from '../core/outcome.ts';
import { clean } from '../core/text/clean.ts';
import { explain } from './explain.ts';
import { EarlyEnd, type Host, RunAborted } from './host.ts';

/** The most characters of an error: some name what the service lists, and it may list a million things. */
const longestError = 4000;

/** How a run ended that was cut off or failed. */
export interface Ending {
  outcome: Outcome;
  error: string;
  skippedReason?: string;
}

/** Says how a run ends because of an error. Once the run's signal has aborted, its reason is the cause. */
export function settle(host: Host, error: unknown): Ending {
  const reason: unknown = host.signal.aborted ? host.signal.reason : error;
  const hasOutcome = reason instanceof RunAborted || reason instanceof EarlyEnd;
  const skipped = reason instanceof EarlyEnd ? reason.skippedReason : undefined;
  return {
    outcome: hasOutcome ? reason.outcome : 'failed',
    error: clean(explain(reason, host.clean), longestError),
    ...(skipped === undefined ? {} : { skippedReason: skipped }),
  };
}
