import { type CheckResult, lacksCommit } from '../checks/result.ts';
import type { Commit } from '../contract/commit.ts';
import { type Ending, explainError } from '../frame/ending.ts';
import { type Diagnostic, diagnose, reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { sentence } from '../kernel/text/sentence.ts';
import type { DeployFindings, ReleaseContext } from '../release/context.ts';
import type { Rollback } from '../release/model/report.ts';
import { runFor } from './find-good-release.ts';
import { verdict } from './model/verdict.ts';
import { release } from './release.ts';
import { type RollbackContext, whyNot } from './rollback-guard.ts';
import { checksCanProve } from './verify.ts';

/** What a failed deployment left, whose way back was begun. */
interface Failed {
  commit: Commit;
  /** What failed, in words. */
  why: Diagnostic;
  /** How many variables were written. */
  written: number;
  checks: readonly CheckResult[];
}

/** What of a run stays, whichever commit is live. */
function whatStays({ written }: Failed): SafeText {
  if (written === 0) return safe``;
  return written === 1
    ? safe` Variables are not rolled back: the one that this run wrote stays as it is now.`
    : safe` Variables are not rolled back: the ${written} that this run wrote stay as they are now.`;
}

const describeDone = (failed: Failed, { commit }: Rollback): Diagnostic =>
  diagnose(
    'SD5005',
    safe`${failed.why.text} So it was rolled back: commit ${unsafeText(commit)} is live again, and its checks hold.${whatStays(failed)}`,
  );

/** What a way back that failed has left. @param cause how it failed */
function describeUndone(failed: Failed, rollback: Rollback, cause: SafeText): Diagnostic {
  const { commit, checks } = failed;
  const { live } = verdict({ ...nothing, commit, checks, deploymentEnd: 'succeeded', rollback });
  const to = unsafeText(rollback.commit);
  const isUnseen = lacksCommit(rollback.deploymentEnd === 'succeeded' ? rollback.checks : checks);
  const why = isUnseen
    ? safe`the site did not show the commit that was deployed last`
    : safe`that deployment may still go live`;
  const state =
    live === undefined
      ? safe`What is live is not known: ${why}.`
      : safe`Live is ${live === rollback.commit ? safe`that commit` : safe`commit ${unsafeText(live)}`}.`;
  const stays = whatStays(failed);
  return diagnose(
    'SD5006',
    safe`Rolling back to commit ${to} failed. ${sentence(cause)} ${state}${stays} It was to be rolled back for this: ${failed.why.text}`,
  );
}

const nothing = { outcome: 'failed', phases: [], requests: 0, durationMs: 0 } as const;

/**
 * Undoes a deployment whose checks failed, once, if that is right: deploys the commit of the last good release, by the
 * same code as any deployment, and runs the same checks for that commit.
 *
 * @param failure how the checks ended
 * @returns how the run ends, with what is live in words; rejects with the signal's reason
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
    const said = safe`Nothing was rolled back: ${reason ?? safe``}`;
    return { ...failure, error: reword(failure.error, (text) => safe`${text} ${said}`) };
  }
  const { commit } = before.release;
  let rollback: Rollback = { commit };
  const tell = (part: Partial<DeployFindings>) => {
    rollback = { ...rollback, ...part, commit };
    found({ rollback });
  };
  tell({});
  host.report({ type: 'rolling-back', commit });
  const failed = { commit: request.commit, why: failure.error, written, checks: results };
  const back = runFor(run, commit);
  const returning: ReleaseContext = {
    ...back,
    found: tell,
    keyFor: (operation, target) => run.keyFor(`roll back: ${operation}`, target),
    // Where only the checks could show its end, a time-out leaves it undone, and not unconfirmed.
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
