import { diagnose } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { failRun, type RunOutcome, sentBy } from '../step/run-outcome.ts';
import { type Host, type Run, RunAborted } from '../step/step.ts';
import { countChanged } from '../variables/result.ts';
import { type DeployRequest, knownCommit, type OpenReport } from './context.ts';
import type { DeployReport, DeployState } from './model/report.ts';
import { describeLeftovers, stageOf, withLiveness } from './model/verdict.ts';
import { describeWaiting, restsOnChecks } from './verify.ts';

/** Begins the report of a run. */
export function openReport(request: DeployRequest): OpenReport {
  const { target } = request;
  return {
    ...knownCommit(request),
    phases: [],
    projectId: target.kind === 'project' ? target.id : undefined,
    preview: target.preview && { hostname: unsafeText(target.preview.hostname) },
    waiting: undefined,
    domain: undefined,
  };
}

/** Completes the report of a run with its outcome. */
export function endReport({ client, host, started }: Run, report: OpenReport, result: RunOutcome) {
  const { waiting: _waiting, domain: _domain, ...known } = report;
  const durationMs = host.clock.now() - started;
  return withLiveness({ ...known, ...result, ...sentBy(client), durationMs });
}

/** Completes the report with an error, and what the run leaves behind. */
export function failReport(run: Run, report: OpenReport, error: unknown): DeployReport {
  const result = failRun(run, error, describeLeft(run.host, report, describeWaiting(report)));
  const isUnconfirmed = result.outcome === 'timed-out' && restsOnChecks(report);
  if (!isUnconfirmed || result.error === undefined) return endReport(run, report, result);
  const unconfirmed = diagnose('SD5002', result.error.text);
  return endReport(run, report, { ...result, outcome: 'unconfirmed', error: unconfirmed });
}

/** The variables that were written without a deployment, as a sentence. */
function whatIsWritten(state: DeployState): SafeText {
  if (stageOf(state) !== 'not-requested') return safe``;
  const { environment } = state;
  const written = environment === undefined ? 0 : countChanged(environment);
  if (written === 0) return safe``;
  return written === 1
    ? safe` 1 variable waits for the next deployment.`
    : safe` ${written} variables wait for the next deployment.`;
}

const isTimedOut = ({ signal: { reason } }: Host): boolean =>
  reason instanceof RunAborted && reason.outcome === 'timed-out';

/**
 * What a failed or interrupted run leaves behind, for the end of its error.
 *
 * @param waiting what the run waited for at a timeout
 */
export function describeLeft(host: Host, state: DeployState, waiting: SafeText): SafeText {
  const left = host.signal.aborted ? describeLeftovers(state) : safe``;
  const cut = left === '' ? left : safe` ${left}`;
  const why = isTimedOut(host) ? waiting : safe``;
  const written = safe`${cut}${whatIsWritten(state)}`;
  return why === '' ? written : safe`${written} ${why}`;
}
