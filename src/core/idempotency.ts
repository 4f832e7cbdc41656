import { createHash } from 'node:crypto';

/** What makes one run of one step different from all others. */
export interface RunIdentity {
  repository: string;
  runId: string;
  runAttempt: string;
  job: string;
  step: string;
}

/**
 * The idempotency key of one write (section "Endpoints"): the same for each retry in one run attempt,
 * another in the next attempt, so that a re-run is never answered with the result of the run that failed.
 *
 * @param target what the write is about, such as project and commit
 * @returns 67 characters, within the 128 that the interface allows
 */
export function idempotencyKey(run: RunIdentity, operation: string, target: string): string {
  const parts = [run.repository, run.runId, run.runAttempt, run.job, run.step, operation, target];
  return `sd-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}
