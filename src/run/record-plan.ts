import type { Problem } from '../core/problem.ts';
import type { PullRequest } from '../core/pull-request.ts';
import type { RunContext } from '../github/runner.ts';
import type { Values } from '../inputs.ts';
import { leases } from './preview-request.ts';
import type { RecordPlan } from './record.ts';

type DeployValues = Partial<Values<'deploy'>>;

/** Which comment a run writes: one for each project, or for the whole of the leased ones. */
function commentKey(values: DeployValues, pullRequest: PullRequest): string {
  const standard = leases(values, pullRequest) ? values['preview-domain'] : values['project-id'];
  return values['comment-key'] ?? standard ?? '';
}

/**
 * Decides what of a run is recorded on GitHub.
 *
 * @param commit 40 hex digits, or empty for HEAD, which GitHub does not know
 * @param problems takes what cannot be recorded although it is asked for
 */
export function planRecord(
  values: DeployValues,
  context: RunContext,
  pullRequest: PullRequest | undefined,
  commit: string,
  problems: Problem[],
): RecordPlan {
  const { identity, runUrl } = context;
  const { runId, runAttempt } = identity;
  if (values.comment === 'true' && pullRequest === undefined) {
    problems.push({ input: 'comment', message: 'true needs a pull request: use auto' });
  }
  const comments = values.comment !== 'false' && pullRequest !== undefined;
  const records = values['github-deployment'] === true && values.deploy === true && commit !== '';
  const standard = pullRequest === undefined ? 'production' : `preview/pr-${pullRequest.number}`;
  return {
    runUrl,
    commit,
    projectId: leases(values, pullRequest) ? '' : (values['project-id'] ?? ''),
    ...(comments
      ? {
          comment: {
            number: pullRequest.number,
            marker: { key: commentKey(values, pullRequest), runId, runAttempt },
          },
        }
      : {}),
    ...(records
      ? {
          deployment: {
            ref: commit,
            environment: values['environment-name'] ?? standard,
            isPreview: pullRequest !== undefined,
          },
        }
      : {}),
  };
}
