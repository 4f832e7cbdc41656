import type { PreviewRequest } from '../commands/preview/preview.ts';
import { trustIn } from '../core/event/trust.ts';
import {
  type HostnameValues,
  hostnameMatcher,
  isDelimited,
  needsPullRequest,
  previewHostname,
} from '../core/preview/hostname.ts';
import type { Ownership } from '../core/preview/ownership.ts';
import type { Problem } from '../core/problem.ts';
import type { PullRequest } from '../core/pull-request.ts';
import { clean } from '../core/text/clean.ts';
import type { RunContext } from '../github/runner.ts';
import type { Values } from '../inputs.ts';

type DeployValues = Partial<Values<'deploy'>>;

/** True if the projects of `preview-projects` are leased in this run, so that `project-id` is not needed. */
export function leases(values: DeployValues, pullRequest: PullRequest | undefined): boolean {
  const hasProjects = (values['preview-projects'] ?? []).length > 0;
  return hasProjects && values['preview-domain'] !== undefined && pullRequest !== undefined;
}

/** The projects that a preview's hostname may be assigned to. */
export function previewProjects(values: DeployValues): string[] {
  const given = values['project-id'];
  return [...(values['preview-projects'] ?? []), ...(given === undefined ? [] : [given])];
}

/** The matcher of `preview-domain` for this repository. */
export function matcherOf(template: string, { repository }: RunContext) {
  const [owner = '', repo = ''] = repository.split('/');
  return hostnameMatcher(template, { owner, repo });
}

/** What is wrong with a template, beyond the hostname that comes of it. */
function templateProblem(
  template: string,
  values: DeployValues,
  pullRequest: PullRequest | undefined,
): string | undefined {
  if (!isDelimited(template)) return 'needs a "." or "-" on both sides of {number}';
  if (template.includes('{sha}') && (values['preview-projects'] ?? []).length > 0) {
    return '{sha} would lease another project for each commit: use {number} with preview-projects';
  }
  return pullRequest?.isFork === true && !needsPullRequest(template)
    ? 'needs {number} for pull requests from forks, whose branches may be called alike'
    : undefined;
}

/** How it is known whose a hostname is: without a number in it, unmerged code needs a record of ours. */
function ownershipOf(
  template: string,
  { event }: RunContext,
  pullRequest: PullRequest | undefined,
): Ownership {
  const isMerged = pullRequest === undefined && trustIn(event).code === 'merged';
  const byName = needsPullRequest(template) || isMerged;
  return byName ? { by: 'name' } : { by: 'record', claim: undefined };
}

/**
 * Reads `preview-domain` and what belongs to it.
 *
 * @param commit 40 hex digits, or empty for HEAD
 * @param problems takes what is wrong with it
 * @returns undefined if this run has no preview domain
 */
export function previewRequest(
  values: DeployValues,
  context: RunContext,
  pullRequest: PullRequest | undefined,
  commit: string,
  problems: Problem[],
): PreviewRequest | undefined {
  const template = values['preview-domain'];
  if (template === undefined) {
    if ((values['preview-projects'] ?? []).length > 0) {
      problems.push({ input: 'preview-projects', message: 'needs preview-domain' });
    }
    return undefined;
  }
  if (needsPullRequest(template) && pullRequest === undefined) return undefined;
  const wrong = templateProblem(template, values, pullRequest);
  if (wrong !== undefined) {
    problems.push({ input: 'preview-domain', message: wrong });
    return undefined;
  }
  const [owner = '', repo = ''] = context.repository.split('/');
  const filled: HostnameValues = {
    branch: pullRequest?.branch ?? context.refName,
    sha: commit,
    owner,
    repo,
    ...(pullRequest === undefined ? {} : { number: pullRequest.number }),
  };
  const hostname = previewHostname(template, filled);
  if (hostname === undefined) {
    const message = `"${clean(template, 80)}" gives no valid hostname: use lower-case letters, digits, "-" and at least one dot beside the placeholders`;
    problems.push({ input: 'preview-domain', message });
    return undefined;
  }
  return {
    hostname,
    matcher: matcherOf(template, context),
    projects: leases(values, pullRequest) ? (values['preview-projects'] ?? []) : [],
    ownership: ownershipOf(template, context, pullRequest),
    timeout: values['domain-timeout'] ?? 0,
    onPending: values['on-domain-pending'] ?? 'warn',
  };
}
