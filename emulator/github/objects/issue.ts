import { appOf, idOf, user } from './actors.ts';
import { listedPullRequest, type PullRequest } from './pull-request.ts';

/** Why an issue is closed, or open again. */
export type StateReason = 'completed' | 'duplicate' | 'not_planned' | 'reopened';

/** An issue that is no pull request, as far as it may change. */
export type Issue = {
  readonly number: number;
  /** The author's login. */
  readonly author: string;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  reason: StateReason | null;
  /** The login of who closed it; null while it is open. */
  closedBy: string | null;
  locked: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
  updatedAt: string;
};

function links(api: string, fullName: string, number: number) {
  const url = `${api}/repos/${fullName}/issues/${number}`;
  return {
    url,
    repository_url: `${api}/repos/${fullName}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
  };
}

/**
 * An issue as GitHub answers it.
 * @param api the base URL of the API
 * @param fullName `owner/name`
 */
export function shownIssue(api: string, fullName: string, issue: Issue, comments: number) {
  const addresses = links(api, fullName, issue.number);
  return {
    ...addresses,
    html_url: `https://github.com/${fullName}/issues/${issue.number}`,
    id: idOf(addresses.url),
    node_id: `I_${idOf(addresses.url)}`,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    state_reason: issue.reason,
    user: user(api, issue.author),
    labels: [],
    assignee: null,
    assignees: [],
    milestone: null,
    locked: issue.locked,
    active_lock_reason: null,
    comments,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.state === 'closed' ? issue.updatedAt : null,
    closed_by: issue.closedBy === null ? null : user(api, issue.closedBy),
    author_association: 'NONE',
    performed_via_github_app: appOf(api, issue.author),
  };
}

/** A pull request as GitHub lists it among issues. */
export function asIssue(api: string, fullName: string, given: PullRequest, comments: number) {
  const shown = listedPullRequest(api, fullName, given);
  const { number, state, locked, created_at, updated_at, closed_at, merged_at } = shown;
  const { id, html_url, diff_url, patch_url, labels, assignee, milestone, user: author } = shown;
  return {
    ...links(api, fullName, number),
    ...{ id, html_url, node_id: shown.node_id, number, title: shown.title, body: shown.body },
    ...{ state, locked, created_at, updated_at, closed_at, labels, assignee, milestone, comments },
    user: author,
    pull_request: { url: shown.url, html_url, diff_url, patch_url, merged_at },
  };
}
