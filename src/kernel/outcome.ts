import { type SafeText, safe } from './text/safe.ts';

/** How an outcome is shown. */
interface OutcomeRow {
  name: SafeText;
  icon: string;
  /** The state of the run's GitHub deployment. */
  gitHub: 'success' | 'failure' | 'error' | 'inactive';
  /** Whether it fails the step: always, or with the input `strict`; absent: never. */
  fails?: true | 'if-strict';
}

/** The outcomes of all actions. */
export const outcomes = {
  succeeded: { name: safe`Deployed`, icon: '✅', gitHub: 'success' },
  failed: { name: safe`Failed`, icon: '❌', gitHub: 'failure', fails: true },
  // This commit is not live; the deployment of the earlier one stays a success.
  'rolled-back': { name: safe`Rolled back`, icon: '↩️', gitHub: 'failure', fails: true },
  'timed-out': { name: safe`Timed out`, icon: '⏱️', gitHub: 'error', fails: true },
  cancelled: { name: safe`Canceled`, icon: '🚫', gitHub: 'error', fails: true },
  // It is not known to be live, and must not look in progress forever.
  unconfirmed: { name: safe`Unconfirmed`, icon: '❓', gitHub: 'inactive', fails: 'if-strict' },
  accepted: { name: safe`Accepted, not followed`, icon: '📨', gitHub: 'inactive' },
  planned: { name: safe`Planned`, icon: '📋', gitHub: 'inactive' },
  synced: { name: safe`Synced`, icon: '✅', gitHub: 'inactive' },
  conflict: { name: safe`Conflict`, icon: '⚠️', gitHub: 'failure', fails: true },
  skipped: { name: safe`Skipped`, icon: '⏭️', gitHub: 'inactive' },
  'cleaned-up': { name: safe`Cleaned up`, icon: '🧹', gitHub: 'inactive' },
} as const satisfies Readonly<Record<string, OutcomeRow>>;

/** The result of a run. */
export type Outcome = keyof typeof outcomes;

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
  const { fails }: OutcomeRow = outcomes[outcome];
  return isDrifted || fails === true || (fails === 'if-strict' && strict);
}
