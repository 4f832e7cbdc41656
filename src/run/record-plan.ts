import { idempotencyKey } from '../core/idempotency.ts';
import type { Problem } from '../core/problem.ts';
import type { PullRequest } from '../core/pull-request.ts';
import type { RunContext } from '../github/runner.ts';
import type { Values } from '../inputs.ts';
import { sealFor } from './marker-seal.ts';
import { leases } from './preview-request.ts';
import type { RecordPlan } from './record-request.ts';

type DeployValues = Partial<Values<'deploy'>>;

/** Which comment a run writes: one for each project, or for the whole of the leased ones. */
function commentKey(values: DeployValues, pullRequest: PullRequest): string {
  const standard = leases(values, pullRequest) ? values['preview-domain'] : values['project-id'];
  return values['comment-key'] ?? standard ?? '';
}

/** The GitHub Deployment of a run: a preview's own environment, the merge queue's, or production. */
function planDeployment(
  values: DeployValues,
  { event, identity }: RunContext,
  pullRequest: PullRequest | undefined,
  ref: string,
): NonNullable<RecordPlan['deployment']> {
  const project = values['project-id'] ?? '';
  const given = values['environment-name'];
  const mark = idempotencyKey(identity, 'record the deployment', ref);
  if (pullRequest !== undefined) {
    const name = `pr-${pullRequest.number}`;
    const environment = given ?? `preview/${name}`;
    const key = `${name}/${commentKey(values, pullRequest)}`;
    return { ref, environment, key, isPreview: true, mark };
  }
  const isPreview = event.name === 'merge_group';
  const name = isPreview ? 'merge-group' : 'production';
  return { ref, environment: given ?? name, key: `${name}/${project}`, isPreview, mark };
}

/** Where the runs of a pull request keep their records on GitHub, as far as they do. */
export function planPlaces(values: DeployValues, context: RunContext, pullRequest: PullRequest) {
  const { runId, runAttempt } = context.identity;
  const marker = { key: commentKey(values, pullRequest), runId, runAttempt };
  const comment = values.comment === 'false' ? undefined : { number: pullRequest.number, marker };
  const deployment =
    values['github-deployment'] === true
      ? planDeployment(values, context, pullRequest, '')
      : undefined;
  return { comment, deployment };
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
  const { identity, runUrl, repository } = context;
  const { runId, runAttempt } = identity;
  if (values.comment === 'true' && pullRequest === undefined) {
    problems.push({ input: 'comment', message: 'true needs a pull request: use auto' });
  }
  const writes = values.mode !== 'plan';
  const comments = writes && values.comment !== 'false' && pullRequest !== undefined;
  const deploys = writes && values.deploy === true && commit !== '';
  const records = deploys && values['github-deployment'] === true;
  return {
    runUrl,
    commit,
    projectId: leases(values, pullRequest) ? '' : (values['project-id'] ?? ''),
    ...(comments
      ? {
          comment: {
            number: pullRequest.number,
            marker: sealFor(values, repository, pullRequest.number).sign({
              key: commentKey(values, pullRequest),
              runId,
              runAttempt,
            }),
          },
        }
      : {}),
    ...(records ? { deployment: planDeployment(values, context, pullRequest, commit) } : {}),
  };
}
