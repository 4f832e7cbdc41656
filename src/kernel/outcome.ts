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
  /** Whether it fails the step: always, or with the input `strict`; absent: never. */
  fails?: true | 'if-strict';
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
  unconfirmed: { name: 'Unconfirmed', icon: '❓', gitHub: 'inactive', fails: 'if-strict' },
  accepted: { name: 'Accepted, not followed', icon: '📨', gitHub: 'inactive' },
  planned: { name: 'Planned', icon: '📋', gitHub: 'inactive' },
  synced: { name: 'Synced', icon: '✅', gitHub: 'inactive' },
  conflict: { name: 'Conflict', icon: '⚠️', gitHub: 'failure', fails: true },
  skipped: { name: 'Skipped', icon: '⏭️', gitHub: 'inactive' },
  'cleaned-up': { name: 'Cleaned up', icon: '🧹', gitHub: 'inactive' },
};

/** What decides besides the outcome whether a step fails. */
export interface FailureReasons {
  /** The input `strict`; absent: the action has none. */
  strict?: boolean;
  /** True if a plan found drift, and an input says that this fails the step. */
  isDrifted?: boolean;
}

/** True if a step with an outcome fails. */
export function failsStep(
  outcome: Outcome,
  { strict = false, isDrifted = false }: FailureReasons = {},
): boolean {
  const { fails } = outcomes[outcome];
  return isDrifted || fails === true || (fails === 'if-strict' && strict);
}
