/**
 * Node's `crypto`, loaded on first use: loading takes a tenth of the startup time, and a step's first request doesn't
 * need it.
 */
// biome-ignore lint/style/noRestrictedGlobals: an import statement would load it at once; it is the same everywhere
export const cryptography = () => process.getBuiltinModule('node:crypto');

/** Identifies one run of one step. */
export interface RunIdentity {
  repository: string;
  runId: string;
  runAttempt: string;
  job: string;
  step: string;
  /** Random for each process: outside GitHub the rest may be the same in every run. */
  nonce: string;
}

/** True of a run id as GitHub assigns them, so that it is safe to show. */
export const isRunId = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{1,20}$/.test(text);

/**
 * The idempotency key of one write (section "Endpoints"): the same for each retry in one process and different in every
 * other, so that no run gets the result of an earlier one.
 *
 * @param target what is written, such as project and commit
 * @returns 67 characters, within the 128 that the interface allows
 */
export function idempotencyKey(run: RunIdentity, operation: string, target: string): string {
  const { repository, runId, runAttempt, job, step, nonce } = run;
  const parts = [repository, runId, runAttempt, job, step, nonce, operation, target];
  return `sd-${cryptography().createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}
