import { type RunCommit, shaOf, unknownCommit } from '../contract/commit.ts';
import type { Step } from '../frame/step.ts';
import { previewProjects } from '../frame/target.ts';
import type { Values } from '../inputs.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { PullRequest, RunEvent } from '../kernel/event.ts';
import { clean } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import type { EndIntent } from './intent.ts';
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

/** True if a run is about a pull request, or about other code that is not merged, such as a merge queue's. */
const isUnmerged = ({ pullRequest, trust }: RunEvent): boolean =>
  pullRequest !== undefined || trust.code !== 'merged';

/** What is wrong with a template itself, not with its hostname. */
function templateProblem(template: string, event: RunEvent): string | undefined {
  if (!needsPullRequest(template)) {
    if (!isUnmerged(event)) return undefined;
    return "must contain {number} on pull requests and for other unmerged code: without it, the hostname could be another site's";
  }
  if (!isDelimited(template)) return 'needs a "." or "-" on both sides of {number}';
  return template.includes('{sha}')
    ? "contains {sha}, so each commit would have another hostname, and a close would end only the last commit's: use {number} without {sha}"
    : undefined;
}

/** What is wrong with `preview-domain`, whatever hostname it gives. */
export function templateProblems({ inputs, context }: Step<'deploy'>): Problem[] {
  const template = inputs.get('preview-domain');
  const message = template && templateProblem(template, context.event);
  return message ? [{ input: 'preview-domain', code: 'SD1104', message }] : [];
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
  step: Step<'deploy'>,
  pullRequest: PullRequest | undefined,
  commit: RunCommit | undefined,
  problems: Problem[],
): PreviewName | undefined {
  const { inputs, context } = step;
  const template = inputs.get('preview-domain');
  if (template === undefined) return undefined;
  if (needsPullRequest(template) && pullRequest === undefined) return undefined;
  const wrong = templateProblems(step);
  problems.push(...wrong);
  if (wrong.length > 0) return undefined;
  const [owner = '', repo = ''] = context.repository.split('/');
  const filled: HostnameValues = {
    branch: pullRequest?.branch ?? context.event.branch ?? '',
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

/** How the previews of closed pull requests are ended. */
export const endIntent = (values: DeployValues): EndIntent => ({
  projects: previewProjects(values),
  disconnect: values['disconnect-on-close'],
});

/** The request for a run's preview, from its hostname. */
export function previewRequest(
  { template, hostname }: PreviewName,
  values: DeployValues,
  context: RunContext,
): PreviewRequest {
  return {
    template,
    hostname,
    matcher: matcherOf(template, context),
    known: previewProjects(values),
    timeout: values['verify-timeout'],
    strict: values.strict,
  };
}
