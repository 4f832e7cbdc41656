import { attemptWith, commentSignerFor, RunComment } from '../comments/run-comment.ts';
import { diagnose, printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import { endRecords } from '../releases/own-record.ts';
import { recordSignerFor, Series } from '../releases/series.ts';
import { accessOf } from '../step/access.ts';
import { explainError, startGracePeriod } from '../step/run-outcome.ts';
import type { Preflight, Run } from '../step/step.ts';
import type { DeployValues } from './inputs.ts';
import type { DeployTarget } from './job.ts';
import type { DeployReport, Removal } from './model/report.ts';
import {
  type CleanedUp,
  type CleanUpRequest,
  cleanUp,
  PreviewKept,
  type SweepRequest,
  type Swept,
  sweep,
} from './previews/end-preview.ts';
import { planLocations, subjectIn } from './recorder.ts';
import { renderOutcome } from './render.ts';

const results: Readonly<Record<CleanedUp, SafeText>> = {
  cleared: safe`is no longer assigned to a project`,
  disconnected: safe`is disconnected`,
  'not-connected': safe`was not connected`,
  unassigned: safe`was not assigned to a project`,
};

const removals: Readonly<Record<CleanedUp, Removal>> = {
  cleared: 'done',
  disconnected: 'done',
  'not-connected': 'before',
  unassigned: 'before',
};

type CleanUpReport = Pick<
  DeployReport,
  'outcome' | 'error' | 'skippedReason' | 'actions' | 'preview'
>;

function endReport(hostname: SafeText, result: CleanedUp) {
  const removal = removals[result];
  const stays = removal === 'done' ? safe` The deployment stays on the project.` : safe``;
  const action = safe`The pull request is closed: ${hostname} ${results[result]}.${stays}`;
  return { outcome: 'cleaned-up', preview: { hostname, removal }, actions: [action] } as const;
}

/** Ends the preview of a closed pull request, unless that is open again. */
export async function runCleanUp(
  run: Run,
  request: CleanUpRequest,
  isOpen: () => Promise<boolean | undefined>,
): Promise<CleanUpReport> {
  const hostname = unsafeText(request.hostname);
  try {
    if ((await isOpen()) === true) {
      const error = diagnose(
        'SD6008',
        safe`The pull request is open again, so its preview is kept.`,
      );
      return {
        outcome: 'skipped',
        skippedReason: 'pull-request-open',
        preview: { hostname },
        error,
      };
    }
    return endReport(hostname, await cleanUp(run, request));
  } catch (error) {
    const removal = error instanceof PreviewKept ? 'left' : 'unknown';
    const preview = { hostname, removal } as const;
    return { outcome: 'failed', preview, error: explainError(error, run.host.clean) };
  }
}

/**
 * Ends the previews of all pull requests that are closed.
 *
 * @param record updates the comment and the GitHub deployments of each preview
 */
export async function runSweep(
  run: Run,
  request: SweepRequest,
  record: (swept: SweptPreview) => Promise<void>,
): Promise<CleanUpReport> {
  const onEnded: SweepRequest['onEnded'] = ({ number, projectId, hostname, result }) => {
    const cost = { phases: [], requests: 0, durationMs: 0 };
    const report = { ...cost, ...endReport(run.host.clean(hostname), result) };
    return record({ number, projectId, report });
  };
  try {
    const swept = await sweep(run, { ...request, onEnded });
    const describe = (result: Swept['result']) =>
      typeof result === 'string'
        ? results[result]
        : printed(explainError(result.error, run.host.clean));
    const actions = swept.map(
      ({ hostname, number, result }) =>
        safe`${run.host.clean(hostname)} (pull request ${number}) ${describe(result)}`,
    );
    const wrong = swept.filter(({ result }) => typeof result !== 'string');
    if (wrong.length > 0) {
      const error = diagnose(
        'SD6010',
        safe`${wrong.length} of ${swept.length} previews could not be removed; the summary has the reasons.`,
      );
      return { outcome: 'failed', actions, error };
    }
    return { outcome: swept.length === 0 ? 'synced' : 'cleaned-up', actions };
  } catch (error) {
    return { outcome: 'failed', error: explainError(error, run.host.clean) };
  }
}

/** A preview that a sweep has ended. */
interface SweptPreview {
  /** The number of the pull request. */
  number: number;
  /** The project that its hostname was assigned to. */
  projectId: string;
  report: DeployReport;
}

function targetOf(values: DeployValues, projectId: string): DeployTarget {
  const { 'preview-projects': from = [], 'preview-domain': template } = values;
  return template !== undefined && from.some((id) => id === projectId)
    ? { kind: 'lease', from, template }
    : { kind: 'project', id: projectId };
}

/**
 * Creates what updates GitHub after a sweep has ended a preview, as the close of its pull request would have. A failure
 * is a warning, reported once for all previews.
 */
export function sweptPreviewRecorder(
  values: DeployValues,
  context: RunContext,
  { signal, warn }: Preflight,
): (swept: SweptPreview) => Promise<void> {
  const { runUrl, repository } = context;
  const access = accessOf(values, context);
  const attempt = attemptWith(warn, access);
  const recordSigner = recordSignerFor(values, repository);
  return async ({ number, projectId, report }) => {
    const target = targetOf(values, projectId);
    const course = { values, event: context.event, pull: { number }, target };
    const { comment, deployment } = planLocations(course, context);
    const shown = { ...report, subject: subjectIn(course, context) };
    const signer = commentSignerFor(values, repository, number);
    // No later sweep would update it, so a cancellation must not interrupt this.
    const { whole } = startGracePeriod(signal);
    const own = comment && new RunComment({ ...comment, signer, runUrl, access, attempt });
    await Promise.all([
      own?.write({ render: (by) => renderOutcome(shown, by), mayCreate: false }, whole),
      deployment &&
        endRecords(
          {
            series: new Series({ access, signer: recordSigner }, deployment),
            runUrl,
            access,
            attempt,
          },
          context.identity.runId,
          whole,
        ),
    ]);
  };
}
