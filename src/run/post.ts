import type { DeployReport } from '../core/report/report.ts';
import { clean } from '../core/text/clean.ts';
import { createRedact } from '../core/text/redact.ts';
import { createLog } from '../github/log.ts';
import { maskSecrets, readContext, readState, type StepEnvironment } from '../github/runner.ts';
import { postState } from './post-state.ts';
import { readInputs } from './read-inputs.ts';
import { Recorder, type RecordPlan } from './record.ts';

/** How long GitHub may take, in milliseconds. */
const patience = 20_000;

function whatHappened(deploymentId: string): string {
  if (deploymentId !== '') {
    return `The deployment ${deploymentId} had been accepted and may still go live: the service shows no way to cancel it.`;
  }
  return readState(postState.requested) === 'true'
    ? 'A deployment had been asked for, and no answer had come: it may go live.'
    : 'No deployment had been asked for; variables may have been written in part, and the next run completes them.';
}

function reportOf(plan: RecordPlan, deploymentId: string, error: string): DeployReport {
  const { projectId, commit } = plan;
  const deployment = deploymentId === '' ? {} : { deployment: { id: deploymentId, status: '?' } };
  const rest = { phases: [], requests: 0, durationMs: 0 };
  return { outcome: 'cancelled', projectId, commit, error, ...deployment, ...rest };
}

/** The post step: it speaks, and ends what the main step recorded on GitHub, only if that was killed first. */
export async function postStep(environment: StepEnvironment): Promise<void> {
  if (readState(postState.reported) === 'true') return;
  const { values, secrets } = readInputs('deploy', environment);
  maskSecrets(secrets);
  const log = createLog(createRedact(secrets));
  const deploymentId = clean(readState(postState.deployment));
  const text = `The step was ended before it could report. ${whatHappened(deploymentId)}`;
  const warn = (warning: string) => log.write({ kind: 'warning', text: warning });
  warn(text);
  const kept = readState(postState.record);
  if (kept === '') return;
  const { apiUrl, repository } = readContext(environment);
  const token = values['github-token'] ?? '';
  const plan: RecordPlan = JSON.parse(kept);
  const recorded = Number(readState(postState.recordedDeployment)) || undefined;
  const access = { apiUrl, repository, token };
  const recorder = new Recorder(plan, { access, warn, onDeployment: () => undefined }, recorded);
  await recorder.finish(reportOf(plan, deploymentId, text), AbortSignal.timeout(patience));
}
