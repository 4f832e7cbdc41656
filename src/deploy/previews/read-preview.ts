import { type RunCommit, type Sha, shaOf } from '../../contract/commit.ts';
import type { Problem } from '../../kernel/diagnostic.ts';
import type { KnownPull, RunEvent } from '../../kernel/event.ts';
import { clean } from '../../kernel/text/safe.ts';
import type { RunContext } from '../../platform.ts';
import type { Step } from '../../step/step.ts';
import type { DeployValues } from '../inputs.ts';
import type { Preview } from './intent.ts';
import {
  type HostnameValues,
  hostnameMatcher,
  isDelimited,
  needsPullRequest,
  previewHostname,
} from './model/preview-hostname.ts';

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
export function templateProblems({ inputs, context }: Step<DeployValues>): Problem[] {
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

/** True if a run uses the template: without a pull request, there is no `{number}`. */
export const hasPreview = (template: string, pull: KnownPull | undefined): boolean =>
  pull !== undefined || !needsPullRequest(template);

/** What is filled in for what only GitHub knows: it has the same form. */
const sample = { number: 1, branch: 'main', commit: 'a'.repeat(40) as Sha };

/**
 * Reads the preview of a run, from a template that is right by itself.
 *
 * @param commit undefined as long as only GitHub knows it
 * @param problems collects the mistakes
 * @returns undefined if this run has no preview domain
 */
export function readPreview(
  { 'preview-domain': template }: Pick<DeployValues, 'preview-domain'>,
  { event, repository }: RunContext,
  { pull, commit }: { pull: KnownPull | undefined; commit: RunCommit | undefined },
  problems: Problem[],
): Preview | undefined {
  if (template === undefined || !hasPreview(template, pull)) return undefined;
  const [owner = '', repo = ''] = repository.split('/');
  const branch = pull === undefined ? (event.branch ?? '') : pull.branch;
  const isUnknown =
    (branch === undefined && template.includes('{branch}')) ||
    (pull !== undefined && pull.number === undefined && template.includes('{number}')) ||
    (commit === undefined && template.includes('{sha}'));
  const filled: HostnameValues = {
    branch: branch ?? sample.branch,
    commit: commit === undefined ? sample.commit : commit,
    owner,
    repo,
    ...(pull && { number: pull.number ?? sample.number }),
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
  return { template, hostname: isUnknown ? undefined : hostname };
}
