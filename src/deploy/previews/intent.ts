import { type RunCommit, type Sha, shaOf } from '../../contract/commit.ts';
import type { Hostname, ProjectId } from '../../contract/safe-text.ts';
import type { Problem } from '../../kernel/diagnostic.ts';
import type { KnownPull, RunEvent } from '../../kernel/event.ts';
import { clean, safe } from '../../kernel/text/safe.ts';
import type { DeployValues } from '../inputs.ts';
import {
  type HostnameMatcher,
  type HostnameValues,
  hostnameMatcher,
  isDelimited,
  needsPullRequest,
  previewHostname,
} from './model/preview-hostname.ts';

/** The preview of a run. */
export interface Preview {
  /** The input `preview-domain`. */
  template: string;
  /** Undefined as long as only GitHub knows a value in it. */
  hostname: Hostname | undefined;
}

/** True if a run uses the template: without a pull request, there is no `{number}`. */
export const hasPreview = (template: string, pull: KnownPull | undefined): boolean =>
  pull !== undefined || !needsPullRequest(template);

/**
 * What is wrong with `preview-domain`, whatever hostname it gives.
 *
 * @param isUnmerged true of a pull request, and of a run without one whose code is not merged, such as a merge queue's
 */
export function templateProblems(template: string | undefined, isUnmerged: boolean): Problem[] {
  const message = template === undefined ? undefined : templateProblem(template, isUnmerged);
  return message === undefined ? [] : [{ input: 'preview-domain', code: 'SD1104', message }];
}

function templateProblem(template: string, isUnmerged: boolean): string | undefined {
  if (!needsPullRequest(template)) {
    return isUnmerged
      ? "must contain {number} on pull requests and for other unmerged code: without it, the hostname could be another site's"
      : undefined;
  }
  if (!isDelimited(template)) return 'needs a "." or "-" on both sides of {number}';
  return template.includes('{sha}')
    ? "contains {sha}, so each commit would have another hostname, and a close would end only the last commit's: use {number} without {sha}"
    : undefined;
}

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
  { event, repository }: { event: Pick<RunEvent, 'branch'>; repository: string },
  { pull, commit }: { pull: KnownPull | undefined; commit: RunCommit | undefined },
  problems: Problem[],
): Preview | undefined {
  if (template === undefined || !hasPreview(template, pull)) return undefined;
  const branch = pull === undefined ? (event.branch ?? '') : pull.branch;
  const isUnknown =
    (branch === undefined && template.includes('{branch}')) ||
    (pull !== undefined && pull.number === undefined && template.includes('{number}')) ||
    (commit === undefined && template.includes('{sha}'));
  const values: HostnameValues = {
    number: pull && (pull.number ?? sample.number),
    branch: branch ?? sample.branch,
    commit: commit === undefined ? sample.commit : commit,
    ...namesIn(repository),
  };
  const missing = missingIn(template, values);
  if (missing !== undefined) {
    problems.push({ input: 'preview-domain', code: 'SD1124', message: missing });
    return undefined;
  }
  const hostname = previewHostname(template, values);
  if (hostname === undefined) {
    const message = `"${clean(template, 80)}" does not give a valid hostname: use lowercase letters, digits, "-" and at least one dot`;
    problems.push({ input: 'preview-domain', code: 'SD1104', message });
    return undefined;
  }
  return { template, hostname: isUnknown ? undefined : hostname };
}

function namesIn(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

/** What a template contains and the run does not have, as the end of a sentence. */
function missingIn(
  template: string,
  { branch, commit, owner, repo }: HostnameValues,
): string | undefined {
  if (template.includes('{sha}') && shaOf(commit) === undefined) {
    return 'contains {sha}, but the commit is not known: remove {sha}, or set commit-sha to 40 hex digits';
  }
  const missing = Object.entries({ branch, owner, repo }).find(
    ([name, value]) => value === '' && template.includes(`{${name}}`),
  );
  return missing && `contains {${missing[0]}}, but the ${missing[0]} is not known: remove it`;
}

/** The matcher of `preview-domain` for this repository. */
export const matcherOf = (
  template: string,
  { repository }: { repository: string },
): HostnameMatcher => hostnameMatcher(template, namesIn(repository));

/** The projects that a preview's hostname may be assigned to. */
export function previewProjects(values: DeployValues): ProjectId[] {
  const given = values['project-id'];
  return [...(values['preview-projects'] ?? []), ...(given === undefined ? [] : [given])];
}

/** The label of a pull request whose preview does not end by its age. */
export const keepLabel = safe`keep-preview`;

/** How previews are ended. */
export interface EndIntent {
  /** A hostname that is assigned to another project is not changed. */
  projects: readonly string[];
  /** True: the domain is disconnected; false: only its assignment is cleared. */
  disconnect: boolean;
}

/** Reads how the previews of closed pull requests are ended. */
export const endIntent = (values: DeployValues): EndIntent => ({
  projects: previewProjects(values),
  disconnect: values['disconnect-on-close'],
});
