import type { Commit } from '../contract/commit.ts';
import type { DeployTarget } from '../frame/target.ts';
import type { RunContext } from '../github/runner.ts';
import type { Values } from '../inputs.ts';
import { treeIn } from '../kernel/event/tree.ts';
import { commitOf } from '../kernel/event.ts';
import { idempotencyKey, isRunId } from '../kernel/idempotency.ts';
import type { PullRequest } from '../kernel/pull-request.ts';
import { subjectOf } from '../recording/describe-subject.ts';
import { planKey } from '../recording/model/marker.ts';
import type { Subject } from '../report/subject.ts';
import type { PlannedDeployment } from './deployment-state.ts';
import type { NotRecorded } from './intent.ts';
import type { RecordingPlan } from './recorder.ts';

/** What of a run says what is recorded of it. */
export interface RecordingFacts {
  values: Values<'deploy'>;
  context: RunContext;
  pullRequest: PullRequest | undefined;
  target: DeployTarget;
  /** The project that code which is not merged goes to, if that serves other domains; absent as long as it is not known. */
  production?: string;
}

/** The same of a run that may know no more of the pull request than its number. */
export interface RecordingPlace extends Omit<RecordingFacts, 'pullRequest'> {
  pullRequest: Pick<PullRequest, 'number'> | undefined;
}

const projectOf = (target: DeployTarget) => (target.kind === 'project' ? target.id : undefined);

/** What tells the deployments of one place from others: its project, or the two of which one serves. */
const keyOf = (target: DeployTarget): string =>
  target.kind === 'swap' ? target.projects.toSorted().join('+') : (projectOf(target) ?? '');

/** Which comment a run writes: one for each project, or for the whole of the leased ones. */
function commentKey({ values, target }: RecordingPlace): string {
  const standard = target.kind === 'lease' ? target.template : (projectOf(target) ?? '');
  return values['comment-key'] ?? standard;
}

/** Where the GitHub Deployments of such runs are: a preview's own environment, the merge queue's, or production. */
function placeOf(
  recording: RecordingPlace,
): Pick<PlannedDeployment, 'environment' | 'key' | 'isPreview' | 'pullRequest'> {
  const { values, context, pullRequest, target, production } = recording;
  const given = values['environment-name'];
  if (production !== undefined) {
    return {
      environment: given ?? 'production',
      key: `production/${production}`,
      isPreview: false,
    };
  }
  if (pullRequest !== undefined) {
    const name = `pr-${pullRequest.number}`;
    const environment = given ?? `preview/${name}`;
    const key = `${name}/${commentKey(recording)}`;
    return { environment, key, isPreview: true, pullRequest: pullRequest.number };
  }
  const isPreview = context.event.name === 'merge_group';
  const name = isPreview ? 'merge-group' : 'production';
  return { environment: given ?? name, key: `${name}/${keyOf(target)}`, isPreview };
}

/**
 * True if a person has chosen the commit: it was given, and is not what the event tells anyhow, as where a workflow
 * says `commit-sha: ${{ github.sha }}`, unless a person has started just this run.
 */
export function isByHand({
  values: { 'commit-sha': given },
  context: { event },
}: Pick<RecordingFacts, 'values' | 'context'>): boolean {
  if (given === undefined) return false;
  const told = commitOf(event);
  if (event.name === 'workflow_dispatch' || told.kind !== 'commit') return true;
  return typeof given === 'string' ? told.sha !== given : !told.sha.startsWith(given.digits);
}

/** Where the runs of a pull request keep their records on GitHub, as far as they do. */
export function planLocations(recording: RecordingPlace) {
  const { values, context, pullRequest } = recording;
  const { runId, runAttempt } = context.identity;
  const comments = pullRequest !== undefined && values.comment !== 'false';
  return {
    comment: comments
      ? { number: pullRequest.number, marker: { key: commentKey(recording), runId, runAttempt } }
      : undefined,
    deployment: values['github-deployment'] ? placeOf(recording) : undefined,
  };
}

/** Says what a run is about. */
export const subjectIn = (recording: RecordingPlace): Subject =>
  subjectOf({
    ...recording,
    commentKey: recording.values['comment-key'],
    environmentName: recording.values['environment-name'],
    projectId: projectOf(recording.target),
  });

/** Why no GitHub Deployment is made; undefined if one is. */
function whyNotRecorded({ values }: RecordingFacts, commit: Commit): NotRecorded | undefined {
  if (!values['github-deployment']) return 'off';
  if (!values.deploy || values.mode === 'plan') return 'not-deployed';
  return commit === 'HEAD' ? 'head' : undefined;
}

/** Decides what of a run is recorded on GitHub, which does not know the HEAD of the project's own repository. */
export function planRecording(recording: RecordingFacts, commit: Commit): RecordingPlan {
  const { values, context, target } = recording;
  const { runUrl, identity } = context;
  const { runId } = identity;
  const projectId = projectOf(target);
  const subject = subjectIn(recording);
  const plan = { runUrl, commit, subject, ...(projectId !== undefined && { projectId }) };
  const isPlan = values.mode === 'plan';
  const { comment, deployment } = planLocations(recording);
  const notRecorded = whyNotRecorded(recording, commit);
  const marker = comment && {
    ...comment.marker,
    ...(isPlan && { key: planKey('deploy', comment.marker.key) }),
  };
  return {
    ...plan,
    ...(comment &&
      marker && {
        comment: {
          number: comment.number,
          marker,
          ...(isPlan && { isPlan }),
        },
      }),
    ...(notRecorded === undefined && deployment !== undefined && commit !== 'HEAD'
      ? {
          deployment: {
            ...deployment,
            ref: commit,
            until: Date.now() + values.timeout,
            tree: treeIn(context.event, commit),
            ...(isRunId(runId) && { runId }),
            ...(isByHand(recording) && { isByHand: true as const }),
            // Made when the deployment is: it loads Node's cryptography, which the first look does without.
            get mark() {
              return idempotencyKey(identity, 'record the deployment', commit);
            },
          },
        }
      : { notRecorded: notRecorded ?? 'off' }),
  };
}
