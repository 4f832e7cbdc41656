import { appOf, idOf, user } from './actors.ts';

/** A comment on an issue or a pull request, as GitHub shows it. */
export type Comment = ReturnType<typeof comment>;

/** What a comment is made of. */
export type CommentParts = {
  id: number;
  /** `owner/name`. */
  repository: string;
  /** Of the issue or pull request. */
  number: number;
  /** The author's login. */
  author: string;
  body: string;
  /** When it is written: ISO 8601. */
  at: string;
};

/** @param api the base URL of the API */
export function comment(api: string, parts: CommentParts) {
  const { id, repository, number, author, body, at } = parts;
  const url = `${api}/repos/${repository}/issues/comments/${id}`;
  return {
    url,
    html_url: `https://github.com/${repository}/issues/${number}#issuecomment-${id}`,
    issue_url: `${api}/repos/${repository}/issues/${number}`,
    id,
    node_id: `IC_${idOf(url)}`,
    user: user(api, author),
    created_at: at,
    updated_at: at,
    body,
    author_association: 'NONE',
    reactions: {
      url: `${url}/reactions`,
      total_count: 0,
      '+1': 0,
      '-1': 0,
      laugh: 0,
      hooray: 0,
      confused: 0,
      heart: 0,
      rocket: 0,
      eyes: 0,
    },
    performed_via_github_app: appOf(api, author),
  };
}
