import { watchSite } from '../../checks/await-checks.ts';
import { type CheckResult, countFailed } from '../../checks/result.ts';
import { commentSignerFor } from '../../comments/run-comment.ts';
import { isWhole, shaOf } from '../../contract/commit.ts';
import { readChanges } from '../../deploy/changes.ts';
import { runCleanUp, runSweep, sweptPreviewRecorder } from '../../deploy/clean-up.ts';
import { checksOf, type DeployRequest, hostnameOf, requestOf } from '../../deploy/context.ts';
import { deploy } from '../../deploy/deploy.ts';
import type { DeployValues } from '../../deploy/inputs.ts';
import {
  type DeployJob,
  doesSweep,
  environmentOf,
  isDeployJob,
  readsHistory,
  type Work,
} from '../../deploy/job.ts';
import { rangeOf } from '../../deploy/model/changes.ts';
import type { DeployReport } from '../../deploy/model/report.ts';
import { describeRun } from '../../deploy/model/title.ts';
import { verdict } from '../../deploy/model/verdict.ts';
import type { DeployOutputs } from '../../deploy/outputs.ts';
import { planDeploy } from '../../deploy/plan-run.ts';
import { previewHistories } from '../../deploy/previews/idle.ts';
import { endIntent, matcherOf } from '../../deploy/previews/intent.ts';
import { pullStates } from '../../deploy/pull-state.ts';
import { Recorder } from '../../deploy/recorder.ts';
import { planLocations, planRecording, subjectOfStep } from '../../deploy/recording-plan.ts';
import { closingLine, renderSummary } from '../../deploy/render.ts';
import { previewUrl } from '../../domains/model/connected-domain-report.ts';
import { createSanitize } from '../../kernel/text/redact.ts';
import type { Log, Save } from '../../platform.ts';
import { openHistory } from '../../releases/history.ts';
import { recordSignerFor } from '../../releases/series.ts';
import { listOutput } from '../../report/outputs.ts';
import { accessOf } from '../../step/access.ts';
import { finish, type StepResult, type View } from '../../step/end-step.ts';
import type { OpenStep } from '../../step/open-step.ts';
import { sentBy, startGracePeriod, writeOrWarn } from '../../step/run-outcome.ts';
import { type Open, RunAborted, type Step } from '../../step/step.ts';
import type { VariablesRequest } from '../../variables/intent.ts';
import { environmentOutputs } from '../../variables/result.ts';
import { type ChangeJournal, openJournal } from '../post/journal.ts';

export { complete, explain, refuse, setOutputs } from '../../step/end-step.ts';
export { ledgersFor } from '../../step/ledgers/ledgers.ts';
export { openService } from '../../step/open-service.ts';

/** The records of a run: what it records on GitHub, and its journal for the post step. */
interface Records {
  recorder: Recorder;
  journal: ChangeJournal;
}

/** Opens the records of a run. Its comment is begun if it deploys; its GitHub Deployment later, by what allows it. */
export async function openRecords(step: OpenStep<DeployValues>, job: Work): Promise<Records> {
  const { context, log, platform, signal, warn } = step;
  const { values } = job;
  const plan = planRecording(job, context);
  const { save } = await platform.load();
  // A state that can't be saved, as on a full disk, must not end the run. It is a warning once: each change is saved.
  let hasWarned = false;
  const once: Pick<Log, 'write'> = {
    write: (entry) => {
      if (!hasWarned) log.write(entry);
      hasWarned = true;
    },
  };
  const saveOrWarn: Save = (name, value) =>
    void writeOrWarn('state', once, () => save(name, value));
  const journal = openJournal(saveOrWarn, { job: job.kind, plan, found: {} });
  const noteCancellation = () => {
    const { reason } = signal;
    if (reason instanceof RunAborted && reason.outcome === 'cancelled') {
      journal({ isCancelled: true });
    }
  };
  if (signal.aborted) noteCancellation();
  else signal.addEventListener('abort', noteCancellation, { once: true });
  const recorder = new Recorder(plan, {
    access: accessOf(values, context),
    commentSignerFor: (number) => commentSignerFor(values, context.repository, number),
    recordSigner: recordSignerFor(values, context.repository),
    warn,
    journal,
    series: planLocations(job, context).deployment,
    production: environmentOf(job, true).environment,
  });
  if (job.kind === 'deploy' && values.deploy) recorder.beginComment();
  return { recorder, journal };
}

/** The branch of the commit. That of a fork is not known: the repository may have another one of the same name. */
function branchOf({ event, pull }: DeployJob): string | undefined {
  if (pull === undefined) return event.isTag ? undefined : event.branch;
  return pull.isFork === false ? pull.branch : undefined;
}

/** Ends the previews of closed pull requests, and idle ones, after what the run did before, unless more failed than checks. */
async function withSweep(
  open: Open,
  { values }: Work,
  { context }: Step<DeployValues>,
  report: DeployReport,
): Promise<DeployReport> {
  const isWatched = countFailed(report.checks) > 0;
  if (!(report.outcome === 'synced' || isWatched)) return report;
  const preflight = { signal: open.host.signal, warn: open.warn };
  const request = {
    matcher: matcherOf(values['preview-domain'] ?? '', context),
    ...endIntent(values),
    readPull: pullStates(accessOf(values, context), context.can, preflight),
    historyOf: previewHistories(values, context, preflight),
    longestIdle: values['preview-idle'],
  };
  const swept = await runSweep(open, request, sweptPreviewRecorder(values, context, preflight));
  const sent = sentBy(open.client);
  return isWatched ? { ...swept, ...report, ...sent } : { ...report, ...swept, ...sent };
}

/** What a job is done with. */
interface Means {
  sync: VariablesRequest & Pick<DeployRequest, 'ledgers'>;
  records: Records;
  /** Whether the pull request is still open; undefined if that is not known. */
  isOpen: () => Promise<boolean | undefined>;
}

/** Does the job of a step. */
export async function runJob(
  open: Open,
  step: Step<DeployValues>,
  job: Work,
  { sync, records, isOpen }: Means,
): Promise<DeployReport> {
  let report: DeployReport = { outcome: 'synced', phases: [], requests: 0, durationMs: 0 };
  if (job.kind === 'end-preview') {
    const { target, commit, values, preview } = job;
    const request = { hostname: hostnameOf(preview), ...endIntent(values) };
    return {
      ...report,
      ...(await runCleanUp(open, request, isOpen)),
      commit: commit.is ?? undefined,
      projectId: target.kind === 'project' ? target.id : undefined,
      ...sentBy(open.client),
    };
  }
  if (isDeployJob(job)) {
    const { recorder } = records;
    const access = accessOf(job.values, step.context);
    const history = readsHistory(job)
      ? openHistory({ access, branch: branchOf(job), host: open.host, recorder })
      : undefined;
    const preflight = { signal: open.host.signal, warn: open.warn };
    const namesIdle = job.values['preview-idle'] !== undefined;
    const historyOf = namesIdle ? previewHistories(job.values, step.context, preflight) : undefined;
    const request = { ...requestOf(job, step, { isOpen, historyOf }), ...sync, history };
    report = await (job.kind === 'plan' ? planDeploy : deploy)(open, request, recorder);
  } else if (job.kind === 'watch' && job.values.mode !== 'plan') {
    report = { ...report, ...(await watchSite(open, checksOf(job.checks))) };
  }
  return doesSweep(job) ? await withSweep(open, job, step, report) : report;
}

/**
 * Ends a run that has done its job. Its end is recorded on GitHub, within 20 s, or at most 3 s after a cancel; in parallel,
 * what a release of production has changed is read, for which only the summary waits.
 */
export async function endJob(
  step: OpenStep<DeployValues>,
  { values }: Work,
  { recorder, journal }: Records,
  ended: DeployReport,
): Promise<StepResult> {
  const gracePeriod = startGracePeriod(step.signal);
  if (ended.earlier !== undefined) journal({ report: ended });
  const recording = recorder.finish(ended, gracePeriod);
  const report = { ...ended, liveBefore: await recorder.findLiveBefore() };
  const range = rangeOf(report);
  const bounds = { clean: createSanitize(step.redact), signal: gracePeriod.whole };
  const reading = range && readChanges(accessOf(values, step.context), range, bounds);
  const end = await finish(deployView, report, recording, { strict: values.strict });
  return reading ? { ...end, summary: async () => renderSummary(report, await reading) } : end;
}

/** The result of a check, as an output. */
const checkOutput = ({ what, expected, actual, passed, milliseconds }: CheckResult) => ({
  check: what,
  wanted: expected,
  seen: actual,
  held: passed ?? undefined,
  ms: milliseconds,
});

/** The reports of this action. */
export const deployView: View<DeployValues, DeployOutputs, DeployReport> = {
  action: 'deploy',
  unsent: (step, outcome) => {
    const projectId = step.inputs.get('project-id');
    const given = step.inputs.get('commit-sha');
    return {
      ...outcome,
      subject: subjectOfStep(step),
      phases: [],
      projectId,
      commit: given !== undefined && isWhole(given) ? given : undefined,
    };
  },
  show: (report, recorded) => {
    const { release, preview, commit } = report;
    const { deployment } = release ?? {};
    const { live, url } = verdict(report);
    return {
      outputs: {
        'skipped-reason': report.skippedReason,
        pushed: report.pushed,
        'deployment-id': deployment?.id,
        'deployment-status': deployment?.status,
        'deployment-repeated': deployment && release?.uncertainty !== undefined,
        'commit-sha': shaOf(commit),
        'project-id': report.projectId,
        'preview-hostname': preview?.hostname,
        'preview-url': previewUrl(report),
        url: url,
        'domain-state': preview?.domain?.state,
        checks: report.checks && listOutput(report.checks.map(checkOutput)),
        'live-commit': live,
        'previous-commit': report.liveBefore === 'none' ? undefined : report.liveBefore,
        ...environmentOutputs(report.environment, report.otherChanges),
        'comment-url': recorded.commentUrl,
        'github-deployment-id': recorded.deploymentId,
      },
      title: describeRun(report),
      closing: closingLine(report),
      summary: () => renderSummary(report),
    };
  },
};
