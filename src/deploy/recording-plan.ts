import { type Marker, planKey } from '../comments/model/marker.ts';
import { type RunCommit, shaOf } from '../contract/commit.ts';
import { idempotencyKey, isRunId } from '../kernel/cryptography.ts';
import { safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import type { PlannedDeployment } from '../releases/own-record.ts';
import type { Subject } from '../report/closing.ts';
import type { Step } from '../step/step.ts';
import type { DeployValues } from './inputs.ts';
import {
  type Course,
  type DeployTarget,
  environmentOf,
  isByHand,
  type NotRecorded,
  pullRequestOf,
  type Work,
  whyNotRecorded,
} from './job.ts';

/** What is recorded of a run on GitHub. It can be kept as JSON for the post step. */
export interface RecordingPlan {
  runUrl: string;
  subject: Subject;
  /** `isPlan`: the comment of plans, which does not show what is live. */
  comment?: { number: number; marker: Marker; isPlan?: boolean } | undefined;
  deployment?: PlannedDeployment | undefined;
  /** Why there is none; undefined with one. */
  notRecorded?: NotRecorded | undefined;
  /** Undefined until one is leased. */
  projectId?: string | undefined;
  commit: RunCommit;
}

const projectOf = (target: DeployTarget) => (target.kind === 'project' ? target.id : undefined);

/** Which comment a run writes: one per project, or one for all leased projects. */
const commentKey = (target: DeployTarget): string =>
  target.kind === 'lease' ? target.template : (projectOf(target) ?? '');

/** The number of a run's pull request: one that only GitHub knew was read. */
function numberOf({ pull }: Course): number | undefined {
  if (pull === undefined) return undefined;
  if (pull.number === undefined) throw new Error('a run without the number of its pull request');
  return pull.number;
}

/** Where the GitHub Deployments of such runs are. */
function seriesOf(course: Course) {
  const { event, target } = course;
  const { name, environment } = environmentOf(course);
  const number = numberOf(course);
  const isOfPull = number !== undefined;
  return {
    environment,
    key: `${name}/${isOfPull ? commentKey(target) : (projectOf(target) ?? '')}`,
    isPreview: isOfPull || event.kind === 'merge-group',
    pullRequest: number,
  };
}

/** Where the runs of a pull request write their comment and their GitHub Deployments; undefined if they do not. */
export function planLocations(course: Course, { identity }: RunContext) {
  const { values, target } = course;
  const { runId, runAttempt } = identity;
  const number = numberOf(course);
  return {
    comment:
      number === undefined || values.comment === 'false'
        ? undefined
        : { number, marker: { key: commentKey(target), runId, runAttempt } },
    deployment: values['github-deployment'] ? seriesOf(course) : undefined,
  };
}

/** The subject of a run's report. */
export const subjectIn = ({ values, pull, target }: Course, context: RunContext): Subject =>
  subjectOf({
    context,
    pullRequest: pull,
    environmentName: values['environment-name'],
    projectId: projectOf(target),
  });

/** What the subject of a run is made of. */
export interface SubjectFacts {
  context: Pick<RunContext, 'event' | 'serverUrl' | 'repository' | 'commitsUrl' | 'sign'>;
  pullRequest: { number: number | undefined } | undefined;
  /** The input `environment-name`, and the project, if an input gives it. */
  environmentName: string | undefined;
  projectId: string | undefined;
}

/**
 * The subject of a run: a pull request's preview, distinguished from others of the same pull request by the start of
 * the project's id; or the name of its environment.
 */
export function subjectOf(facts: SubjectFacts): Subject {
  const { context, pullRequest, environmentName, projectId } = facts;
  const { event, serverUrl, repository, sign = '#' } = context;
  const commitsUrl = context.commitsUrl ?? `${serverUrl}/${repository}/commit/`;
  if (pullRequest !== undefined) {
    const { number } = pullRequest;
    const name = number === undefined ? safe`Preview` : safe`Preview of ${sign}${number}`;
    const mark = projectId === undefined ? undefined : unsafeText(projectId.slice(0, 8));
    return { name, mark, commitsUrl };
  }
  if (environmentName !== undefined) {
    return { name: shorten(unsafeText(environmentName), longestName), commitsUrl };
  }
  const isQueued = event.kind === 'merge-group';
  return { name: isQueued ? safe`Merge queue` : safe`Production`, commitsUrl };
}

/** The maximum length of an environment's name in a title. */
const longestName = 60;

/** The subject of a step, without a request to GitHub. */
export function subjectOfStep({ inputs, context }: Step<DeployValues>): Subject {
  const source = pullRequestOf(inputs.values, context.event);
  let pullRequest: SubjectFacts['pullRequest'];
  if (source?.kind === 'known') pullRequest = source.pullRequest;
  else if (source !== undefined && source.kind !== 'missing') {
    pullRequest = { number: source.kind === 'by-number' ? source.number : undefined };
  }
  return subjectOf({
    context,
    pullRequest,
    environmentName: inputs.get('environment-name'),
    projectId: inputs.get('project-id'),
  });
}

/** The GitHub Deployment of a run in a series; undefined if there is none. */
function planDeployment(
  job: Work,
  { identity }: RunContext,
  series: ReturnType<typeof seriesOf>,
): PlannedDeployment | undefined {
  const { values, event, commit } = job;
  const ref = shaOf(commit.is);
  if (whyNotRecorded(job) !== undefined || ref === undefined) return undefined;
  return {
    ...series,
    ref,
    until: Date.now() + values.timeout,
    runId: isRunId(identity.runId) ? identity.runId : undefined,
    isByHand: isByHand(values['commit-sha'], event),
    mark: idempotencyKey(identity, 'record the deployment', ref),
  };
}

/** Decides what is recorded on GitHub, which does not know the HEAD of the project's repository. */
export function planRecording(job: Work, context: RunContext): RecordingPlan {
  const { values, target, commit } = job;
  const projectId = projectOf(target);
  const isPlan = values.mode === 'plan';
  const { comment, deployment: series } = planLocations(job, context);
  const deployment = series && planDeployment(job, context, series);
  const marker = comment && isPlan ? { key: planKey('deploy', comment.marker.key) } : {};
  return {
    runUrl: context.runUrl,
    commit: commit.is ?? null,
    subject: subjectIn(job, context),
    projectId,
    comment: comment && { ...comment, marker: { ...comment.marker, ...marker }, isPlan },
    deployment,
    notRecorded: deployment === undefined ? (whyNotRecorded(job) ?? 'head') : undefined,
  };
}
