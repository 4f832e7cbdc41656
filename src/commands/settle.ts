import type { Outcome } from '../core/outcome.ts';
import { explain } from './explain.ts';
import { EarlyEnd, type Host, RunAborted } from './host.ts';

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
    error: explain(reason, host.clean),
    ...(skipped === undefined ? {} : { skippedReason: skipped }),
  };
}
