import { type EnvSyncRequest, envSync } from '../commands/env-sync.ts';
import { trustIn } from '../core/event/trust.ts';
import { failsStep } from '../core/outcome.ts';
import { type EnvironmentResult, hasDrift } from '../core/report/environment.ts';
import { closeSync, renderSync, type SyncReport } from '../core/report/sync-report.ts';
import type { RunContext } from '../github/runner.ts';
import type { OutputsOf, Values } from '../inputs.ts';
import { boundRun, defaultTimeout } from './bounds.ts';
import { proxyProblems } from './cross-problems.ts';
import { type Declared, readDeclared } from './declared.ts';
import { ledgersFor } from './ledgers.ts';
import { openLog } from './open-log.ts';
import { environmentOutputs } from './outputs.ts';
import { endRefused, refuse } from './refusal.ts';
import { openService } from './service.ts';
import { whyNotToStart } from './skip.ts';
import type { Step, StepEnd } from './step.ts';

const said = (flag: boolean | undefined): string => (flag === undefined ? '' : String(flag));

function outputsOf(report: SyncReport): OutputsOf<'env-sync'> {
  const { outcome, environment, requests, durationMs, error } = report;
  return {
    outcome,
    ...environmentOutputs(environment),
    'plan-digest': environment?.digest ?? '',
    stale: said(environment?.runtime.stale),
    pending: said(environment?.runtime.pending),
    requests: String(requests),
    'duration-ms': String(Math.round(durationMs)),
    error: error ?? '',
  };
}

/** What a plan with drift asks of somebody. */
function describeDrift({ changes, variables, ambiguous }: EnvironmentResult): string {
  const left = variables.filter(({ outcome }) => outcome === 'kept' || outcome === 'conflict');
  const apply = changes.length > 0 ? ['mode: apply would write what the plan lists'] : [];
  const settle =
    left.length + ambiguous.length > 0
      ? ['what was changed elsewhere must be settled on the service, or by env-on-conflict']
      : [];
  return `fail-on-drift is true, and the plan above is not empty: ${[...apply, ...settle].join('; ')}.`;
}

/** The end of a step; a plan with drift fails it if that is asked for. */
function endOf(report: SyncReport, failOnDrift: boolean): StepEnd<'env-sync'> {
  const { environment, outcome } = report;
  const drifts = environment !== undefined && hasDrift(environment);
  const fails = outcome === 'planned' && failOnDrift && drifts;
  const told: SyncReport = fails ? { ...report, error: describeDrift(environment) } : report;
  return {
    outcome,
    outputs: outputsOf(told),
    closing: closeSync(told),
    summary: renderSync(told),
    error: told.error,
    fails: fails || failsStep(outcome, 'warn'),
  };
}

/** Without problems, every input that is required or has a default has its value. */
function requestOf(
  values: Partial<Values<'env-sync'>>,
  { variables }: Declared,
  { event }: RunContext,
): Omit<EnvSyncRequest, 'ledgers'> {
  return {
    projectId: values['project-id'] ?? '',
    variables,
    onConflict: values['env-on-conflict'] ?? 'fail',
    prune: values['env-prune'] ?? false,
    planOnly: values.mode !== 'apply',
    gates: { expectedPlan: values['expected-plan'], maxChanges: values['max-changes'] },
    guarded: trustIn(event).code !== 'merged' && values['allow-production'] !== true,
  };
}

/** Runs a step of the env-sync action, from its inputs to its report. */
export async function envSyncStep(step: Step<'env-sync'>): Promise<StepEnd<'env-sync'>> {
  const { values, context, environment } = step;
  const started = Date.now();
  using bounds = boundRun(values.timeout ?? defaultTimeout);
  const declared = await readDeclared(step);
  const opened = openLog(step.secrets, declared.secrets);
  const { log, redact, warn } = opened;
  const end = (report: Omit<SyncReport, 'projectId' | 'durationMs'>) => {
    const common = { projectId: values['project-id'] ?? '', durationMs: Date.now() - started };
    return endOf({ ...report, ...common }, values['fail-on-drift'] ?? false);
  };
  const problems = [
    ...step.problems,
    ...declared.problems,
    ...proxyProblems(values['base-url'], environment),
  ];
  const skip = whyNotToStart(values, context, false);
  const refusal = refuse(skip?.message, problems, opened);
  if (refusal !== undefined) return endRefused(refusal, end({ ...refusal, requests: 0 }));
  for (const text of declared.warnings) warn(text);
  if (declared.variables.length === 0) {
    warn('No variable is declared: name some in env-from, env, env-file or config.');
  }
  const access = { baseUrl: values['base-url'] ?? '', apiKey: values['api-key'] ?? '' };
  await using service = openService(access, log, redact, bounds, context.identity);
  const ledgers = ledgersFor(values, declared, step, service.host);
  const request = { ...requestOf(values, declared, context), ledgers };
  const report = await envSync(service, request);
  await ledgers.settled();
  return end(report);
}
