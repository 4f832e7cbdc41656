import { type CheckResult, lacksCommit } from '../checks/result.ts';
import type { Commit } from '../contract/commit.ts';
import { type Ending, explainError } from '../frame/ending.ts';
import { type Diagnostic, diagnose, reword } from '../kernel/diagnostic.ts';
import { sentence } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { ReleaseContext } from '../release/context.ts';
import type { DeployState, Rollback } from '../release/model/report.ts';
import { runFor } from './find-good-release.ts';
import { stageOf, verdict } from './model/verdict.ts';
import { release } from './release.ts';
import { type RollbackContext, whyNot } from './rollback-guard.ts';
import { checksCanProve } from './verify.ts';

/** A failed deployment that is being rolled back. */
interface Failed {
  commit: Commit;
  /** Why it failed. */
  why: Diagnostic;
  /** How many variables were written. */
  written: number;
  checks: readonly CheckResult[];
}

/** What a rollback does not change, as a sentence. */
function whatStays({ written }: Failed): SafeText {
  if (written === 0) return safe``;
  return written === 1
    ? safe` The variable that this run wrote keeps its new value.`
    : safe` The ${written} variables that this run wrote keep their new values.`;
}

const describeDone = (failed: Failed, { commit }: Rollback): Diagnostic =>
  diagnose(
    'SD5005',
    safe`${failed.why.text} Rolled back: commit ${unsafeText(commit)} is live again, and its checks pass.${whatStays(failed)}`,
  );

/** What a failed rollback has left. @param cause why it failed */
function describeUndone(failed: Failed, rollback: Rollback, cause: SafeText): Diagnostic {
  const { commit, checks } = failed;
  const release = { stage: 'succeeded' } as const;
  const { live } = verdict({ ...nothing, commit, checks, release, rollback });
  const to = unsafeText(rollback.commit);
  const isUnseen = lacksCommit(stageOf(rollback) === 'succeeded' ? rollback.checks : checks);
  const why = isUnseen
    ? safe`the site did not show the commit that was deployed last`
    : safe`that deployment may still go live`;
  const state =
    live === undefined
      ? safe`What is live is unknown: ${why}.`
      : safe`${live === rollback.commit ? safe`That commit` : safe`Commit ${unsafeText(live)}`} is live.`;
  const stays = whatStays(failed);
  return diagnose(
    'SD5006',
    safe`Rolling back to commit ${to} failed. ${sentence(cause)} ${state}${stays} Reason for the rollback: ${failed.why.text}`,
  );
}

const nothing = { outcome: 'failed', phases: [], requests: 0, durationMs: 0 } as const;

/**
 * Rolls a deployment back whose checks failed, once, if {@link whyNot} allows it: deploys the commit of the last good
 * release, and runs the same checks for that commit.
 *
 * @param failure the failure of the checks
 * @returns the ending, which names what is live; rejects with the signal's reason
 */
export async function rollBack(
  run: ReleaseContext,
  failure: Required<Pick<Ending, 'error'>> & Ending,
  rollbackContext: RollbackContext,
): Promise<Ending> {
  const { host, request, found } = run;
  const { before, written, results } = rollbackContext;
  const reason = await whyNot(run, rollbackContext);
  if (reason !== undefined || !('release' in before)) {
    const note = safe`Nothing was rolled back: ${reason ?? safe``}`;
    return { ...failure, error: reword(failure.error, (text) => safe`${text} ${note}`) };
  }
  const { commit } = before.release;
  let rollback: Rollback = { commit };
  const report = (part: Partial<DeployState>) => {
    rollback = { ...rollback, ...part, commit };
    found({ rollback });
  };
  report({});
  host.report({ type: 'rolling-back', commit });
  const failed = { commit: request.commit, why: failure.error, written, checks: results };
  const back = runFor(run, commit);
  const returning: ReleaseContext = {
    ...back,
    found: report,
    keyFor: (operation, target) => run.keyFor(`roll back: ${operation}`, target),
    // Without `restsOnChecks`: a timeout of the rollback is no unconfirmed deployment.
    waitsFor: (describe) => run.waitsFor(describe),
    phase: (_, work) => work(),
  };
  const fail = (why: SafeText): Ending => ({
    outcome: 'failed',
    error: describeUndone(failed, rollback, why),
  });
  try {
    const { ending } = await run.phase('roll-back', async () =>
      release(returning, { checksProve: await checksCanProve(returning), pushed: false }),
    );
    if (ending.outcome === 'succeeded') {
      return { outcome: 'rolled-back', error: describeDone(failed, rollback) };
    }
    return fail(ending.error === undefined ? safe`` : ending.error.text);
  } catch (error) {
    host.signal.throwIfAborted();
    return fail(explainError(error, host.clean).text);
  } finally {
    await back.checks.close();
  }
}
