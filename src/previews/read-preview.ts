import { type RunCommit, shaOf, unknownCommit } from '../contract/commit.ts';
import type { Step } from '../frame/step.ts';
import { previewProjects } from '../frame/target.ts';
import type { Values } from '../inputs.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { PullRequest } from '../kernel/event.ts';
import { clean } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import type { EndIntent, Ownership } from './intent.ts';
import {
  type HostnameValues,
  hostnameMatcher,
  isDelimited,
  needsPullRequest,
  previewHostname,
} from './model/preview-hostname.ts';
import type { PreviewRequest } from './preview.ts';

type DeployValues = Values<'deploy'>;

/** The matcher of `preview-domain` for this repository. */
export function matcherOf(template: string, { repository }: RunContext) {
  const [owner = '', repo = ''] = repository.split('/');
  return hostnameMatcher(template, { owner, repo });
}

/** What is wrong with a template itself, not with its hostname. */
function templateProblem(
  template: string,
  leases: boolean,
  pullRequest: PullRequest | undefined,
): string | undefined {
  if (!isDelimited(template)) return 'needs a "." or "-" on both sides of {number}';
  if (template.includes('{sha}') && leases) {
    return 'contains {sha}, so each commit would use another project: use {number} with preview-projects';
  }
  return pullRequest?.isFork === true && !needsPullRequest(template)
    ? 'needs {number} for pull requests from forks, whose branches may have the same name'
    : undefined;
}

/** How the hostname's owner is recognized: without a number in it, unmerged code needs a record of this action. */
function ownershipOf(
  template: string,
  { event }: RunContext,
  pullRequest: PullRequest | undefined,
): Ownership {
  const isMerged = pullRequest === undefined && event.trust.code === 'merged';
  const byName = needsPullRequest(template) || isMerged;
  return byName ? { by: 'name' } : { by: 'record', claim: undefined };
}

/** What a template contains and the run does not know. */
function unknownIn(template: string, { branch, commit, owner, repo }: HostnameValues) {
  if (template.includes('{sha}') && shaOf(commit) === undefined) {
    return 'contains {sha}, but the commit is not known: remove {sha}, or set commit-sha to 40 hex digits';
  }
  const missing = Object.entries({ branch, owner, repo }).find(
    ([name, value]) => value === '' && template.includes(`{${name}}`),
  );
  return missing && `contains {${missing[0]}}, but the ${missing[0]} is not known: remove it`;
}

/** A preview's hostname, and the template that it came from. */
export interface PreviewName {
  template: string;
  hostname: string;
}

/**
 * Reads `preview-domain`.
 *
 * @param commit undefined if that is reported already
 * @param problems collects the mistakes
 * @returns undefined if this run has no preview domain
 */
export function previewName(
  { inputs, context }: Step<'deploy'>,
  pullRequest: PullRequest | undefined,
  commit: RunCommit | undefined,
  problems: Problem[],
): PreviewName | undefined {
  const template = inputs.get('preview-domain');
  if (template === undefined) return undefined;
  if (needsPullRequest(template) && pullRequest === undefined) return undefined;
  const leases = inputs.get('preview-projects') ?? [];
  const wrong = templateProblem(template, leases.length > 0, pullRequest);
  if (wrong !== undefined) {
    problems.push({ input: 'preview-domain', code: 'SD1104', message: wrong });
    return undefined;
  }
  const [owner = '', repo = ''] = context.repository.split('/');
  const filled: HostnameValues = {
    branch: pullRequest?.branch ?? context.refName,
    commit: commit === undefined ? unknownCommit : commit,
    owner,
    repo,
    ...(pullRequest === undefined ? {} : { number: pullRequest.number }),
  };
  const unknown = unknownIn(template, filled);
  if (unknown !== undefined) {
    problems.push({ input: 'preview-domain', code: 'SD1124', message: unknown });
    return undefined;
  }
  const hostname = previewHostname(template, filled);
  if (hostname === undefined) {
    const message = `"${clean(template, 80)}" does not give a valid hostname: use lowercase letters, digits, "-" and at least one dot`;
    problems.push({ input: 'preview-domain', code: 'SD1104', message });
    return undefined;
  }
  return { template, hostname };
}

interface PreviewFacts {
  values: DeployValues;
  context: RunContext;
  pullRequest: PullRequest | undefined;
}

/** How the previews of closed pull requests are ended. */
export const endIntent = (values: DeployValues): EndIntent => ({
  projects: previewProjects(values),
  disconnect: values['disconnect-on-close'],
});

/** The request for a run's preview, from its hostname. */
export function previewRequest(
  { template, hostname }: PreviewName,
  { values, context, pullRequest }: PreviewFacts,
): PreviewRequest {
  return {
    template,
    hostname,
    matcher: matcherOf(template, context),
    known: previewProjects(values),
    ownership: ownershipOf(template, context, pullRequest),
    timeout: values['domain-timeout'],
    onPending: values['on-domain-pending'],
  };
}
