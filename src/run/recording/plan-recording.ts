import { idempotencyKey } from '../../core/idempotency.ts';
import type { PullRequest } from '../../core/pull-request.ts';
import type { RunContext } from '../../github/runner.ts';
import type { Values } from '../../inputs.ts';
import type { DeployTarget } from '../deploy/target.ts';
import { sealFor } from './access.ts';
import type { RecordingPlan } from './recorder.ts';

/** What of a run says what is recorded of it. */
export interface RecordingFacts {
  values: Values<'deploy'>;
  context: RunContext;
  pullRequest: PullRequest | undefined;
  target: DeployTarget;
}

const projectOf = (target: DeployTarget): string => (target.kind === 'project' ? target.id : '');

/** Which comment a run writes: one for each project, or for the whole of the leased ones. */
function commentKey({ values, target }: RecordingFacts): string {
  const standard = target.kind === 'lease' ? target.template : projectOf(target);
  return values['comment-key'] ?? standard;
}

/** The GitHub Deployment of a run: a preview's own environment, the merge queue's, or production. */
function planDeployment(
  recording: RecordingFacts,
  ref: string,
): NonNullable<RecordingPlan['deployment']> {
  const { values, context, pullRequest, target } = recording;
  const { event, identity } = context;
  const given = values['environment-name'];
  const mark = idempotencyKey(identity, 'record the deployment', ref);
  if (pullRequest !== undefined) {
    const name = `pr-${pullRequest.number}`;
    const environment = given ?? `preview/${name}`;
    const key = `${name}/${commentKey(recording)}`;
    return { ref, environment, key, isPreview: true, mark };
  }
  const isPreview = event.name === 'merge_group';
  const name = isPreview ? 'merge-group' : 'production';
  return { ref, environment: given ?? name, key: `${name}/${projectOf(target)}`, isPreview, mark };
}

/** Where the runs of a pull request keep their records on GitHub, as far as they do. */
export function planLocations(recording: RecordingFacts) {
  const { values, context, pullRequest } = recording;
  const { runId, runAttempt } = context.identity;
  const comments = pullRequest !== undefined && values.comment !== 'false';
  return {
    comment: comments
      ? { number: pullRequest.number, marker: { key: commentKey(recording), runId, runAttempt } }
      : undefined,
    deployment: values['github-deployment'] ? planDeployment(recording, '') : undefined,
  };
}

/**
 * Decides what of a run is recorded on GitHub.
 *
 * @param commit 40 hex digits, or empty for HEAD, which GitHub does not know
 */
export function planRecording(recording: RecordingFacts, commit: string): RecordingPlan {
  const { values, context, target } = recording;
  const { runUrl, repository } = context;
  const plan = { runUrl, commit, projectId: projectOf(target) };
  if (values.mode === 'plan') return plan;
  const { comment } = planLocations(recording);
  const records = values.deploy && commit !== '' && values['github-deployment'];
  return {
    ...plan,
    ...(comment && {
      comment: {
        ...comment,
        marker: sealFor(values, repository, comment.number).sign(comment.marker),
      },
    }),
    ...(records && { deployment: planDeployment(recording, commit) }),
  };
}
