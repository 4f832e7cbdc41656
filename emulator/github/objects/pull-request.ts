import { idOf, user } from './actors.ts';
import { repository } from './repository.ts';

/** A branch and its newest commit. Further fields are answered as they are. */
type Tip = { ref: string; sha: string; [field: string]: unknown };

/** Where a pull request comes from: null for a repository once a fork was deleted. */
type Head = Tip & { repo: { full_name: string; fork: boolean } | null };

/**
 * A pull request as far as a test cares; the rest is filled in when it is answered. Further fields are answered
 * as they are.
 */
export type PullRequest = {
  number: number;
  state: 'open' | 'closed';
  head: Head;
  base: Tip;
  /** When it was merged: ISO 8601. */
  merged_at?: string | null;
  merge_commit_sha?: string | null;
  /** The author's login; `octocat` if nobody is named. */
  user?: { login: string };
  [field: string]: unknown;
};

const start = '2020-01-01T00:00:00Z';

const author = (given: PullRequest) => given.user?.login ?? 'octocat';

function links(url: string, issue: string, page: string, sha: string) {
  return {
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${url.replace(/\/\d+$/, '')}/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: `${url.replace(/\/pulls\/\d+$/, '')}/statuses/${sha}`,
  };
}

function relations(url: string, { html_url, ...rest }: ReturnType<typeof links>) {
  return {
    self: { href: url },
    html: { href: html_url },
    issue: { href: rest.issue_url },
    comments: { href: rest.comments_url },
    review_comments: { href: rest.review_comments_url },
    review_comment: { href: rest.review_comment_url },
    commits: { href: rest.commits_url },
    statuses: { href: rest.statuses_url },
  };
}

/** The side with what GitHub tells beyond a test's own words. */
function side(api: string, given: Tip, repo: Head['repo'], owner: string) {
  const whole = repo && { ...repository(api, repo.full_name), ...repo };
  return { label: `${owner}:${given.ref}`, user: user(api, owner), ...given, repo: whole };
}

/** The owner and the branch of a pull request's head, as `label` and the filter `head` name them. */
export function headLabel(given: PullRequest): string {
  const owner = given.head.repo?.full_name.split('/')[0] ?? author(given);
  return `${owner}:${given.head.ref}`;
}

/**
 * A pull request as GitHub lists it.
 * @param api the base URL of the API
 * @param fullName the base's `owner/name`
 */
export function listedPullRequest(api: string, fullName: string, given: PullRequest) {
  const { number, state, head, base } = given;
  const url = `${api}/repos/${fullName}/pulls/${number}`;
  const issue = `${api}/repos/${fullName}/issues/${number}`;
  const page = `https://github.com/${fullName}/pull/${number}`;
  const addresses = links(url, issue, page, head.sha);
  const [owner = ''] = fullName.split('/');
  const [headOwner = ''] = headLabel(given).split(':');
  return {
    id: idOf(url),
    node_id: `PR_${idOf(url)}`,
    url,
    ...addresses,
    _links: relations(url, addresses),
    locked: false,
    title: `Change ${number}`,
    body: null,
    labels: [],
    milestone: null,
    active_lock_reason: null,
    created_at: start,
    updated_at: start,
    closed_at: state === 'closed' ? start : null,
    merged_at: null,
    merge_commit_sha: null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    author_association: 'CONTRIBUTOR',
    auto_merge: null,
    draft: false,
    ...given,
    user: { ...user(api, author(given)), ...given.user },
    head: side(api, head, head.repo, headOwner),
    base: side(api, base, { full_name: fullName, fork: false }, owner),
  };
}

/** A pull request as GitHub answers it alone: with what it lists, and more. */
export function wholePullRequest(
  api: string,
  fullName: string,
  given: PullRequest,
  comments: number,
) {
  return {
    merged: typeof given.merged_at === 'string',
    mergeable: given.state === 'open' ? true : null,
    rebaseable: given.state === 'open' ? true : null,
    mergeable_state: given.state === 'open' ? 'clean' : 'unknown',
    merged_by: null,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: 1,
    additions: 1,
    deletions: 0,
    changed_files: 1,
    ...listedPullRequest(api, fullName, given),
    comments,
  };
}
