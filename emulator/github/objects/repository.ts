import { idOf, user } from './actors.ts';

/** The addresses of a repository's parts, below its own. */
const parts = {
  archive_url: '{archive_format}{/ref}',
  assignees_url: 'assignees{/user}',
  blobs_url: 'git/blobs{/sha}',
  branches_url: 'branches{/branch}',
  collaborators_url: 'collaborators{/collaborator}',
  comments_url: 'comments{/number}',
  commits_url: 'commits{/sha}',
  compare_url: 'compare/{base}...{head}',
  contents_url: 'contents/{+path}',
  contributors_url: 'contributors',
  deployments_url: 'deployments',
  downloads_url: 'downloads',
  events_url: 'events',
  forks_url: 'forks',
  git_commits_url: 'git/commits{/sha}',
  git_refs_url: 'git/refs{/sha}',
  git_tags_url: 'git/tags{/sha}',
  hooks_url: 'hooks',
  issue_comment_url: 'issues/comments{/number}',
  issue_events_url: 'issues/events{/number}',
  issues_url: 'issues{/number}',
  keys_url: 'keys{/key_id}',
  labels_url: 'labels{/name}',
  languages_url: 'languages',
  merges_url: 'merges',
  milestones_url: 'milestones{/number}',
  notifications_url: 'notifications{?since,all,participating}',
  pulls_url: 'pulls{/number}',
  releases_url: 'releases{/id}',
  stargazers_url: 'stargazers',
  statuses_url: 'statuses/{sha}',
  subscribers_url: 'subscribers',
  subscription_url: 'subscription',
  tags_url: 'tags',
  teams_url: 'teams',
  trees_url: 'git/trees{/sha}',
};

const counts = {
  forks: 0,
  forks_count: 0,
  open_issues: 0,
  open_issues_count: 0,
  size: 0,
  stargazers_count: 0,
  watchers: 0,
  watchers_count: 0,
};

const features = {
  allow_forking: true,
  archived: false,
  disabled: false,
  has_discussions: false,
  has_downloads: true,
  has_issues: true,
  has_pages: false,
  has_projects: true,
  has_wiki: true,
  is_template: false,
  private: false,
  web_commit_signoff_required: false,
};

/**
 * A repository as GitHub shows it within a pull request.
 * @param api the base URL of the API
 * @param fullName `owner/name`
 */
export function repository(api: string, fullName: string) {
  const [owner = '', name = ''] = fullName.split('/');
  const url = `${api}/repos/${fullName}`;
  const page = `https://github.com/${fullName}`;
  const addresses = Object.entries(parts).map(([field, part]) => [field, `${url}/${part}`]);
  return {
    ...Object.fromEntries(addresses),
    ...counts,
    ...features,
    id: idOf(fullName),
    node_id: `R_${idOf(fullName)}`,
    name,
    full_name: fullName,
    owner: user(api, owner),
    html_url: page,
    url,
    git_url: `git://github.com/${fullName}.git`,
    ssh_url: `git@github.com:${fullName}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    description: null,
    fork: false,
    homepage: null,
    language: null,
    license: null,
    topics: [],
    visibility: 'public',
    default_branch: 'main',
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2020-01-01T00:00:00Z',
    pushed_at: '2020-01-01T00:00:00Z',
  };
}
