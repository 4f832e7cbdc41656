import { manageDomains } from '../commands/domains.ts';
import { renderDomainsComment } from '../core/comment/domains.ts';
import { pullRequestOf } from '../core/event/pull-request.ts';
import { failsStep } from '../core/outcome.ts';
import { countSettings, type DomainsReport, emptyReport } from '../core/report/domains-report.ts';
import { closeDomains, renderDomainsSummary } from '../core/report/domains-section.ts';
import { hasDrift } from '../core/report/environment.ts';
import { setOutputs } from '../github/runner.ts';
import type { OutputsOf } from '../inputs.ts';
import { boundRun, defaultTimeout } from './bounds.ts';
import { ledgersFor } from './ledgers.ts';
import { openLog } from './open-log.ts';
import { startPatience } from './patience.ts';
import { prepareDomains } from './prepare-domains.ts';
import { tellProblems } from './problems.ts';
import { openService } from './service.ts';
import { whyNotToStart } from './skip.ts';
import type { Step, StepEnd } from './step.ts';
import { tell } from './tell.ts';
import { commentOnThread, type ThreadComment } from './thread-comment.ts';
import { toldByDomains } from './told-domains.ts';

function drifts({ digest, changes, environment }: DomainsReport): string {
  if (digest === '') return '';
  return String(changes.length > 0 || (environment !== undefined && hasDrift(environment)));
}

function outputsOf(report: DomainsReport): OutputsOf<'domains'> {
  const { outcome, digest, changes, connected, availability, undeclared, error } = report;
  return {
    outcome,
    plan: digest === '' ? '' : JSON.stringify({ digest, changes }),
    'plan-digest': digest,
    drift: drifts(report),
    domains: JSON.stringify(connected),
    availability: JSON.stringify(
      availability.map(
        ({ result, name, reason }) => result ?? { name, registrable: false, reason },
      ),
    ),
    undeclared: JSON.stringify(undeclared.map(({ domain, whole }) => ({ domain, ...whole }))),
    requests: String(report.requests),
    'duration-ms': String(Math.round(report.durationMs)),
    error: error ?? '',
  };
}

/** The report as it is told: a plan with drift is an error if that is asked for. */
function judge(
  report: DomainsReport,
  failOnDrift: boolean,
): { told: DomainsReport; fails: boolean } {
  const fails = report.outcome === 'planned' && failOnDrift && drifts(report) === 'true';
  const error =
    'The service is not as the site file says, and fail-on-drift is true: see the plan above. Run with mode: apply to change it.';
  return {
    told: fails ? { ...report, error } : report,
    fails: fails || failsStep(report.outcome, 'warn'),
  };
}

function endOf(report: DomainsReport, failOnDrift: boolean): StepEnd<'domains'> {
  const { told, fails } = judge(report, failOnDrift);
  return {
    outcome: told.outcome,
    outputs: outputsOf(told),
    closing: closeDomains(told),
    summary: renderDomainsSummary(told),
    error: told.error,
    fails,
  };
}

/** Comments on the run's pull request, if there is one and a comment is wanted. */
async function commentOn(
  { values, context }: Step<'domains'>,
  told: DomainsReport,
  { signal, warn }: { signal: AbortSignal; warn: (text: string) => void },
): Promise<void> {
  const source = pullRequestOf(context.event);
  if (values.comment === 'false' || source?.kind !== 'known') return;
  const standard = `${values.config ?? ''} ${values['project-id'] ?? ''}`;
  const comment: ThreadComment = {
    number: source.pullRequest.number,
    key: `domains ${values['comment-key'] ?? standard}`,
    render: (shell) => renderDomainsComment(told, shell),
    // A plan that neither changes nor sets anything is worth a comment only where an earlier one says otherwise.
    mayCreate: told.changes.length + countSettings(told) > 0 || told.error !== undefined,
  };
  const patience = startPatience(signal).whole;
  await commentOnThread(context, values, comment, { signal: patience, warn });
}

/** Runs a step of the domains action, from its inputs to its report. */
export async function domainsStep(step: Step<'domains'>): Promise<StepEnd<'domains'>> {
  const { values, context } = step;
  const started = Date.now();
  using bounds = boundRun(values.timeout ?? defaultTimeout);
  const prepared = await prepareDomains(step);
  const isTold = toldByDomains(prepared.request);
  const { log, redact, warn } = openLog(step.secrets, prepared.secrets, isTold);
  const failOnDrift = values['fail-on-drift'] ?? false;
  const unsent = (report: Pick<DomainsReport, 'outcome' | 'error'>): DomainsReport => ({
    ...emptyReport(),
    requests: 0,
    ...report,
    durationMs: Date.now() - started,
  });
  const { signal } = bounds;

  const skip = whyNotToStart(values, context, false);
  if (skip !== undefined) {
    log.write({ kind: 'notice', text: `Skipped: ${skip.message}.` });
    return endOf(unsent({ outcome: 'skipped' }), failOnDrift);
  }
  if (prepared.problems.length > 0) {
    const error = tellProblems(prepared.problems, log, redact);
    const report = unsent({ outcome: 'failed', error });
    // An earlier comment shows the plan of another file.
    await commentOn(step, report, { signal, warn });
    return endOf(report, failOnDrift);
  }
  for (const text of prepared.warnings) warn(text);
  for (const text of prepared.notices) log.write({ kind: 'notice', text });
  const access = { baseUrl: values['base-url'] ?? '', apiKey: values['api-key'] ?? '' };
  await using service = openService(access, log, redact, bounds, context.identity);
  const { variables, request } = prepared;
  const ledgers = ledgersFor(values, { variables }, step, service.host);
  const projectId = values['project-id'] ?? '';
  const onConflict = values['env-on-conflict'] ?? 'fail';
  const environment =
    variables.length === 0 ? undefined : { projectId, variables, ledgers, onConflict };
  const report = await manageDomains(service, {
    ...request,
    ...(environment && { environment }),
  });
  const { told } = judge(report, failOnDrift);
  // Before GitHub is told, so that a step that is killed meanwhile has its outputs.
  await tell('outputs', log, () => setOutputs(outputsOf(told)));
  await Promise.all([ledgers.settled(), commentOn(step, told, { signal, warn })]);
  return endOf({ ...report, durationMs: Date.now() - started }, failOnDrift);
}
