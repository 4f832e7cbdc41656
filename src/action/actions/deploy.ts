import { watchSite } from '../../checks/await-checks.ts';
import { type CheckResult, countFailed } from '../../checks/result.ts';
import { sealFor } from '../../comments/comment-seal.ts';
import { isWhole, shaOf } from '../../contract/commit.ts';
import type { Declared } from '../../declared/declared.ts';
import { runCleanUp, runSweep, sweptPreviewRecorder } from '../../deploy/clean-up.ts';
import { type DeployRequest, deploy } from '../../deploy/deploy.ts';
import { numberIn, subjectOf } from '../../deploy/describe-subject.ts';
import { describeRun } from '../../deploy/model/title.ts';
import { verdict } from '../../deploy/model/verdict.ts';
import { planDeploy } from '../../deploy/plan-run.ts';
import type { HistoryFacts } from '../../deploy/read-gates.ts';
import { Recorder, type RecordingPlan } from '../../deploy/recorder.ts';
import { closingLine, renderSummary } from '../../deploy/render.ts';
import type { DeployWork, StepWork } from '../../deploy/work.ts';
import { previewUrl } from '../../domains/model/connected-domain-report.ts';
import { accessOf } from '../../frame/access.ts';
import type { Action, Open, Recorded } from '../../frame/action.ts';
import { sentBy, startGracePeriod, writeOrWarn } from '../../frame/ending.ts';
import { ledgersFor } from '../../frame/ledgers/ledgers.ts';
import type { Hidden } from '../../frame/open-log.ts';
import { recordSealFor } from '../../frame/record-seal.ts';
import { RunAborted, type Shown, type Step } from '../../frame/step.ts';
import type { Save } from '../../platform.ts';
import type { RunRecord } from '../../release/context.ts';
import type { DeployReport } from '../../release/model/report.ts';
import { listOutput } from '../../report/outputs.ts';
import { type VariablesRequest, variablesRequest } from '../../variables/intent.ts';
import { environmentOutputs } from '../../variables/result.ts';
import { keepReport, keepState, postState } from '../post/kept.ts';

/** The records of a run; one that turns out to deploy to production is recorded as such, with the history of production. */
function recordOf(
  { inProduction }: DeployWork,
  history: HistoryFacts | undefined,
  recorder: Recorder,
): RunRecord {
  return {
    chooseSeries: (isProduction, projectId) => {
      const planned = isProduction ? inProduction?.(projectId) : undefined;
      if (planned !== undefined) {
        recorder.planDeployment(planned);
        if (history !== undefined) history.series = planned;
      }
      // Else it is created once the GitHub deployments were read.
      if (history === undefined) void recorder.ensureCreated();
    },
    beginLastRead: (signal) => recorder.beginLastRead(signal),
  };
}

type Supplies = Pick<DeployRequest, keyof VariablesRequest | 'ledgers' | 'history'>;

/** Deploys or syncs, and sweeps if requested. */
async function deployAndSweep(
  open: Open,
  { values, request, sweep, watch }: DeployWork,
  { context }: Step<'deploy'>,
  sync: Supplies,
  record: RunRecord,
): Promise<DeployReport> {
  const report = await deployOrPlan(open, request && { ...request, ...sync }, watch, record);
  const isWatched = countFailed(report.checks) > 0;
  if (sweep === undefined || !(report.outcome === 'synced' || isWatched)) return report;
  const preflight = { signal: open.host.signal, warn: open.warn };
  const swept = await runSweep(open, sweep, sweptPreviewRecorder(values, context, preflight));
  const sent = sentBy(open.client);
  return isWatched ? { ...swept, ...report, ...sent } : { ...report, ...swept, ...sent };
}

async function deployOrPlan(
  open: Open,
  request: DeployRequest | undefined,
  watch: DeployWork['watch'],
  record: RunRecord,
): Promise<DeployReport> {
  if (request === undefined) return await watchAlone(open, watch);
  return await (request.planOnly ? planDeploy : deploy)(open, request, record);
}

const nothingDone = { phases: [], requests: 0, durationMs: 0 };

/** Checks a site without a project to sync or deploy to. */
async function watchAlone(open: Open, watch: DeployWork['watch']): Promise<DeployReport> {
  if (watch === undefined) return { outcome: 'synced', ...nothingDone };
  return { phases: [], ...(await watchSite(open, watch)) };
}

async function runWork(
  open: Open,
  work: StepWork,
  step: Step<'deploy'>,
  sync: Supplies,
  recorder: Recorder,
): Promise<DeployReport> {
  if (work.kind === 'deploy') {
    const facts = work.history && { ...work.history };
    const record = recordOf(work, facts, recorder);
    if (facts === undefined) return await deployAndSweep(open, work, step, sync, record);
    const { openHistory } = await import('../../releases/history.ts');
    const history = openHistory({
      access: accessOf(work.values, step.context),
      series: () => facts.series && recorder.seriesOf(facts.series),
      branch: facts.branch,
      host: open.host,
      record: recorder,
    });
    return await deployAndSweep(open, work, step, { ...sync, history }, record);
  }
  const report = await runCleanUp(open, work.request, work.isOpen);
  const { projectId, commit } = work.record;
  const about = {
    ...(commit !== null && { commit }),
    ...(projectId !== undefined && { projectId }),
  };
  return { ...nothingDone, ...report, ...about, ...sentBy(open.client) };
}

function recorderFor(work: StepWork, { context }: Step<'deploy'>, { warn, save }: Open): Recorder {
  const { record, values } = work;
  const keep = (plan: RecordingPlan) => keepState(save, postState.record, plan);
  keep(record);
  return new Recorder(record, {
    access: accessOf(values, context),
    sealFor: (number) => sealFor(values, context.repository, number),
    recordSeal: recordSealFor(values, context.repository),
    warn,
    onDeployment: (id) => save(postState.recordedDeployment, String(id)),
    onComment: (id) => save(postState.comment, String(id)),
    onPlan: keep,
  });
}

/** Saves for the post step that the run was canceled, as soon as it is. */
function keepCancellation(run: AbortSignal, save: Save): void {
  const keep = () => {
    const { reason } = run;
    if (!(reason instanceof RunAborted) || reason.outcome !== 'cancelled') return;
    save(postState.cancelled, 'true');
  };
  if (run.aborted) keep();
  else run.addEventListener('abort', keep, { once: true });
}

/** The results of the checks, as JSON; empty if there are none. */
function checksOutput(checks: readonly CheckResult[] | undefined): string {
  if (checks === undefined) return '';
  return listOutput(
    checks.map((check) => ({
      check: check.what,
      wanted: check.expected,
      seen: check.actual,
      held: check.passed,
      ms: check.milliseconds ?? null,
    })),
  );
}

function show(report: DeployReport, recorded: Recorded): Shown<'deploy'> {
  const { release, preview, commit } = report;
  const { deployment } = release ?? {};
  const { live, url } = verdict(report);
  return {
    outputs: {
      'skipped-reason': report.skippedReason ?? '',
      pushed: report.pushed === undefined ? '' : String(report.pushed),
      'deployment-id': deployment?.id ?? '',
      'deployment-status': deployment?.status ?? '',
      'deployment-repeated':
        deployment === undefined ? '' : String(release?.uncertainty !== undefined),
      'commit-sha': shaOf(commit) ?? '',
      'project-id': report.projectId ?? '',
      'preview-hostname': preview?.hostname ?? '',
      'preview-url': previewUrl(report),
      url,
      'domain-state': preview?.domain?.state ?? '',
      checks: checksOutput(report.checks),
      'live-commit': live ?? '',
      ...environmentOutputs(report.environment, report.otherChanges),
      'comment-url': recorded.commentUrl,
      'github-deployment-id': recorded.deploymentId,
    },
    title: describeRun(report),
    closing: closingLine(report),
    summary: () => renderSummary(report),
  };
}

/** Syncs variables, deploys, follows the deployment and reports. */
export const deployAction: Action<'deploy', Declared & Hidden, StepWork, DeployReport> = {
  execute: async (step, declared, work, open) => {
    const { values } = work;
    open.save(postState.work, work.kind);
    keepCancellation(open.host.signal, open.save);
    const recorder = recorderFor(work, step, open);
    if (work.kind === 'deploy' && values.deploy && values.mode !== 'plan') recorder.begin();
    const ledgers = ledgersFor(values, declared, step, open);
    const sync = { ...variablesRequest(declared), ledgers };
    const { subject } = work.record;
    const done = await runWork(open, work, step, sync, recorder);
    // For the post step, which reports it if this one is killed first.
    const keep = (report: DeployReport) =>
      writeOrWarn('state', open.log, () => keepReport(open.save, report));
    return {
      report: { ...done, subject },
      ledgers,
      strict: values.strict,
      complete: async (report) => {
        await keep(report);
        const earlier = await recorder.findEarlier(report, open.host.signal);
        return earlier === undefined ? report : { ...report, earlier };
      },
      notify: async (report) => {
        const gracePeriod = startGracePeriod(open.host.signal);
        if (report.earlier !== undefined) await keep(report);
        return await recorder.finish(report, gracePeriod);
      },
    };
  },
  unsent: ({ inputs, context }, end) => {
    const projectId = inputs.get('project-id');
    const given = inputs.get('commit-sha');
    const commit = given !== undefined && isWhole(given) ? given : undefined;
    const subject = subjectOf({
      context,
      pullRequest: numberIn(context.event),
      environmentName: inputs.get('environment-name'),
      projectId,
    });
    return {
      ...end,
      subject,
      phases: [],
      ...(projectId !== undefined && { projectId }),
      ...(commit !== undefined && { commit }),
    };
  },
  report: show,
};
