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

/** What an outcome is called and shown as, here and on GitHub. */
interface OutcomeRow {
  name: string;
  icon: string;
  /** The state of the GitHub Deployment of a run that ended so. */
  gitHub: 'success' | 'failure' | 'error' | 'inactive';
  /** Whether it fails the step: always, or where `on-unconfirmed` is `fail`; absent: never. */
  fails?: true | 'if-asked';
}

/** Everything that there is to say of each outcome, whatever action it is of. */
export const outcomes: Readonly<Record<Outcome, OutcomeRow>> = {
  succeeded: { name: 'Deployed', icon: '✅', gitHub: 'success' },
  failed: { name: 'Failed', icon: '❌', gitHub: 'failure', fails: true },
  // The commit that it is about is not live, and the earlier one keeps its own success.
  'rolled-back': { name: 'Rolled back', icon: '↩️', gitHub: 'failure', fails: true },
  'timed-out': { name: 'Timed out', icon: '⏱️', gitHub: 'error', fails: true },
  cancelled: { name: 'Cancelled', icon: '🚫', gitHub: 'error', fails: true },
  // Nobody saw it live, and it must not look as if it were under way for ever.
  unconfirmed: { name: 'Unconfirmed', icon: '❓', gitHub: 'inactive', fails: 'if-asked' },
  accepted: { name: 'Accepted, not followed', icon: '📨', gitHub: 'inactive' },
  planned: { name: 'Planned', icon: '📋', gitHub: 'inactive' },
  synced: { name: 'Synced', icon: '✅', gitHub: 'inactive' },
  conflict: { name: 'Conflict', icon: '⚠️', gitHub: 'failure', fails: true },
  skipped: { name: 'Skipped', icon: '⏭️', gitHub: 'inactive' },
  'cleaned-up': { name: 'Cleaned up', icon: '🧹', gitHub: 'inactive' },
};

/** True if a run that ended so must fail its step. */
export function failsStep(outcome: Outcome, onUnconfirmed: 'warn' | 'fail'): boolean {
  const { fails } = outcomes[outcome];
  return fails === true || (fails === 'if-asked' && onUnconfirmed === 'fail');
}
