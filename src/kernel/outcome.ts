/** How a run ended, in one word. */
export type Outcome =
  | 'succeeded'
  | 'failed'
  | 'rolled-back'
  | 'timed-out'
  | 'cancelled'
  | 'unconfirmed'
  | 'accepted'
  | 'planned'
  | 'synced'
  | 'conflict'
  | 'skipped'
  | 'cleaned-up';

const failing: ReadonlySet<Outcome> = new Set([
  'failed',
  'rolled-back',
  'timed-out',
  'cancelled',
  'conflict',
]);

/** True if a run that ended so must fail its step. */
export function failsStep(outcome: Outcome, onUnconfirmed: 'warn' | 'fail'): boolean {
  return failing.has(outcome) || (outcome === 'unconfirmed' && onUnconfirmed === 'fail');
}
