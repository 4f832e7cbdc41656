import type { CommentThread, ListedComment } from '../platform.ts';
import { type GitHubAccess, type Octokit, openOctokit, readPages } from './client.ts';
import { rateLimitEnd, statusOf, unlessGone } from './errors.ts';

/** The author of comments that are written with a workflow's own token. */
const actionsBot = 'github-actions[bot]';

/** A comment or an issue as GitHub's API shows it. */
export interface ApiComment {
  id: number;
  body?: string | null | undefined;
  html_url: string;
  user: { login: string } | null;
}

/** The same as it is listed. */
export const listed = ({ id, body, html_url: url, user }: ApiComment): ListedComment => ({
  id,
  body: body ?? '',
  url,
  author: user?.login,
});

/** Opens the comments on an issue or a pull request, where the run keeps them. */
export async function openThread(
  access: GitHubAccess,
  number: number,
  signal: AbortSignal,
): Promise<CommentThread> {
  const { comments } = access;
  if (comments !== undefined) return comments.open(number, signal);
  return gitHubThread(await openOctokit(access, signal), number);
}

/**
 * The author of what a token writes. A user's token can read its login. GitHub always refuses that to an app's token,
 * which is taken for the workflow's own until something was created with it.
 */
export async function readAuthor({ rest, isApp }: Octokit): Promise<string> {
  if (isApp) return actionsBot;
  try {
    const { data } = await rest.users.getAuthenticated();
    return data.login;
  } catch (error) {
    if (statusOf(error) === 403 && rateLimitEnd(error) === undefined) return actionsBot;
    throw error;
  }
}

/** The comments on an issue or a pull request on GitHub. */
function gitHubThread(octokit: Octokit, number: number): CommentThread {
  const { rest, owner, repo } = octokit;
  const thread = { owner, repo, issue_number: number };
  return {
    async *list() {
      const pages = readPages((page) => rest.issues.listComments({ ...thread, ...page }));
      for await (const comment of pages) yield listed(comment);
    },
    readAuthor: () => readAuthor(octokit),
    async read(id) {
      const get = () => rest.issues.getComment({ owner, repo, comment_id: id });
      const response = await unlessGone(get);
      return response && listed(response.data);
    },
    async create(body) {
      const { data } = await rest.issues.createComment({ ...thread, body });
      return listed(data);
    },
    async edit(id, body) {
      const edit = () => rest.issues.updateComment({ owner, repo, comment_id: id, body });
      return (await unlessGone(edit)) !== undefined;
    },
    async delete(id) {
      await unlessGone(() => rest.issues.deleteComment({ owner, repo, comment_id: id }));
    },
  };
}
