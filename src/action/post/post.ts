import { sealFor } from '../../comments/comment-seal.ts';
import { deploy } from '../../deploy/inputs.ts';
import { describeRun } from '../../deploy/model/title.ts';
import { describeLeftovers, type Interrupted } from '../../deploy/model/verdict.ts';
import { type KnownIds, Recorder, type RecordingPlan } from '../../deploy/recorder.ts';
import { accessOf } from '../../frame/access.ts';
import { startGracePeriod } from '../../frame/ending.ts';
import { recordSealFor } from '../../frame/record-seal.ts';
import { type Diagnostic, diagnose } from '../../kernel/diagnostic.ts';
import { createRedact } from '../../kernel/text/redact.ts';
import { clean, type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { Platform, ReadKept } from '../../platform.ts';
import type { DeployReport, Release, Rollback } from '../../release/model/report.ts';
import { readInputs } from '../preflight/inputs.ts';
import { postState, readKept, readKeptReport } from './kept.ts';

/** The saved release of the run's own commit; undefined if none was requested. */
function keptRelease(read: ReadKept): Release | undefined {
  const id = clean(read(postState.deployment));
  const deployment = id === '' ? {} : { deployment: { id: unsafeText(id) } };
  if (read(postState.succeeded) === 'true') return { stage: 'succeeded', ...deployment };
  if (id !== '') return { stage: 'under-way', ...deployment };
  return read(postState.requested) === 'true' ? { stage: 'requested' } : undefined;
}

/** What is known of a run that was killed before its outcome was. */
function keptRun(read: ReadKept): Interrupted {
  const rollback = readKept<Rollback>(read, postState.rollback);
  return {
    release: keptRelease(read),
    ...(rollback !== undefined && {
      rollback: rollback === 'damaged' ? rollback : rollback.value,
    }),
  };
}

/** What a run leaves behind that was killed before its outcome was known. */
function whatIsLeft(read: ReadKept): SafeText {
  if (read(postState.work) === 'end-preview') {
    return safe`The preview's domain may still be assigned: rerun the job.`;
  }
  const known = keptRun(read);
  const left = describeLeftovers(known);
  if (left === '') {
    return safe`No deployment was requested. Some variables may have been written; the next run writes the rest.`;
  }
  if (known.release === undefined || known.rollback !== undefined) return left;
  const { stage } = known.release;
  if (stage === 'succeeded') return safe`${left} Later steps did not finish.`;
  return stage === 'failed' ? left : safe`${left} If it isn't live, rerun the job.`;
}

function whatHappened(kept: ReturnType<typeof readKeptReport>, read: ReadKept): Diagnostic {
  if (kept === undefined) {
    return diagnose(
      'SD9004',
      safe`The step was killed before it could report. ${whatIsLeft(read)}`,
    );
  }
  if (kept === 'damaged') {
    const text = safe`The step was killed while it reported, and its saved report is damaged. ${whatIsLeft(read)}`;
    return diagnose('SD9005', text);
  }
  const text = safe`The step was killed while it reported: ${describeRun(kept.value)}`;
  return diagnose('SD9004', text);
}

/** The report of a run that was killed before it could make one. */
function reportOf(plan: RecordingPlan, error: Diagnostic, read: ReadKept): DeployReport {
  const projectId = clean(read(postState.project)) || plan.projectId;
  const { release, rollback } = keptRun(read);
  return {
    outcome: 'cancelled',
    ...(read(postState.cancelled) !== 'true' && { isUnfinished: true }),
    subject: plan.subject,
    ...(projectId !== undefined && { projectId }),
    ...(plan.commit !== null && { commit: plan.commit }),
    release,
    ...(rollback !== undefined && rollback !== 'damaged' && { rollback }),
    error,
    phases: [],
    requests: 0,
    durationMs: 0,
  };
}

/** The post step: if the main step was killed, it reports that and updates the comment and the GitHub deployment. */
export async function postStep(platform: Platform): Promise<void> {
  const state = await platform.load();
  const { read } = state;
  if (read(postState.reported) === 'true') return;
  const inputs = readInputs(deploy.inputs, platform.input);
  platform.mask(inputs.secrets);
  const log = platform.openLog(createRedact(inputs.secrets));
  const context = platform.readContext();
  const ended = readKeptReport(read);
  const isKnown = ended !== undefined && ended !== 'damaged';
  const diagnostic = whatHappened(ended, read);
  const warn = (warning: Diagnostic<string>) => log.write({ kind: 'warning', diagnostic: warning });
  const kept = readKept<RecordingPlan>(read, postState.record);
  const title =
    kept === undefined || kept === 'damaged'
      ? undefined
      : describeRun(isKnown ? ended.value : reportOf(kept.value, diagnostic, read));
  log.write({ kind: 'warning', diagnostic, ...(title !== undefined && { title }) });
  if (kept === undefined) return;
  if (kept === 'damaged') {
    const stay = 'its comment and its GitHub deployment, if any, are not updated';
    const damage = `The step's saved state is damaged: ${stay}`;
    warn(diagnose('SD9005', damage));
    return;
  }
  const { value: plan } = kept;
  const readId = (name: string) => Number(read(name)) || undefined;
  const known: KnownIds = {
    deploymentId: readId(postState.recordedDeployment),
    commentId: readId(postState.comment),
  };
  const ignore = () => undefined;
  const recording = inputs.with(['api-key', 'env-ledger-key', 'github-token'], (values) => ({
    access: accessOf(values, context),
    sealFor: (number: number) => sealFor(values, context.repository, number),
    recordSeal: recordSealFor(values, context.repository),
    warn,
    onDeployment: ignore,
    onComment: ignore,
    onPlan: ignore,
  }));
  if (recording === undefined) return;
  const recorder = new Recorder(plan, recording, known);
  const report = isKnown ? ended.value : reportOf(plan, diagnostic, read);
  const { troubleshootingUrl: helpUrl } = context;
  await recorder.finish({ ...report, helpUrl }, startGracePeriod());
}
