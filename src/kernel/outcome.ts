/** The result of a run. */
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

/** How an outcome is shown. */
interface OutcomeRow {
  name: string;
  icon: string;
  /** The state of the run's GitHub deployment. */
  gitHub: 'success' | 'failure' | 'error' | 'inactive';
  /** Whether it fails the step: always, or where `on-unconfirmed` is `fail`; absent: never. */
  fails?: true | 'if-asked';
}

/** The outcomes of all actions. */
export const outcomes: Readonly<Record<Outcome, OutcomeRow>> = {
  succeeded: { name: 'Deployed', icon: '✅', gitHub: 'success' },
  failed: { name: 'Failed', icon: '❌', gitHub: 'failure', fails: true },
  // This commit is not live; the deployment of the earlier one stays a success.
  'rolled-back': { name: 'Rolled back', icon: '↩️', gitHub: 'failure', fails: true },
  'timed-out': { name: 'Timed out', icon: '⏱️', gitHub: 'error', fails: true },
  cancelled: { name: 'Canceled', icon: '🚫', gitHub: 'error', fails: true },
  // It is not known to be live, and must not look in progress forever.
  unconfirmed: { name: 'Unconfirmed', icon: '❓', gitHub: 'inactive', fails: 'if-asked' },
  accepted: { name: 'Accepted, not followed', icon: '📨', gitHub: 'inactive' },
  planned: { name: 'Planned', icon: '📋', gitHub: 'inactive' },
  synced: { name: 'Synced', icon: '✅', gitHub: 'inactive' },
  conflict: { name: 'Conflict', icon: '⚠️', gitHub: 'failure', fails: true },
  skipped: { name: 'Skipped', icon: '⏭️', gitHub: 'inactive' },
  'cleaned-up': { name: 'Cleaned up', icon: '🧹', gitHub: 'inactive' },
};

/** True if an outcome fails the step. */
export function failsStep(outcome: Outcome, onUnconfirmed: 'warn' | 'fail'): boolean {
  const { fails } = outcomes[outcome];
  return fails === true || (fails === 'if-asked' && onUnconfirmed === 'fail');
}
