import { deploy } from '../commands/deploy.ts';
import { RunAborted } from '../commands/host.ts';
import type { PreviewRequest } from '../commands/preview/preview.ts';
import { failsStep } from '../core/outcome.ts';
import { closingLine } from '../core/report/closing.ts';
import type { DeployReport } from '../core/report/report.ts';
import { renderSummary } from '../core/report/summary.ts';
import type { Log } from '../github/log.ts';
import { saveState, setOutputs } from '../github/runner.ts';
import { boundRun, defaultTimeout } from './bounds.ts';
import { runCleanUp, runSweep } from './clean-up-step.ts';
import { readDeclared } from './declared.ts';
import { keepReport } from './kept-report.ts';
import { keepState } from './kept-state.ts';
import { type Ledgers, ledgersFor } from './ledgers.ts';
import { sealFor } from './marker-seal.ts';
import { openLog } from './open-log.ts';
import { deployOutputs } from './outputs.ts';
import { startPatience } from './patience.ts';
import { postState } from './post-state.ts';
import { type Prepared, prepareDeploy } from './prepare-deploy.ts';
import type { Signing } from './preview-claim.ts';
import { tellProblems } from './problems.ts';
import { Recorder } from './record.ts';
import type { Recorded, RecordPlan } from './record-request.ts';
import { type OpenService, openService } from './service.ts';
import type { Step, StepEnd } from './step.ts';
import { tell } from './tell.ts';
import { toldByDeploy } from './told-domains.ts';

type Work = Extract<Prepared, { kind: 'deploy' | 'clean-up' }>;

/** A preview whose hostname's taking is noted on GitHub, where the name alone does not tell whose it is. */
function recordedBy(
  recorder: Recorder,
  preview: PreviewRequest,
  sign: Signing['sign'],
): PreviewRequest {
  if (sign === undefined) return preview;
  const { hostname } = preview;
  const take = (projectId: string) =>
    recorder.take(sign({ hostname, projectId: projectId.toLowerCase() }));
  return { ...preview, record: { take, begin: () => recorder.beginDeployment() } };
}

/** Deploys or syncs, and sweeps if that is asked for; a run that only sweeps needs no project. */
async function deployAndSweep(
  service: OpenService,
  { request, sweep, sign }: Extract<Work, { kind: 'deploy' }>,
  ledgers: Ledgers,
  recorder: Recorder,
): Promise<DeployReport> {
  const nothing: DeployReport = {
    outcome: 'synced',
    projectId: '',
    commit: '',
    phases: [],
    requests: 0,
    durationMs: 0,
  };
  const onlySweeps = request.projectId === '' && sweep !== undefined;
  const preview = request.preview && recordedBy(recorder, request.preview, sign);
  const whole = { ...request, ledgers, ...(preview && { preview }) };
  const report = onlySweeps ? nothing : await deploy(service, whole);
  if (sweep === undefined || report.outcome !== 'synced') return report;
  return { ...report, ...(await runSweep(service, sweep)), requests: service.client.requests };
}

/** Does what was prepared. */
async function carryOut(
  service: OpenService,
  work: Work,
  ledgers: Ledgers,
  recorder: Recorder,
): Promise<DeployReport> {
  if (work.kind === 'deploy') return await deployAndSweep(service, work, ledgers, recorder);
  const { client } = service;
  const report = await runCleanUp(service, work.request, work.isOpen);
  const { projectId, commit } = work.record;
  return { ...report, projectId, commit, phases: [], durationMs: 0, requests: client.requests };
}

function recorderFor(record: RecordPlan, { values, context }: Step<'deploy'>, log: Log): Recorder {
  const keep = (plan: RecordPlan) => keepState(postState.record, plan);
  keep(record);
  const { apiUrl, repository } = context;
  return new Recorder(record, {
    access: { apiUrl, repository, token: values['github-token'] ?? '' },
    sealFor: (number) => sealFor(values, repository, number),
    warn: (text) => log.write({ kind: 'warning', text }),
    onDeployment: (id) => saveState(postState.recordedDeployment, String(id)),
    onComment: (id) => saveState(postState.comment, String(id)),
    onPlan: keep,
  });
}

const nothingRecorded: Recorded = { commentUrl: '', deploymentId: '' };

function endOf(
  report: DeployReport,
  { values }: Step<'deploy'>,
  recorded: Recorded,
): StepEnd<'deploy'> {
  return {
    outcome: report.outcome,
    outputs: deployOutputs(report, recorded),
    closing: closingLine(report),
    summary: renderSummary(report),
    error: report.error,
    fails: failsStep(report.outcome, values['on-unconfirmed'] ?? 'warn'),
  };
}

/** Runs a step of the deploy action, from its inputs to its report. */
export async function deployStep(step: Step<'deploy'>): Promise<StepEnd<'deploy'>> {
  const { values } = step;
  const started = Date.now();
  using bounds = boundRun(values.timeout ?? defaultTimeout);
  const declared = await readDeclared(step);
  const isTold = toldByDeploy(values, step.context);
  const { log, redact, warn } = openLog(step.secrets, declared.secrets, isTold);
  const unsent = (report: Pick<DeployReport, 'outcome' | 'error' | 'skippedReason'>) => {
    const given = values['commit-sha'];
    const commit = given === undefined || given === 'HEAD' ? '' : given;
    const projectId = values['project-id'] ?? '';
    const durationMs = Date.now() - started;
    const whole = { projectId, commit, phases: [], requests: 0, durationMs, ...report };
    return endOf(whole, step, nothingRecorded);
  };

  const preparing = { step, declared, signal: bounds.signal, warn };
  const prepared = await prepareDeploy(preparing).catch((error: unknown) => {
    if (error instanceof RunAborted) return error;
    throw error;
  });
  if (prepared instanceof RunAborted) {
    return unsent({
      outcome: prepared.outcome,
      error: `${prepared.message} Nothing was sent yet.`,
    });
  }
  if (prepared.kind === 'skip') {
    log.write({ kind: 'notice', text: `Skipped: ${prepared.message}.` });
    return unsent({ outcome: 'skipped', skippedReason: prepared.reason });
  }
  if (prepared.kind === 'problems') {
    return unsent({ outcome: 'failed', error: tellProblems(prepared.problems, log, redact) });
  }
  saveState(postState.work, prepared.kind);
  const recorder = recorderFor(prepared.record, step, log);
  if (prepared.kind === 'deploy') {
    for (const text of declared.warnings) warn(text);
    for (const text of prepared.notes) log.write({ kind: 'line', text });
    if (prepared.request.deploy && !prepared.request.planOnly) recorder.begin();
  }
  const access = { baseUrl: values['base-url'] ?? '', apiKey: values['api-key'] ?? '' };
  await using service = openService(access, log, redact, bounds, step.context.identity);
  const ledgers = ledgersFor(values, declared, step, service.host);
  const report = await carryOut(service, prepared, ledgers, recorder);
  const whole = { ...report, durationMs: Date.now() - started };
  const patience = startPatience(bounds.signal);
  // Before GitHub is told, so that a step that is killed meanwhile has its outputs, and its post step the outcome.
  const { outputs } = endOf(whole, step, nothingRecorded);
  await tell('outputs', log, () => setOutputs(outputs));
  await tell('state', log, () => keepReport(whole));
  const [recorded] = await Promise.all([recorder.finish(whole, patience), ledgers.settled()]);
  return endOf(whole, step, recorded);
}
