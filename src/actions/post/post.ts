import { commentSignerFor } from '../../comments/run-comment.ts';
import { deployDefinition } from '../../deploy/inputs.ts';
import type { DeployReport } from '../../deploy/model/report.ts';
import { describeRun } from '../../deploy/model/title.ts';
import { describeLeftovers } from '../../deploy/model/verdict.ts';
import { Recorder } from '../../deploy/recorder.ts';
import { type Diagnostic, diagnose } from '../../kernel/diagnostic.ts';
import { createRedact } from '../../kernel/text/redact.ts';
import { type SafeText, safe } from '../../kernel/text/safe.ts';
import type { Platform } from '../../platform.ts';
import { recordSignerFor } from '../../releases/series.ts';
import { accessOf } from '../../step/access.ts';
import { reportedState } from '../../step/end-step.ts';
import { readInputs } from '../../step/read-values.ts';
import { startGracePeriod } from '../../step/run-outcome.ts';
import { type Journal, readJournal } from './journal.ts';

/**
 * The post step: if the main step was killed, or ended with an unexpected error, it reports what is left and updates the
 * comment and the GitHub deployment.
 */
export async function postStep(platform: Platform): Promise<void> {
  const { read } = await platform.load();
  const reported = read(reportedState);
  if (reported === 'true') return;
  const isBroken = reported === 'broken';
  const inputs = readInputs(deployDefinition.inputs, platform.input);
  platform.mask(inputs.secrets);
  const log = platform.openLog(createRedact(inputs.secrets));
  const warn = (diagnostic: Diagnostic<string>) => log.write({ kind: 'warning', diagnostic });
  const journal = readJournal(read);
  const ended = isBroken ? safe`ended with an unexpected error` : safe`was killed`;
  // The step has reported its error, and nothing was begun.
  if (isBroken && journal === 'absent') return;
  if (journal === 'damaged') {
    const damage = safe`The step ${ended}, and its saved state is damaged: check what is live. Its comment and its GitHub deployment, if any, are not updated`;
    return warn(diagnose('SD9005', damage));
  }
  if (journal === 'absent') {
    // A main step that can't write its state reports nevertheless, and this step can't know that.
    const text = `The step was killed before it saved its state. No deployment was requested, and nothing was written, unless its log warns that its state could not be written.`;
    return warn(diagnose('SD9004', text));
  }
  const { plan, deploymentId, commentId } = journal;
  const diagnostic = diagnose(
    isBroken ? 'SD9003' : 'SD9004',
    journal.report === undefined
      ? safe`The step ${ended} before it could report. ${whatIsLeft(journal)}`
      : safe`The step ${ended} while it reported: ${describeRun(journal.report)}`,
  );
  const report = journal.report ?? unfinishedReport(journal, diagnostic);
  log.write({ kind: 'warning', diagnostic, title: describeRun(report) });
  const context = platform.readContext();
  const recording = inputs.with(['api-key', 'env-ledger-key', 'github-token'], (values) => ({
    access: accessOf(values, context),
    commentSignerFor: (number: number) => commentSignerFor(values, context.repository, number),
    recordSigner: recordSignerFor(values, context.repository),
    warn,
    journal: () => undefined,
  }));
  if (recording === undefined) return;
  const recorder = new Recorder(plan, recording, { deploymentId, commentId });
  const { troubleshootingUrl: helpUrl } = context;
  await recorder.finish({ ...report, helpUrl }, startGracePeriod());
}

/** The report of a run that was killed, or ended with an unexpected error, before it could make one. */
export function unfinishedReport(
  { plan, found, isCancelled }: Journal,
  error: Diagnostic,
): DeployReport {
  const projectId = found.projectId ?? plan.projectId;
  return {
    outcome: 'cancelled',
    isUnfinished: isCancelled !== true,
    subject: plan.subject,
    commit: plan.commit ?? undefined,
    ...found,
    projectId,
    error,
    phases: [],
    requests: 0,
    durationMs: 0,
  };
}

/** What a run leaves behind that ended before its outcome was known. */
function whatIsLeft({ job, found }: Journal): SafeText {
  if (job === 'end-preview') {
    return safe`The preview's domain may still be assigned: rerun the job.`;
  }
  const left = describeLeftovers(found);
  if (left === '') {
    return safe`No deployment was requested. Some variables may have been written; the next run writes the rest.`;
  }
  if (found.release === undefined || found.rollback !== undefined) return left;
  const { stage } = found.release;
  if (stage === 'succeeded') return safe`${left} Later steps did not finish.`;
  return stage === 'failed' ? left : safe`${left} If it isn't live, rerun the job.`;
}
