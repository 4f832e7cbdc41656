import type { ChecksRequest, JobChecks } from '../checks/intent.ts';
import { readService } from '../follow/model/service.ts';
import { pusherFor } from '../push/pusher.ts';
import type { Step } from '../step/step.ts';
import { previewProjects } from '../step/target.ts';
import type { VariablesRequest } from '../variables/intent.ts';
import type { DeployRequest, Target } from './context.ts';
import { gatesOf, isGuarded, isUndecided, type ReleaseJob } from './job.ts';
import { knownCommitOf } from './model/commit.ts';
import type { Preview } from './previews/intent.ts';
import type { PreviewRequest } from './previews/preview.ts';
import { matcherOf } from './previews/read-preview.ts';

/** What is opened with the service. */
type Supplies = keyof VariablesRequest | 'ledgers' | 'history';

/** The hostname of a run's preview. @throws if only GitHub knows it */
export function hostnameOf({ hostname }: Preview): string {
  if (hostname === undefined) throw new Error('a run without the hostname of its preview');
  return hostname;
}

/** The checks of a run. @throws if only GitHub knows what is filled in */
export function checksOf({ site, ...checks }: JobChecks): ChecksRequest {
  if (site === undefined) throw new Error('a run without the site of its checks');
  return { ...checks, site };
}

function previewOf(
  { values, pull, preview }: ReleaseJob,
  { context }: Step<'deploy'>,
  isOpen: PreviewRequest['isOpen'],
): PreviewRequest | undefined {
  if (preview === undefined) return undefined;
  return {
    hostname: hostnameOf(preview),
    matcher: matcherOf(preview.template, context),
    known: previewProjects(values),
    timeout: values['verify-timeout'],
    strict: values.strict,
    ...(pull && isOpen && { isOpen }),
  };
}

function targetOf({ target }: ReleaseJob, preview: PreviewRequest | undefined): Target {
  if (target.kind === 'project') return { ...target, ...(preview && { preview }) };
  if (preview === undefined) throw new Error('a lease without a preview');
  return { kind: 'lease', from: target.from, preview };
}

/**
 * What the stages of a release are given, without what is opened with the service.
 *
 * @param isOpen whether the pull request is open
 */
export function requestOf(
  job: ReleaseJob,
  step: Step<'deploy'>,
  isOpen: PreviewRequest['isOpen'],
): Omit<DeployRequest, Supplies> {
  const { values, pull, checks, push } = job;
  const { paths, customStatuses } = readService(values.service);
  const commit = knownCommitOf(job.commit);
  const isPushed = push.kind === 'push' && commit !== null && commit !== 'HEAD';
  return {
    deploy: values.deploy !== false,
    planOnly: job.kind === 'plan',
    wait: values.wait,
    statusPath: paths['deployment-status'],
    eventsPath: paths['deployment-events'],
    customStatuses,
    commit,
    isUndecided: isUndecided(job),
    guarded: isGuarded(job),
    ...(pull && { isPullRequest: true as const }),
    ...gatesOf(job),
    target: targetOf(job, previewOf(job, step, isOpen)),
    ...(checks && { checks: checksOf(checks) }),
    ...(isPushed && { pusher: pusherFor(push, commit, values, step) }),
  };
}
