import { createHash } from 'node:crypto';

const known: Readonly<Record<string, number>> = { 'github-actions[bot]': 41_898_282, github: 9919 };

/** A stable number for a name, as GitHub has one for each account and repository. */
export function idOf(name: string): number {
  return known[name] ?? createHash('sha256').update(name).digest().readUInt32BE();
}

/** A user or a bot as GitHub shows it beside what it made. Its type follows from its login. */
export type User = ReturnType<typeof user>;

/** @param api the base URL of the API */
export function user(api: string, login: string) {
  const id = idOf(login);
  const bot = login.endsWith('[bot]');
  const url = `${api}/users/${encodeURIComponent(login)}`;
  const page = bot ? `apps/${login.slice(0, -'[bot]'.length)}` : login;
  return {
    login,
    id,
    node_id: `${bot ? 'BOT' : 'U'}_${id}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `https://github.com/${page}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: bot ? 'Bot' : 'User',
    user_view_type: 'public',
    site_admin: false,
  };
}

/** The account behind a personal token, as `GET /user` gives it. */
export function account(api: string, login: string) {
  return {
    ...user(api, login),
    name: null,
    company: null,
    blog: '',
    location: null,
    email: null,
    notification_email: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: 1,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2020-01-01T00:00:00Z',
  };
}

/** The app through which somebody acts: GitHub Actions for its bot, none for everybody else. */
export function appOf(api: string, login: string) {
  if (login !== 'github-actions[bot]') return null;
  return {
    id: 15_368,
    client_id: 'Iv1.0000000000000000',
    slug: 'github-actions',
    node_id: 'A_15368',
    owner: { ...user(api, 'github'), type: 'Organization' },
    name: 'GitHub Actions',
    description: 'Automate your workflow from idea to production',
    external_url: 'https://help.github.com/en/actions',
    html_url: 'https://github.com/apps/github-actions',
    created_at: '2018-07-30T09:30:17Z',
    updated_at: '2020-01-01T00:00:00Z',
    permissions: { deployments: 'write', issues: 'write', pull_requests: 'write' },
    events: ['push', 'pull_request'],
  };
}
