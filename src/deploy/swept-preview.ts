import { accessOf } from '../frame/access.ts';
import type { WayIn } from '../frame/action.ts';
import { startGracePeriod } from '../frame/grace-period.ts';
import type { DeployTarget } from '../frame/target.ts';
import type { RunContext } from '../github/runner.ts';
import type { Values } from '../inputs.ts';
import { attemptWith } from '../recording/attempt.ts';
import { sealFor } from '../recording/comment-seal.ts';
import { recordSealFor } from '../recording/record-seal.ts';
import { RunComment } from '../recording/run-comment.ts';
import { openOctokit } from '../records/api.ts';
import { listDeployments, withoutNewer } from '../records/deployment.ts';
import { endDeployments } from '../records/deployment-status.ts';
import type { DeployReport } from '../release/report.ts';
import { renderOutcome } from './model/comment.ts';
import { planLocations, subjectIn } from './plan-recording.ts';

/** A preview that a sweep has ended, and what is told of it. */
export interface SweptPreview {
  /** The pull request's. */
  number: number;
  /** The project that its hostname was assigned to. */
  projectId: string;
  report: DeployReport;
}

/** Whose the preview was: one of the leased projects, or the one that is given. */
function targetOf(values: Values<'deploy'>, projectId: string): DeployTarget {
  const { 'preview-projects': from = [], 'preview-domain': template } = values;
  return template !== undefined && from.includes(projectId)
    ? { kind: 'lease', from, template }
    : { kind: 'project', id: projectId };
}

/**
 * Makes what writes on GitHub that a sweep has ended a preview: the same as its pull request's close would have
 * written. What fails is a warning, told once for all previews.
 */
export function sweptPreviewRecorder(
  values: Values<'deploy'>,
  context: RunContext,
  { signal, warn }: WayIn,
): (swept: SweptPreview) => Promise<void> {
  const { runUrl, repository } = context;
  const access = accessOf(values, context);
  const attempt = attemptWith(warn);
  const recordSeal = recordSealFor(values, repository);
  return async ({ number, projectId, report }) => {
    const target = targetOf(values, projectId);
    const recording = { values, context, pullRequest: { number }, target };
    const { comment, deployment } = planLocations(recording);
    const shown = { ...report, subject: subjectIn(recording) };
    const seal = sealFor(values, repository, number);
    // A preview that was ended before a cancellation is never looked at again.
    const { whole } = startGracePeriod(signal);
    const ours = comment && new RunComment({ ...comment, seal, runUrl, access, attempt });
    await Promise.all([
      ours?.write({ render: (by) => renderOutcome(shown, by), mayCreate: false }, whole),
      deployment &&
        attempt('record the end of the deployment', 'deployments: write', async () => {
          const octokit = await openOctokit(access, whole);
          const made = await listDeployments(octokit, deployment, recordSeal);
          const ended = withoutNewer(made, recordSeal, context.identity.runId);
          await endDeployments(octokit, ended, runUrl);
        }),
    ]);
  };
}
