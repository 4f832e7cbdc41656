import { planKey } from '../comments/model/marker.ts';
import { type RunCommit, shaOf } from '../contract/commit.ts';
import type { DeployTarget } from '../frame/target.ts';
import type { Values } from '../inputs.ts';
import { idempotencyKey, isRunId } from '../kernel/cryptography.ts';
import type { PullRequest } from '../kernel/event.ts';
import type { RunContext } from '../platform.ts';
import type { PlannedDeployment } from '../releases/own-record.ts';
import type { Subject } from '../report/closing.ts';
import { subjectOf } from './describe-subject.ts';
import type { NotRecorded } from './intent.ts';
import type { RecordingPlan } from './recorder.ts';

/** What decides what is recorded of a run. */
export interface RecordingFacts {
  values: Values<'deploy'>;
  context: RunContext;
  pullRequest: PullRequest | undefined;
  target: DeployTarget;
  /** The project that unmerged code goes to, if it serves other domains; absent until that is known. */
  production?: string;
}

/** The same, with only the number of the pull request. */
interface LocationFacts extends Omit<RecordingFacts, 'pullRequest'> {
  pullRequest: Pick<PullRequest, 'number'> | undefined;
}

const projectOf = (target: DeployTarget) => (target.kind === 'project' ? target.id : undefined);

/** What distinguishes the deployments of a series: its project. */
const keyOf = (target: DeployTarget): string => projectOf(target) ?? '';

/** Which comment a run writes: one per project, or one for all leased projects. */
const commentKey = (target: DeployTarget): string =>
  target.kind === 'lease' ? target.template : keyOf(target);

/** The environment of the GitHub Deployments of such runs: a preview's own, the merge queue's, or production. */
function seriesOf(
  recording: LocationFacts,
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
    const key = `${name}/${commentKey(target)}`;
    return { environment, key, isPreview: true, pullRequest: pullRequest.number };
  }
  const isPreview = context.event.kind === 'merge-group';
  const name = isPreview ? 'merge-group' : 'production';
  return { environment: given ?? name, key: `${name}/${keyOf(target)}`, isPreview };
}

/**
 * True if a user chose the commit: it was given in a manual run, or differs from that of the event, unlike
 * `commit-sha: ${{ github.sha }}`.
 */
export function isByHand({
  values: { 'commit-sha': given },
  context: { event },
}: Pick<RecordingFacts, 'values' | 'context'>): boolean {
  if (given === undefined) return false;
  const { commit: ofEvent } = event;
  if (event.kind === 'manual' || ofEvent.kind !== 'commit') return true;
  return typeof given === 'string' ? ofEvent.sha !== given : !ofEvent.sha.startsWith(given.digits);
}

/** Where the runs of a pull request write their comment and their GitHub Deployments; undefined if they do not. */
export function planLocations(recording: LocationFacts) {
  const { values, context, pullRequest, target } = recording;
  const { runId, runAttempt } = context.identity;
  const comments = pullRequest !== undefined && values.comment !== 'false';
  return {
    comment: comments
      ? { number: pullRequest.number, marker: { key: commentKey(target), runId, runAttempt } }
      : undefined,
    deployment: values['github-deployment'] ? seriesOf(recording) : undefined,
  };
}

/** The subject of a run's report. */
export const subjectIn = (recording: LocationFacts): Subject =>
  subjectOf({
    ...recording,
    environmentName: recording.values['environment-name'],
    projectId: projectOf(recording.target),
  });

/** Why no GitHub Deployment is made; undefined if one is. */
function whyNotRecorded({ values }: RecordingFacts, commit: RunCommit): NotRecorded | undefined {
  if (!values['github-deployment']) return 'off';
  if (!values.deploy || values.mode === 'plan') return 'not-deployed';
  return shaOf(commit) === undefined ? 'head' : undefined;
}

/** Decides what is recorded on GitHub, which does not know the HEAD of the project's repository. */
export function planRecording(recording: RecordingFacts, commit: RunCommit): RecordingPlan {
  const { values, context, target } = recording;
  const { runUrl, identity } = context;
  const { runId } = identity;
  const projectId = projectOf(target);
  const sha = shaOf(commit);
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
    ...(notRecorded === undefined && deployment !== undefined && sha !== undefined
      ? {
          deployment: {
            ...deployment,
            ref: sha,
            until: Date.now() + values.timeout,
            ...(isRunId(runId) && { runId }),
            ...(isByHand(recording) && { isByHand: true as const }),
            // Computed on demand: it loads Node's cryptography, which the first request does not need.
            get mark() {
              return idempotencyKey(identity, 'record the deployment', sha);
            },
          },
        }
      : { notRecorded: notRecorded ?? 'off' }),
  };
}
